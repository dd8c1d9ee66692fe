// A dry run of a request that would wait names the users who could approve or reject it, like
// `explain_activity` once the request waits.

import assert from 'node:assert/strict';
import { afterEach, beforeEach, test } from 'node:test';
import { done, enable } from '../operations/auth_proxy/proxy_requests.ts';
import { storedCount } from '../operations/checks.ts';
import { makeMfaPolicy } from '../operations/mfa_policies/mfa_requests.ts';
import { addChild } from '../operations/other_callers.ts';
import { makePolicy } from '../operations/policies/policy_requests.ts';
import { describedUser, makeUsers } from '../operations/users/user_requests.ts';
import { stampOf, type TestAnswer } from '../support/harness.ts';
import {
  approve,
  approveType,
  by,
  makeWallet,
  rename,
  renameType,
  type Shown,
  shownAs,
  startVoters,
  type Voters,
} from '../votes/voting.ts';

let voters: Voters;
beforeEach(async () => {
  voters = await startVoters();
});
afterEach(() => voters.service.close());

const wallet = { walletName: 'Tried', accounts: [] };
const walletType = 'ACTIVITY_TYPE_CREATE_WALLET';

/** Sends a dry run of an activity, and asserts that nothing is stored. */
async function tried(operation: string, type: string, parameters: object, as = {}): Promise<Shown> {
  const before = await storedCount(voters.service);
  const options = { ...as, dryRun: true };
  const answer = await voters.service.submit(operation, type, parameters, options);
  assert.deepEqual(await storedCount(voters.service), before);
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
  return answer.body.dryRun;
}

const triedWallet = (as = {}) => tried('create_wallet', walletType, wallet, as);

/** Returns the state of a waiting activity, as `explain_activity` shows it to a user. */
async function now(activity: Shown, as = {}): Promise<Shown> {
  const { service } = voters;
  const { body } = await service.query('explain_activity', { activityId: activity.id }, as);
  return body.now;
}

/** Returns a user whose approval completes the activity, or one who may only reject it. */
const mayVote = (userId: string, userName: string, canApprove: boolean) => ({
  userId,
  userName,
  canApprove,
  canReject: true,
  ...(canApprove ? { neededAfter: 0 } : {}),
});

test('a dry run names the users who could approve or reject, like the later explanation', async () => {
  const { service, ids } = voters;
  const policyId = await voters.bothTags();
  const preview = await triedWallet(by('Trader'));
  assert.equal(preview.status, 'ACTIVITY_STATUS_CONSENSUS_NEEDED');
  assert.deepEqual(preview.voters, [
    mayVote(ids.root, 'Root user', true),
    mayVote(ids.trader, 'Trader', false),
    mayVote(ids.officer, 'Officer', true),
  ]);
  const [policy] = preview.policies;
  assert.deepEqual([policy.policyId, policy.outcome], [policyId, 'OUTCOME_REQUIRES_CONSENSUS']);
  const waiting = shownAs('CONSENSUS_NEEDED', await makeWallet(service, 'W', by('Trader')));
  const { decision, ...explained } = await now(waiting);
  const { status: _, ...told } = preview;
  assert.deepEqual(told, { ...decision, ...explained });
});

test('a dry run of a vote names the users who could vote after it', async () => {
  const { service } = voters;
  await voters.formQuorum(3);
  const waiting = shownAs('CONSENSUS_NEEDED', await rename(service, 'Renamed'));
  const { fingerprint } = waiting;
  const vote = await tried('approve_activity', approveType, { fingerprint }, by('Second'));
  shownAs('CONSENSUS_NEEDED', await approve(service, waiting, by('Second')));
  const { voters: later } = await now(waiting);
  assert.deepEqual(vote.voters, later);
  const third = later.find(({ userName }: Shown) => userName === 'Third');
  const second = later.find(({ userName }: Shown) => userName === 'Second');
  assert.deepEqual([second.canApprove, third.canApprove], [false, true]);
});

