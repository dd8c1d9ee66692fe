// A repeated approval changes nothing, unless the activity can complete by now.

import assert from 'node:assert/strict';
import { afterEach, beforeEach, test } from 'node:test';
import { makeApiKeys } from '../operations/api_keys/api_key_requests.ts';
import { makePolicy } from '../operations/policies/policy_requests.ts';
import { describedKey } from '../operations/users/user_requests.ts';
import { testKey } from '../support/harness.ts';
import { approve, by, makeWallet, read, shownAs, startVoters, type Voters } from './voting.ts';

let voters: Voters;
beforeEach(async () => {
  voters = await startVoters();
});
afterEach(() => voters.service.close());

test('a repeated approval completes the activity after the policy requires less', async () => {
  const { service } = voters;
  const policyId = await makePolicy(service, 'Three', { consensus: 'approvers.count() >= 3' });
  const waiting = shownAs('CONSENSUS_NEEDED', await makeWallet(service, 'W', by('Trader')));
  const two = shownAs('CONSENSUS_NEEDED', await approve(service, waiting, by('Plain')));
  const again = shownAs('CONSENSUS_NEEDED', await approve(service, waiting, by('Plain')));
  assert.deepEqual(again.votes, two.votes);
  shownAs(
    'COMPLETED',
    await service.submit('update_policy', 'ACTIVITY_TYPE_UPDATE_POLICY_V2', {
      policyId,
      policyConsensus: 'approvers.count() >= 2',
    }),
  );
  const done = shownAs('COMPLETED', await approve(service, waiting, by('Plain')));
  assert.equal(done.votes.length, 2);
});

test('a repeated approval completes the activity with the missing credential', async () => {
  const { service, ids } = voters;
  await makeApiKeys(service, ids.plain, [describedKey('Hardware key')]);
  const { publicKey } = testKey('Hardware key');
  await makePolicy(service, 'Two, with that key', {
    consensus: `approvers.count() >= 2 && credentials.any(c, c.public_key == '${publicKey}')`,
  });
  const waiting = shownAs('CONSENSUS_NEEDED', await makeWallet(service, 'W', by('Trader')));
  const two = shownAs('CONSENSUS_NEEDED', await approve(service, waiting, by('Plain')));
  assert.equal(two.votes.length, 2);
  const done = shownAs('COMPLETED', await approve(service, waiting, by('Hardware key')));
  assert.equal(done.votes.length, 2);
  assert.deepEqual((await read(service, waiting)).votes.at(-1).publicKey, publicKey);
});
