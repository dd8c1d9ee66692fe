// Concurrent changes of one organization: each waits for its turn before it writes, so the store refuses no
// commit.

import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { payloadOf } from '../limits/limited.ts';
import { makePolicy } from '../operations/policies/policy_requests.ts';
import { makeUser } from '../operations/users/user_requests.ts';
import { makeControl } from '../operations/velocity_controls/velocity_control_requests.ts';
import { ethereumAccount, makeWallet } from '../operations/wallets/wallet_requests.ts';
import { startTestService, testKey } from '../support/harness.ts';
import { approve, makeWallet as askForWallet, by, reject, shownAs } from '../votes/voting.ts';

const together = Array.from({ length: 8 }, (_, index) => index);

/** Starts a service that records the outcome of each commit. */
async function startRecorded(t: TestContext) {
  const outcomes: string[] = [];
  const service = await startTestService({
    wrapStore: (port) => ({
      ...port,
      commit: async (change) => {
        const outcome = await port.commit(change);
        outcomes.push(typeof outcome === 'string' ? outcome : JSON.stringify(outcome));
        return outcome;
      },
    }),
  });
  t.after(() => service.close());
  return { service, outcomes };
}

test('concurrent changes are committed in turn, without a conflict', async (t) => {
  const { service, outcomes } = await startRecorded(t);
  outcomes.length = 0;
  await Promise.all(together.map((index) => makeUser(service, `user ${index}`)));
  assert.deepEqual(
    outcomes,
    together.map(() => 'committed'),
  );
});

test('concurrent counted signatures are committed in turn, without a conflict', async (t) => {
  const { service, outcomes } = await startRecorded(t);
  await makeUser(service, 'alice');
  const { addresses } = await makeWallet(service, [ethereumAccount()]);
  await makePolicy(service, 'signs', { condition: 'true', consensus: 'true' });
  await makeControl(service);
  outcomes.length = 0;
  const type = 'ACTIVITY_TYPE_SIGN_RAW_PAYLOAD_V2';
  const answers = await Promise.all(
    together.map((index) =>
      service.submit(
        'sign_raw_payload',
        type,
        { signWith: addresses[0], ...payloadOf(`payload ${index}`) },
        { key: testKey('alice') },
      ),
    ),
  );
  assert.deepEqual(
    answers.map(({ status }) => status),
    together.map(() => 200),
  );
  assert.deepEqual(
    outcomes,
    together.map(() => 'committed'),
  );
});

test('an approval of an activity that became impossible fails it, with the reason', async (t) => {
  const { service } = await startRecorded(t);
  await makeUser(service, 'anna');
  await makePolicy(service, 'two', { condition: 'true', consensus: 'approvers.count() >= 2' });
  const type = 'ACTIVITY_TYPE_CREATE_WEBHOOK_ENDPOINT';
  const url = 'https://receiver.example/hook';
  const asked = { name: 'Ledger', url };
  const waiting = await service.submit('create_webhook_endpoint', type, asked, by('anna'));
  const { id, fingerprint } = shownAs('CONSENSUS_NEEDED', waiting);
  service.outside.refusedTargets.set(url, 'the address is private');
  const approved = await approve(service, { fingerprint });
  assert.equal(approved.status, 200, JSON.stringify(approved.body));
  const { activity } = (await service.query('get_activity', { activityId: id })).body;
  assert.equal(activity.status, 'ACTIVITY_STATUS_FAILED');
  assert.match(activity.failure.message, /the address is private/);
  assert.deepEqual((await service.query('list_webhook_endpoints', {})).body.webhookEndpoints, []);
});

/** Starts users who vote, and activities that wait for all of them. */
async function startVotes(t: TestContext) {
  const { service, outcomes } = await startRecorded(t);
  for (const index of together) await makeUser(service, `voter ${index}`);
  await makePolicy(service, 'all', { condition: 'true', consensus: 'approvers.count() >= 9' });
  const waiting = [];
  for (const index of together) {
    const asked = await askForWallet(service, `Wallet ${index}`, by('voter 0'));
    waiting.push(shownAs('CONSENSUS_NEEDED', asked));
  }
  outcomes.length = 0;
  return { service, outcomes, waiting };
}

test('concurrent votes are committed in turn, without a conflict', async (t) => {
  const { service, outcomes, waiting } = await startVotes(t);
  const [first] = waiting;
  const others = together.slice(1);
  await Promise.all(others.map((index) => approve(service, first, by(`voter ${index}`))));
  assert.deepEqual(
    outcomes,
    others.map(() => 'committed'),
  );
});

test('concurrent rejections are committed in turn, without a conflict', async (t) => {
  const { service, outcomes, waiting } = await startVotes(t);
  await Promise.all(waiting.map((each) => reject(service, each, by('voter 1'))));
  assert.deepEqual(
    outcomes,
    waiting.map(() => 'committed'),
  );
});