test('a dry run of the same bytes, requested only by the header, names the voters of the activity', async () => {
  const { service } = voters;
  await voters.formQuorum();
  service.advance(1);
  const { organizationId, key } = service.root;
  const body = Buffer.from(
    JSON.stringify({
      type: renameType,
      timestampMs: String(service.now()),
      organizationId,
      parameters: { organizationName: 'Renamed' },
    }),
  );
  const headers = [stampOf(body, key)];
  const waiting = shownAs(
    'CONSENSUS_NEEDED',
    await service.send('submit', 'update_organization_name', body, headers),
  );
  const answer = await service.enclave.request({
    requestId: 'dry run',
    kind: 'dry_run',
    operation: 'update_organization_name',
    headers,
    timestampObjects: false,
    remoteAddress: '127.0.0.1',
    body,
  });
  const { dryRun } = JSON.parse(Buffer.from(answer.body).toString());
  assert.deepEqual(dryRun.voters, (await now(waiting)).voters);
});

test('a submitter with missing factors is named as the one who can approve', async () => {
  const { service, ids } = voters;
  await voters.bothTags();
  await makeMfaPolicy(service, ids.trader);
  const preview = await triedWallet(by('Trader'));
  assert.equal(preview.status, 'ACTIVITY_STATUS_AUTHENTICATORS_NEEDED');
  const waiting = shownAs('AUTHENTICATORS_NEEDED', await makeWallet(service, 'W', by('Trader')));
  assert.deepEqual(preview.voters, (await now(waiting)).voters);
});

test('if no request would wait, a dry run names no voter', async () => {
  await voters.bothTags();
  for (const as of [{}, by('Plain')]) {
    const preview = await triedWallet(as);
    assert.notEqual(preview.outcome, 'WAIT');
    assert.equal(preview.voters, undefined);
    assert.equal(preview.truncated, undefined);
  }
});

test('a stranger or a user of a child learns of no voter', async () => {
  const { service } = voters;
  await voters.bothTags();
  const { key } = await addChild(service);
  for (const as of [by('Stranger'), { key }]) {
    const options = { ...as, dryRun: true };
    const answer: TestAnswer = await service.submit('create_wallet', walletType, wallet, options);
    assert.equal(answer.status, 401);
    assert.doesNotMatch(JSON.stringify(answer.body), /Officer|Trader|voters/);
  }
});

test('with expensive policies a dry run names some voters, and reports that the list is incomplete', async () => {
  const { service } = voters;
  await makeUsers(
    service,
    Array.from({ length: 20 }, (_, i) => describedUser(`User ${i}`)),
  );
  const many = `[${Array.from({ length: 900 }, (_, i) => i).join(', ')}]`;
  const consensus = `${many}.all(a, ${many}.all(b, a != b || a >= 0))`;
  await makePolicy(service, 'Costly', { consensus });
  await voters.formQuorum();
  const preview = await triedWallet();
  assert.equal(preview.reason, 'AWAITS_ROOT_QUORUM');
  assert.equal(preview.truncated, true);
  const names = preview.voters.map(({ userName }: Shown) => userName);
  assert.deepEqual(names, ['Root user', 'Second', 'Third']);
  const waiting = shownAs('CONSENSUS_NEEDED', await makeWallet(service, 'W'));
  const { voters: later, truncated } = await now(waiting);
  assert.deepEqual([later, truncated], [preview.voters, true]);
});

test('the onboarding proxy is not among the voters', async () => {
  const { service } = voters;
  await done(service, enable);
  await makePolicy(service, 'Any two', { consensus: 'approvers.count() >= 2' });
  const waiting = shownAs('CONSENSUS_NEEDED', await makeWallet(service, 'W', by('Trader')));
  const named = (await now(waiting)).voters.map(({ userName }: { userName: string }) => userName);
  assert(named.includes('Officer'));
  assert(!named.includes('Onboarding proxy'));
});
