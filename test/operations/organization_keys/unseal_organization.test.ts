import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startTestService, testKey } from '../../support/harness.ts';
import { secretOf } from '../../support/organization_keys.ts';
import { checkActivity } from '../checks.ts';
import { makeKeys, sign } from '../freezes/freeze_requests.ts';
import { makePolicy } from '../policies/policy_requests.ts';
import { makeUser } from '../users/user_requests.ts';
import {
  addHolder,
  assertSealed,
  keyState,
  makeKey,
  seal,
  secretFor,
  unseal,
} from './organization_key_requests.ts';

test('unseal_organization: an unsealed organization signs', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const [key] = await makeKeys(service);
  const holderId = await makeKey(service);
  await seal(service);
  assertSealed(await sign(service, key));
  await checkActivity(service, {
    operation: 'unseal_organization',
    type: 'ACTIVITY_TYPE_UNSEAL_ORGANIZATION',
    intent: 'unsealOrganizationIntent',
    result: 'unsealOrganizationResult',
    parameters: { holderId, encryptedSecret: await secretFor(service, 'unseal') },
    malformed: [
      { field: 'parameters.holderId', parameters: { holderId: '1', encryptedSecret: 'x' } },
    ],
  });
  assert.equal((await sign(service, key)).status, 200);
});

test('unseal_organization: refuses a secret that was sealed before the last seal', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const holderId = await makeKey(service);
  await seal(service);
  const encryptedSecret = await secretFor(service, 'unseal');
  assert.equal((await unseal(service, holderId, { encryptedSecret })).status, 200);
  await seal(service);
  const { status, body } = await unseal(service, holderId, { encryptedSecret });
  assert.equal(status, 400);
  assert.match(body.message, /not sealed to this run of the enclave for this state/);
  assert.equal((await keyState(service)).isSealed, true);
});

test('unseal_organization: refuses the secret of another holder, and a holder of another organization', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const holderId = await makeKey(service);
  await addHolder(service, 'deputy');
  await seal(service);
  const wrong = await unseal(service, holderId, { name: 'deputy' });
  assert.equal(wrong.status, 403);
  assert.match(wrong.body.message, /not the secret of the key holder/);
  const unknown = await unseal(service, '01900000-0000-7000-8000-000000000000');
  assert.equal(unknown.status, 404);
  assert.equal((await keyState(service)).isSealed, true);
});

test('unseal_organization: refuses the eleventh attempt of a user in an hour, and locks out no other user', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const guesser = { key: testKey('guesser') };
  await makeUser(service, 'guesser');
  await makePolicy(service, 'All unseal', {
    condition: "activity.kind == 'UNSEAL_ORGANIZATION'",
    consensus: 'true',
  });
  const holderId = await makeKey(service);
  await seal(service);
  for (let guess = 0; guess < 10; guess += 1) {
    const secret = secretOf(`guess ${guess}`);
    const { status, body } = await unseal(service, holderId, { secret }, guesser);
    assert.equal(status, 403, JSON.stringify(body));
  }
  const refused = await unseal(service, holderId, {}, guesser);
  assert.equal(refused.status, 429, JSON.stringify(refused.body));
  assert.equal((await keyState(service)).isSealed, true);
  assert.equal((await unseal(service, holderId)).status, 200);
  await seal(service);
  service.advance(3_600_000);
  assert.equal((await unseal(service, holderId, {}, guesser)).status, 200);
});
