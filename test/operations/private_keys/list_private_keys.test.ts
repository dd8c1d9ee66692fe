import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startTestService } from '../../support/harness.ts';
import { checkQuery } from '../checks.ts';
import { addChild } from '../other_callers.ts';
import { described, makePrivateKeys } from './private_key_requests.ts';

test('list_private_keys: lists the keys of this organization, oldest first', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const operation = 'list_private_keys';
  assert.deepEqual(await checkQuery(service, { operation, body: {} }), { privateKeys: [] });
  const made = [
    ...(await makePrivateKeys(service, [described(), described()])),
    ...(await makePrivateKeys(service)),
  ];
  await makePrivateKeys(service, [described()], await addChild(service));
  const { privateKeys } = (await service.query(operation)).body;
  for (const [i, { privateKeyId }] of made.entries()) {
    const { privateKey } = (await service.query('get_private_key', { privateKeyId })).body;
    assert.deepEqual(privateKeys[i], privateKey);
  }
  assert.equal(privateKeys.length, 3);
});
