import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startTestService } from '../../support/harness.ts';
import { checkQuery } from '../checks.ts';
import { addHolder, makeKey, seal } from './organization_key_requests.ts';

test('get_organization_key: shows the holders without the sealed keys', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const none = await service.query('get_organization_key');
  assert.deepEqual(none.body, { isSealed: false });
  await makeKey(service);
  await addHolder(service, 'deputy');
  await seal(service);
  const answer = await checkQuery(service, { operation: 'get_organization_key', body: {} });
  assert.equal(answer.isSealed, true);
  const { holders, sealCount } = answer.organizationKey;
  assert.equal(sealCount, '1');
  assert.deepEqual(
    holders.map((holder: object) => Object.keys(holder).sort()),
    Array(2).fill(['createdAt', 'derivation', 'holderId', 'holderName', 'type']),
  );
});
