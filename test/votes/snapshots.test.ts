// The snapshot of a waiting activity for webhook events. Each change of its status stores another snapshot.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeMfaPolicy } from '../operations/mfa_policies/mfa_requests.ts';
import { makePolicy } from '../operations/policies/policy_requests.ts';
import { describedKey, makeUser } from '../operations/users/user_requests.ts';
import { makeEndpoint, shownDeliveries } from '../operations/webhooks/webhook_requests.ts';
import { startTestService } from '../support/harness.ts';
import { approve, by, makeWallet, read, type Shown, shownAs } from './voting.ts';

const voters = Array.from({ length: 12 }, (_, i) => `Voter ${i}`);

test('a snapshot repeats neither the voters nor the decisions of earlier votes', async (t) => {
  const snapshots: number[] = [];
  const service = await startTestService({
    wrapStore: (store) => ({
      ...store,
      commit: (change) => {
        const rows = change.records.filter(({ kind }) => kind === 'activity_snapshot');
        snapshots.push(...rows.map(({ body }) => body.length));
        return store.commit(change);
      },
    }),
  });
  t.after(() => service.close());
  const endpointId = await makeEndpoint(service, { url: undefined });
  const askerId = await makeUser(service, 'Asker');
  for (const name of voters) {
    // Each vote contains the whole record of its user.
    const keys = Array.from({ length: 9 }, (_, i) => describedKey(`${name}, key ${i}`));
    await makeUser(service, name, { apiKeys: [describedKey(name), ...keys] });
  }
  await makePolicy(service, 'Wallets', { consensus: 'approvers.count() >= 14' });
  const asked = shownAs('CONSENSUS_NEEDED', await makeWallet(service, 'Wallet', by('Asker')));
  const [last = '', ...others] = voters;
  for (const name of others) shownAs('CONSENSUS_NEEDED', await approve(service, asked, by(name)));
  // From now on the submitter needs a further factor.
  await makeMfaPolicy(service, askerId);
  shownAs('AUTHENTICATORS_NEEDED', await approve(service, asked, by(last)));

  const [, size = 0] = snapshots;
  assert.equal(snapshots.length, 2);
  assert.ok(size < 13 * 1_000, `${size} bytes`);
  const { deliveries } = await shownDeliveries(service, endpointId, { withBodies: true });
  const events = deliveries.map(({ body }: { body: string }) => JSON.parse(body));
  const event = events.find(({ status }: Shown) => status.endsWith('AUTHENTICATORS_NEEDED'));
  const { votes, intent, fingerprint } = await read(service, asked);
  assert.deepEqual([event.votes, event.intent, event.fingerprint], [votes, intent, fingerprint]);
});
