import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startTestService } from '../../support/harness.ts';
import { assertRefused, checkActivity, checkRefused } from '../checks.ts';
import { addChild } from '../other_callers.ts';
import { exported } from '../wallets/transfer_requests.ts';
import { unknownId } from '../wallets/wallet_requests.ts';
import { described, makePrivateKeys } from './private_key_requests.ts';

const wire = {
  operation: 'delete_private_keys',
  type: 'ACTIVITY_TYPE_DELETE_PRIVATE_KEYS',
  intent: 'deletePrivateKeysIntent',
  result: 'deletePrivateKeysResult',
};

test('delete_private_keys: deletes the keys, which sign no more', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const made = await makePrivateKeys(service, [described(), described(), described()]);
  const ids = made.map(({ privateKeyId }) => privateKeyId);
  const privateKeyIds = [ids[2] ?? '', (ids[0] ?? '').toUpperCase()];
  const parameters = { privateKeyIds, deleteWithoutExport: true };
  const result = await checkActivity(service, {
    ...wire,
    parameters,
    optional: ['deleteWithoutExport'],
    malformed: [
      { field: 'parameters.privateKeyIds', parameters: { ...parameters, privateKeyIds: [] } },
      {
        field: 'parameters.privateKeyIds.1',
        parameters: { ...parameters, privateKeyIds: [ids[0], 'x'] },
      },
      {
        field: 'parameters.privateKeyIds.1',
        parameters: { ...parameters, privateKeyIds: [ids[0], ids[0]] },
      },
    ],
  });
  assert.deepEqual(result, { privateKeyIds: [ids[2], ids[0]] });
  const stored = (await service.query('list_private_keys')).body.privateKeys;
  assert.deepEqual(
    stored.map((key: { privateKeyId: string }) => key.privateKeyId),
    [ids[1]],
  );
  for (const signWith of [ids[0], made[0]?.addresses[0]?.address]) {
    const answer = await service.submit('sign_raw_payload', 'ACTIVITY_TYPE_SIGN_RAW_PAYLOAD_V2', {
      signWith,
      payload: 'hello',
      encoding: 'PAYLOAD_ENCODING_TEXT_UTF8',
      hashFunction: 'HASH_FUNCTION_SHA256',
    });
    assertRefused(answer, 404, 5);
  }
});

test('delete_private_keys: requires an export unless the request waives it, all or none', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const [made] = await makePrivateKeys(service);
  const [ofChild] = await makePrivateKeys(service, [described()], await addChild(service));
  const id = made?.privateKeyId ?? '';
  const notExported = { status: 400, code: 3, text: /^private key has not been exported: / };
  const missing = { status: 404, code: 5, text: /^unable to find private key / };
  for (const [parameters, refusal] of [
    [{ privateKeyIds: [id] }, notExported],
    [{ privateKeyIds: [id], deleteWithoutExport: false }, notExported],
    [{ privateKeyIds: [id, unknownId], deleteWithoutExport: true }, missing],
    [{ privateKeyIds: [id, ofChild?.privateKeyId], deleteWithoutExport: true }, missing],
  ] as const) {
    await checkRefused(service, { ...wire, parameters }, refusal);
  }
  await exported(service, 'private_key', { privateKeyId: id });
  const parameters = { privateKeyIds: [id] };
  assert.equal((await service.submit(wire.operation, wire.type, parameters)).status, 200);
});
