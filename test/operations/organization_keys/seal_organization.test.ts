import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startTestService, testKey } from '../../support/harness.ts';
import { checkActivity } from '../checks.ts';
import { makeKeys, sign } from '../freezes/freeze_requests.ts';
import { makePolicy } from '../policies/policy_requests.ts';
import { makeUser } from '../users/user_requests.ts';
import { ethereumAccount, makeWallet } from '../wallets/wallet_requests.ts';
import { assertSealed, keyState, makeKey, seal, unseal } from './organization_key_requests.ts';

const wire = {
  operation: 'seal_organization',
  type: 'ACTIVITY_TYPE_SEAL_ORGANIZATION',
  intent: 'sealOrganizationIntent',
  result: 'sealOrganizationResult',
};

test('seal_organization: stops wallets and private keys, also cached derived keys', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const [key] = await makeKeys(service);
  const { addresses } = await makeWallet(service, [ethereumAccount()]);
  const [address] = addresses;
  assert.ok(address);
  const holder = await makeKey(service);
  const before = [await sign(service, key), await sign(service, address)];
  const result = await checkActivity(service, {
    ...wire,
    parameters: {},
  });
  assert.deepEqual(result, { sealCount: '1' });
  assertSealed(await sign(service, key));
  assertSealed(await sign(service, address));
  assert.equal((await keyState(service)).isSealed, true);
  assert.equal((await unseal(service, holder)).status, 200);
  const after = [await sign(service, key), await sign(service, address)];
  assert.deepEqual(
    after.map(({ body }) => body.activity.result),
    before.map(({ body }) => body.activity.result),
  );
});

test('seal_organization: refuses an organization without a key of its own', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const { status, body } = await service.submit(wire.operation, wire.type, {});
  assert.equal(status, 404);
  assert.match(body.message, /has no key of its own/);
});

test('seal_organization: a policy lets a user seal, and this user cannot unseal', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const guard = { key: testKey('guard') };
  await makeUser(service, 'guard');
  await makePolicy(service, 'Guards seal', {
    condition: "activity.resource == 'ORGANIZATION_KEY' && activity.action == 'SEAL'",
    consensus: 'true',
  });
  const holder = await makeKey(service);
  await seal(service, guard);
  assert.equal((await keyState(service)).isSealed, true);
  assert.equal((await unseal(service, holder, {}, guard)).status, 403);
  assert.equal((await keyState(service)).isSealed, true);
});
