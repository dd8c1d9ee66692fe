import assert from 'node:assert/strict';
import { test } from 'node:test';
import { base64url, utf8 } from '../../src/core/base/bytes.ts';
import { makePolicy } from '../operations/policies/policy_requests.ts';
import { makeUser } from '../operations/users/user_requests.ts';
import { startTestService, testKey } from '../support/harness.ts';

const type = 'ACTIVITY_TYPE_CREATE_WALLET';
const agent = { key: testKey('Agent') };
const reader = { key: testKey('Reader') };

test('a reader of a refused request cannot submit it later', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  await makeUser(service, 'Agent');
  await makeUser(service, 'Reader');
  await makePolicy(service, 'Wallets from half past twelve', {
    consensus: 'true',
    time: "time.now >= Timestamp('2026-01-01T00:30:00Z')",
  });
  const asked = { walletName: 'Once', accounts: [] };
  const refused = await service.submit('create_wallet', type, asked, agent);
  assert.equal(refused.status, 403);

  // The same request would now be allowed.
  service.advance(31 * 60 * 1000);
  const { body } = await service.query('list_activities', {}, reader);
  const [{ status, votes }] = body.activities;
  assert.equal(status, 'ACTIVITY_STATUS_FAILED');
  const [{ message, publicKey, signature, scheme }] = votes;
  assert.equal(signature, '');
  const stamp = base64url(utf8(JSON.stringify({ publicKey, signature, scheme })));
  const header = { name: 'x-stamp', value: stamp };
  const replayed = await service.send('submit', 'create_wallet', utf8(message), [header]);
  assert.equal(replayed.status, 401, JSON.stringify(replayed.body));
  const { body: wallets } = await service.query('list_wallets');
  assert.deepEqual(wallets.wallets, []);
});

test('a completed activity stores its stamp, which proves the submitter and cannot act again', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const made = await service.submit('create_wallet', type, { walletName: 'Once', accounts: [] });
  const { id, votes } = made.body.activity;
  const [{ message, publicKey, signature, scheme }] = votes;
  const stamp = base64url(utf8(JSON.stringify({ publicKey, signature, scheme })));
  const header = { name: 'x-stamp', value: stamp };
  const again = await service.send('submit', 'create_wallet', utf8(message), [header]);
  assert.equal(again.body.activity.id, id);
});
