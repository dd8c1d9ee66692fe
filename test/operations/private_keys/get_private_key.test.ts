// Q-PRIVATE-KEY-01
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startTestService } from '../../support/harness.ts';
import { assertRefused, checkQuery } from '../checks.ts';
import { addChild } from '../other_callers.ts';
import { unknownId } from '../wallets/wallet_requests.ts';
import { described, makePrivateKeys, makeTag } from './private_key_requests.ts';

const operation = 'get_private_key';

test('get_private_key: shows every member, and nothing of the secret', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const tag = await makeTag(service, 'Hot');
  const formats = ['ADDRESS_FORMAT_ETHEREUM', 'ADDRESS_FORMAT_COMPRESSED'];
  const [made] = await makePrivateKeys(service, [
    described({ addressFormats: formats, privateKeyTags: [tag] }),
  ]);
  assert(made !== undefined);
  const createdAt = { seconds: String(Math.floor(service.now() / 1000)), nanos: '2000000' };
  // Q-PRIVATE-KEY-02, Q-PRIVATE-KEY-03
  const body = { privateKeyId: made.privateKeyId };
  const malformed = [{ field: 'privateKeyId', parameters: { privateKeyId: 'x' } }];
  const answer = await checkQuery(service, { operation, body, malformed });
  // Q-PRIVATE-KEY-04, RES-PRIVATE-KEY-01 to RES-PRIVATE-KEY-13, STATE-05
  assert.deepEqual(answer, {
    privateKey: {
      privateKeyId: made.privateKeyId,
      publicKey: made.addresses[1]?.address,
      privateKeyName: 'Key',
      curve: 'CURVE_SECP256K1',
      addresses: made.addresses,
      privateKeyTags: [tag],
      createdAt,
      updatedAt: createdAt,
      exported: false,
      imported: false,
    },
  });
});

test('get_private_key: finds keys of this organization, and a parent those of its child', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const child = await addChild(service);
  const [ofChild] = await makePrivateKeys(service, [described()], child);
  const privateKeyId = ofChild?.privateKeyId ?? '';
  const asParent = { organizationId: child.organizationId };
  const { body } = await service.query(operation, { privateKeyId }, asParent);
  assert.equal(body.privateKey.privateKeyId, privateKeyId);
  for (const id of [unknownId, privateKeyId]) {
    const answer = await service.query(operation, { privateKeyId: id });
    assertRefused(answer, 404, 5);
    assert.match(
      answer.body.message,
      new RegExp(`^unable to find private key ${id} in organization`),
    );
  }
});
