// Votes on activities of sealed organizations.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeKeys, sign } from '../operations/freezes/freeze_requests.ts';
import {
  assertSealed,
  describedHolder,
  keyState,
  makeKey,
  seal,
  secretFor,
  unseal,
} from '../operations/organization_keys/organization_key_requests.ts';
import { makePolicy } from '../operations/policies/policy_requests.ts';
import { makeUser } from '../operations/users/user_requests.ts';
import { startTestService, testKey } from '../support/harness.ts';
import { approve, changeQuorum, read, shownAs } from '../votes/voting.ts';

test('the last vote on a signature fails while the organization is sealed, and the activity waits on', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const [first, second] = [{ key: testKey('first') }, { key: testKey('second') }];
  for (const name of ['first', 'second']) await makeUser(service, name);
  await makePolicy(service, 'Two sign', {
    condition: "activity.action == 'SIGN'",
    consensus: 'approvers.count() >= 2',
  });
  const [key] = await makeKeys(service);
  const holderId = await makeKey(service);
  const before = shownAs('CONSENSUS_NEEDED', await sign(service, key, first));
  await seal(service);
  // A request may wait while the organization is sealed.
  const during = shownAs('CONSENSUS_NEEDED', await sign(service, key, first));
  for (const waiting of [before, during]) {
    assertSealed(await approve(service, waiting, second));
    shownAs('CONSENSUS_NEEDED', { status: 200, body: { activity: await read(service, waiting) } });
  }
  assert.equal((await unseal(service, holderId)).status, 200);
  for (const waiting of [before, during]) {
    shownAs('COMPLETED', await approve(service, waiting, second));
  }
});

test('the last vote unseals the organization, unless it was sealed again meanwhile', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const second = { key: testKey('second') };
  const secondId = await makeUser(service, 'second');
  const holderId = await makeKey(service);
  await seal(service);
  const userIds = [service.root.userId, secondId];
  await changeQuorum(service, { threshold: 2, userIds }, [{}]);
  const encryptedSecret = await secretFor(service, 'unseal');
  const first = shownAs('CONSENSUS_NEEDED', await unseal(service, holderId, { encryptedSecret }));
  // Another user who may unseal alone could send the secret again.
  const seen = await service.query('get_activity', { activityId: first.id }, second);
  assert.equal(seen.status, 200);
  const { ciphertext } = JSON.parse(encryptedSecret);
  assert(!JSON.stringify(seen.body).includes(ciphertext), 'others do not see the secret');
  assert.equal((await keyState(service)).isSealed, true);
  shownAs('COMPLETED', await approve(service, first, second));
  assert.equal((await keyState(service)).isSealed, false);

  const late = shownAs('CONSENSUS_NEEDED', await unseal(service, holderId));
  const type = 'ACTIVITY_TYPE_SEAL_ORGANIZATION';
  const sealing = shownAs('CONSENSUS_NEEDED', await service.submit('seal_organization', type, {}));
  shownAs('COMPLETED', await approve(service, sealing, second));
  shownAs('FAILED', await approve(service, late, second));
  assert.equal((await keyState(service)).isSealed, true);
});

test('the first commit of a key seals 100 wallets and 1,000 private keys', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const keys: string[] = [];
  for (let from = 0; from < 1000; from += 100) keys.push(...(await makeKeys(service, 100)));
  const wallets = Array.from({ length: 100 }, (_, i) => `Wallet ${i}`);
  for (const walletName of wallets) {
    const type = 'ACTIVITY_TYPE_CREATE_WALLET';
    const made = await service.submit('create_wallet', type, { walletName, accounts: [] });
    assert.equal(made.status, 200, JSON.stringify(made.body));
  }
  const signers = [keys[0] ?? '', keys[999] ?? ''];
  const resultOf = async (signer: string) => (await sign(service, signer)).body.activity.result;
  const before = [await resultOf(signers[0] ?? ''), await resultOf(signers[1] ?? '')];
  const type = 'ACTIVITY_TYPE_CREATE_ORGANIZATION_KEY';
  const created = await service.submit(
    'create_organization_key',
    type,
    await describedHolder(service),
  );
  assert.equal(created.status, 200, JSON.stringify(created.body));
  assert.deepEqual([await resultOf(signers[0] ?? ''), await resultOf(signers[1] ?? '')], before);
});
