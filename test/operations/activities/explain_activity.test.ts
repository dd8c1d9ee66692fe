import assert from 'node:assert/strict';
import { afterEach, beforeEach, test } from 'node:test';
import fc from 'fast-check';
import { noTurns } from '../../../src/enclave/turns/fair_turns.ts';
import { startTestService, testKey } from '../../support/harness.ts';
import {
  approve,
  by,
  dayMs,
  makeWallet,
  reject,
  rename,
  type Shown,
  shownAs,
  startVoters,
  type Voters,
} from '../../votes/voting.ts';
import { assertRefused, checkQuery } from '../checks.ts';
import { lift, makeFreeze } from '../freezes/freeze_requests.ts';
import { apiKey, makeMfaPolicy, passkey, stepsOf } from '../mfa_policies/mfa_requests.ts';
import { addChild } from '../other_callers.ts';
import { makePolicy } from '../policies/policy_requests.ts';
import { makeUser, timestampOf } from '../users/user_requests.ts';

let voters: Voters;
beforeEach(async () => {
  voters = await startVoters();
});
afterEach(() => voters.service.close());

async function explained(activityId: string, as: object = {}): Promise<Shown> {
  const { status, body } = await voters.service.query('explain_activity', { activityId }, as);
  assert.equal(status, 200, JSON.stringify(body));
  return body;
}

/** The newest activity that failed. */
async function failed(): Promise<Shown> {
  const filter = { filterByStatus: ['ACTIVITY_STATUS_FAILED'] };
  const { body } = await voters.service.query('list_activities', filter);
  return body.activities[0];
}

const clause = (name: string, value?: boolean) =>
  value === undefined ? { clause: name } : { clause: name, value };

test('an explanation shows the decision of each vote, and the results of all clauses', async () => {
  const { service, ids } = voters;
  const both = await voters.bothTags();
  const other = await makePolicy(service, 'Other', { condition: "activity.resource == 'NOTHING'" });
  const failing = await makePolicy(service, 'Failing', {
    condition: 'eth.tx.value == 1',
    time: "time.now < Timestamp('2020-01-01T00:00:00Z')",
  });
  const waiting = shownAs('CONSENSUS_NEEDED', await makeWallet(service, 'W', by('Trader')));
  const askedAt = service.now();
  const { votes, now, ...rest } = await explained(waiting.id);
  assert.deepEqual(rest, { activityId: waiting.id, status: waiting.status });
  const named = (policyId: string, policyName: string) => ({
    policyId,
    policyName,
    effect: 'EFFECT_ALLOW',
  });
  const policies = (value: boolean, outcome: string) => [
    {
      ...named(both, 'Both tags'),
      state: 'AS_DECIDED',
      outcome,
      clauses: [clause('condition', true), clause('consensus', value)],
    },
    {
      ...named(failing, 'Failing'),
      state: 'AS_DECIDED',
      outcome: 'OUTCOME_ERROR',
      clauses: [
        {
          clause: 'condition',
          failure: { code: 'namespace_absent', position: 0, message: 'there is no eth' },
        },
        clause('consensus'),
        clause('time', false),
      ],
    },
    {
      ...named(other, 'Other'),
      state: 'AS_DECIDED',
      outcome: 'OUTCOME_DENY_IMPLICIT',
      clauses: [clause('condition', false), clause('consensus')],
    },
  ];
  const first = {
    voteId: waiting.votes[0].id,
    userId: ids.trader,
    userName: 'Trader',
    selection: 'VOTE_SELECTION_APPROVED',
    createdAt: timestampOf(askedAt),
    decision: {
      outcome: 'WAIT',
      reason: 'AWAITS_POLICY_VOTES',
      message: 'A policy allows this action with further approvals',
      voterIds: [ids.trader],
      policies: policies(false, 'OUTCOME_REQUIRES_CONSENSUS'),
    },
  };
  const countsUntil = timestampOf(askedAt + dayMs);
  assert.deepEqual(votes, [{ ...first, counts: true, countsUntil }]);
  const { decision, voters: mayVote, ...more } = now;
  assert.deepEqual(more, {});
  const { state: _, ...bothNow } = policies(false, 'OUTCOME_REQUIRES_CONSENSUS')[0] as Shown;
  assert.deepEqual(decision.policies[0], bothNow);
  assert.equal(decision.reason, 'AWAITS_POLICY_VOTES');
  const rights = { canApprove: true, canReject: true };
  assert.deepEqual(mayVote, [
    { userId: service.root.userId, userName: 'Root user', ...rights, neededAfter: 0 },
    { userId: ids.trader, userName: 'Trader', canApprove: false, canReject: true },
    { userId: ids.officer, userName: 'Officer', ...rights, neededAfter: 0 },
  ]);

  shownAs('COMPLETED', await approve(service, waiting, by('Officer')));
  const done = await explained(waiting.id);
  assert.equal(done.status, 'ACTIVITY_STATUS_COMPLETED');
  assert.equal(done.now, undefined);
  assert.deepEqual(done.votes[0], first);
  assert.deepEqual(done.votes[1].decision, {
    outcome: 'ALLOW',
    reason: 'POLICY_ALLOWS',
    message: 'A policy allows this action',
    voterIds: [ids.trader, ids.officer],
    policies: policies(true, 'OUTCOME_ALLOW'),
  });
});

test('the explanation names later changes of a policy, and shows the clauses of its time', async () => {
  const { service } = voters;
  const consensus = 'approvers.count() >= 1';
  const kept = await makePolicy(service, 'Kept', { consensus });
  const edited = await makePolicy(service, 'Edited', { consensus });
  const gone = await makePolicy(service, 'Gone', { consensus });
  const done = shownAs('COMPLETED', await makeWallet(service, 'W', by('Plain')));
  const before = await explained(done.id);
  const changes = { policyName: 'Renamed', policyCondition: 'false' };
  const update = { policyId: edited, ...changes };
  const type = 'ACTIVITY_TYPE_UPDATE_POLICY_V2';
  shownAs('COMPLETED', await service.submit('update_policy', type, update));
  const remove = { policyId: gone };
  const removal = 'ACTIVITY_TYPE_DELETE_POLICY';
  shownAs('COMPLETED', await service.submit('delete_policy', removal, remove));
  const { decision } = (await explained(done.id)).votes[0];
  const [first, second, third] = before.votes[0].decision.policies;
  assert.deepEqual(decision.policies, [
    first,
    { ...second, policyName: 'Renamed', state: 'EDITED_SINCE' },
    {
      policyId: gone,
      state: 'DELETED_SINCE',
      outcome: 'OUTCOME_ALLOW',
      clauses: third.clauses,
    },
  ]);
  assert.equal(first.policyId, kept);
});

test('a refusal is explained like its error', async () => {
  const { service, ids } = voters;
  await makePolicy(service, 'Allow', { consensus: 'approvers.count() >= 1' });
  const deny = await makePolicy(service, 'Deny', {
    effect: 'EFFECT_DENY',
    consensus: `approvers.any(user, user.id == '${ids.plain}')`,
  });
  const refused = await makeWallet(service, 'W', by('Plain'));
  assertRefused(refused, 403, 7);
  const explanation = refused.body.details[1];
  const activity = await failed();
  const { votes, failure } = await explained(activity.id);
  assert.deepEqual(failure, activity.failure);
  const { decision } = votes[0];
  const { outcome, reason, message } = explanation;
  assert.deepEqual([outcome, reason], ['REFUSE', 'POLICY_DENIES']);
  assert.deepEqual(
    [decision.outcome, decision.reason, decision.message],
    [outcome, reason, message],
  );
  assert.match(message, new RegExp(`: ${deny}$`));
  assert.deepEqual(withoutState(decision.policies), explanation.policies);
});

test('explanations show a rejection, a repeated vote and an expired vote', async () => {
  const { service, ids } = voters;
  await voters.bothTags();
  const waiting = shownAs('CONSENSUS_NEEDED', await makeWallet(service, 'W', by('Trader')));
  service.advance(dayMs);
  const over = await explained(waiting.id);
  assert.equal(over.votes[0].counts, false);
  assert.deepEqual(
    over.now.voters.find(({ userId }: Shown) => userId === ids.trader),
    { userId: ids.trader, userName: 'Trader', canApprove: true, canReject: true },
  );
  shownAs('CONSENSUS_NEEDED', await approve(service, waiting, by('Trader')));
  const [replaced, again] = (await explained(waiting.id)).votes;
  assert.equal(replaced.replaced, true);
  assert.equal(replaced.countsUntil, undefined);
  assert.equal(replaced.decision.reason, 'AWAITS_POLICY_VOTES');
  assert.deepEqual([again.replaced, again.counts], [undefined, true]);
  shownAs('REJECTED', await reject(service, waiting, by('Officer')));
  const { votes, now } = await explained(waiting.id);
  assert.equal(now, undefined);
  assert.deepEqual(
    votes.map(({ decision }: Shown) => decision.outcome),
    ['WAIT', 'WAIT', 'REJECT'],
  );
  const { reason, message, voterIds, policies } = votes[2].decision;
  assert.deepEqual([reason, voterIds], ['REJECTED', [ids.trader]]);
  assert.equal(message, 'A user who may vote rejected the activity');
  assert.equal(policies[0].outcome, 'OUTCOME_REJECTED');
});

test('a decision of the root quorum shows its reason and no policy', async () => {
  const { service, ids } = voters;
  await makePolicy(service, 'Officers');
  await voters.formQuorum();
  const waiting = shownAs('CONSENSUS_NEEDED', await rename(service, 'Renamed'));
  const { now } = await explained(waiting.id);
  assert.deepEqual(
    now.voters.filter(({ canApprove }: Shown) => canApprove).map(({ userId }: Shown) => userId),
    [ids.second, ids.third],
  );
  shownAs('COMPLETED', await approve(service, waiting, by('Second')));
  const { votes } = await explained(waiting.id);
  assert.deepEqual(
    votes.map(({ decision }: Shown) => [decision.reason, decision.policies]),
    [
      ['AWAITS_ROOT_QUORUM', []],
      ['ROOT_QUORUM_MET', []],
    ],
  );
});

/** Returns the counted approvals, and by user name the approvals needed after an approval of that user. */
const countsOf = ({ now }: Shown) => [
  now.approvals,
  Object.fromEntries(
    now.voters
      .filter(({ canApprove }: Shown) => canApprove)
      .map(({ userName, neededAfter }: Shown) => [userName, neededAfter]),
  ),
];

test('approvals are counted under the waiting policy, and the activity completes at the reported count', async () => {
  const { service, ids } = voters;
  await makePolicy(service, 'Three', { consensus: 'approvers.count() >= 3' });
  await makeMfaPolicy(service, ids.plain, {
    requiredAuthenticationMethods: stepsOf([apiKey], [passkey]),
  });
  const waiting = shownAs('CONSENSUS_NEEDED', await makeWallet(service, 'W', by('Trader')));
  const others = { Second: 1, Third: 1, Officer: 1 };
  assert.deepEqual(countsOf(await explained(waiting.id)), [
    { given: 1, needed: 3 },
    // The root quorum is one user. The user with two MFA factors may vote twice.
    { 'Root user': 0, ...others, Plain: undefined },
  ]);
  shownAs('CONSENSUS_NEEDED', await approve(service, waiting, by('Second')));
  assert.deepEqual(countsOf(await explained(waiting.id)), [
    { given: 2, needed: 3 },
    { 'Root user': 0, Third: 0, Officer: 0, Plain: undefined },
  ]);
  service.advance(dayMs);
  assert.deepEqual((await explained(waiting.id)).now.approvals, { given: 0, needed: 3 });
  shownAs('CONSENSUS_NEEDED', await approve(service, waiting, by('Trader')));
  shownAs('CONSENSUS_NEEDED', await approve(service, waiting, by('Second')));
  shownAs('COMPLETED', await approve(service, waiting, by('Officer')));
});

test('approvals are counted under the root quorum', async () => {
  const { service } = voters;
  await voters.formQuorum(3);
  const renamed = shownAs('CONSENSUS_NEEDED', await rename(service, 'Renamed'));
  assert.deepEqual(countsOf(await explained(renamed.id)), [
    { given: 1, needed: 3 },
    { Second: 1, Third: 1 },
  ]);
  shownAs('CONSENSUS_NEEDED', await approve(service, renamed, by('Second')));
  assert.deepEqual(countsOf(await explained(renamed.id)), [{ given: 2, needed: 3 }, { Third: 0 }]);
});

test('the single approvals that complete an activity are reported if the rule is not a plain count', async () => {
  const { service } = voters;
  await voters.bothTags();
  const waiting = shownAs('CONSENSUS_NEEDED', await makeWallet(service, 'W', by('Trader')));
  const shown = await explained(waiting.id);
  assert.deepEqual(countsOf(shown), [undefined, { 'Root user': 0, Officer: 0 }]);
  assert.equal(shown.now.severalNeeded, undefined);
  shownAs('COMPLETED', await approve(service, waiting, by('Officer')));
});

test('an activity reports that several approvals are needed until one of them suffices', async () => {
  const { service } = voters;
  const consensus =
    "approvers.count() >= 3 && approvers.any(user, user.tags.contains('OFFICERS'))".replace(
      'OFFICERS',
      voters.officers,
    );
  await makePolicy(service, 'Three with an officer', { consensus });
  await voters.formQuorum(3);
  const waiting = shownAs('CONSENSUS_NEEDED', await makeWallet(service, 'W', by('Trader')));
  const before = await explained(waiting.id);
  assert.equal(before.now.severalNeeded, true);
  assert.deepEqual(
    Object.values(countsOf(before)[1]).filter((count) => count !== undefined),
    [],
  );
  shownAs('CONSENSUS_NEEDED', await approve(service, waiting, by('Plain')));
  const after = await explained(waiting.id);
  assert.equal(after.now.severalNeeded, undefined);
  const [count, needed] = countsOf(after);
  assert.equal(count, undefined);
  assert.equal(needed.Officer, 0);
  assert.equal(needed.Third, undefined);
  shownAs('CONSENSUS_NEEDED', await approve(service, waiting, by('Third')));
  shownAs('COMPLETED', await approve(service, waiting, by('Officer')));
});

test('several approvals are not called for while a freeze stops all that would complete an activity', async () => {
  const { service, ids } = voters;
  await voters.bothTags();
  const waiting = shownAs('CONSENSUS_NEEDED', await makeWallet(service, 'W', by('Trader')));
  for (const id of [ids.officer, ids.second, ids.third]) await makeFreeze(service, 'USER', id);
  await voters.formQuorum(3);
  const stopped = await explained(waiting.id);
  assert.deepEqual(countsOf(stopped), [undefined, { 'Root user': undefined }]);
  assert.equal(stopped.now.severalNeeded, undefined);
});

test('no number of approvals is reported while a freeze keeps all users from approving', async () => {
  const { service } = voters;
  await makePolicy(service, 'Two', { consensus: 'approvers.count() >= 2' });
  const { body } = await makeWallet(service, 'W');
  const { walletId } = body.activity.result.createWalletResult;
  const parameters = { walletIds: [walletId], deleteWithoutExport: true };
  const type = 'ACTIVITY_TYPE_DELETE_WALLETS';
  const deletion = await service.submit('delete_wallets', type, parameters, by('Trader'));
  const waiting = shownAs('CONSENSUS_NEEDED', deletion);
  const freezeId = await makeFreeze(service);
  const frozen = await explained(waiting.id);
  assert.deepEqual(countsOf(frozen), [undefined, {}]);
  assert.equal(frozen.now.severalNeeded, undefined);
  await lift(service, freezeId);
  assert.deepEqual((await explained(waiting.id)).now.approvals, { given: 1, needed: 2 });
});

test('a rule that reads credentials reports no single approvals', async () => {
  const { service } = voters;
  const consensus =
    "approvers.count() >= 2 && credentials.any(key, key.type == 'CREDENTIAL_TYPE_API_KEY_P256')";
  await makePolicy(service, 'Keys', { consensus });
  const waiting = shownAs('CONSENSUS_NEEDED', await makeWallet(service, 'W', by('Trader')));
  const shown = await explained(waiting.id);
  assert.equal(shown.now.severalNeeded, undefined);
  const [count, needed] = countsOf(shown);
  assert.deepEqual(
    [count, ...Object.values(needed)].filter((each) => each !== undefined),
    [],
  );
});

test('missing factors of users come before all other reasons', async () => {
  const { service, ids } = voters;
  await makePolicy(service, 'Traders', { consensus: 'approvers.count() >= 1' });
  await makeMfaPolicy(service, ids.trader, {
    condition: "activity.resource == 'WALLET'",
    requiredAuthenticationMethods: stepsOf([apiKey], [passkey]),
  });
  const waiting = shownAs('AUTHENTICATORS_NEEDED', await makeWallet(service, 'W', by('Trader')));
  const { votes, now } = await explained(waiting.id);
  assert.equal(votes[0].counts, false);
  assert.deepEqual(
    [votes[0].decision.outcome, votes[0].decision.reason],
    ['WAIT', 'AWAITS_AUTHENTICATORS'],
  );
  assert.equal(votes[0].decision.policies[0].outcome, 'OUTCOME_REQUIRES_AUTHENTICATORS');
  assert.equal(now.decision.reason, 'AWAITS_AUTHENTICATORS');
  assert.equal(now.decision.authenticators[0].userId, ids.trader);
});

test('an activity of a deleted submitter can only be rejected', async () => {
  const { service, ids } = voters;
  await voters.bothTags();
  const waiting = shownAs('CONSENSUS_NEEDED', await makeWallet(service, 'W', by('Trader')));
  const type = 'ACTIVITY_TYPE_DELETE_USERS';
  shownAs('COMPLETED', await service.submit('delete_users', type, { userIds: [ids.trader] }));
  const { now, votes } = await explained(waiting.id);
  assert.equal(votes[0].counts, false);
  assert.match(now.failure.message, /user/);
  assert.deepEqual(now.voters, []);
  assert.equal(now.decision, undefined);
});

test('every reader gets an explanation, and malformed bodies are refused', async () => {
  const { service } = voters;
  await voters.bothTags();
  const waiting = shownAs('CONSENSUS_NEEDED', await makeWallet(service, 'W', by('Trader')));
  await checkQuery(service, {
    operation: 'explain_activity',
    body: { activityId: waiting.id },
    malformed: [{ field: 'activityId', parameters: { activityId: 'activity' } }],
  });
  const unknown = '01900000-0000-7000-8000-000000000000';
  assertRefused(await service.query('explain_activity', { activityId: unknown }), 404, 5);
  const child = await addChild(service);
  const ofParent = { activityId: waiting.id };
  assertRefused(await service.query('explain_activity', ofParent, child), 404, 5);
  const ofChild = shownAs('COMPLETED', await rename(service, 'Child again', child));
  const { organizationId } = child;
  const { votes } = await explained(ofChild.id, { organizationId });
  assert.equal(votes[0].decision.reason, 'ROOT_QUORUM_MET');
});

test('the explanation of the last vote matches the decision, for random policies', async () => {
  const { service, ids } = voters;
  const users = ['Trader', 'Officer', 'Plain'] as const;
  const idOf = { Trader: ids.trader, Officer: ids.officer, Plain: ids.plain };
  const consensus = fc.oneof(
    fc.constantFrom('true', 'approvers.count() >= 2', "credentials.any(c, c.type == 'NONE')"),
    fc.constantFrom(...users).map((name) => `approvers.any(u, u.id == '${idOf[name]}')`),
  );
  const policy = fc.record({
    effect: fc.constantFrom('EFFECT_ALLOW', 'EFFECT_ALLOW', 'EFFECT_DENY'),
    condition: fc.constantFrom('true', 'false', 'eth.tx.value == 1', "wallet.label == 'W'"),
    consensus,
  });
  let serial = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.array(policy, { minLength: 1, maxLength: 4 }),
      fc.subarray([...users], { minLength: 1 }),
      async (policies, voting) => {
        const made: string[] = [];
        for (const changes of policies) {
          serial += 1;
          made.push(await makePolicy(service, `Policy ${serial}`, changes));
        }
        const [first = 'Plain', ...others] = voting;
        let answer = await makeWallet(service, `Wallet ${serial}`, by(first));
        const { activity } = answer.status === 200 ? answer.body : { activity: await failed() };
        let told = answer.status === 200 ? answer.body.decision : answer.body.details[1];
        for (const other of others) {
          answer = await approve(service, activity, by(other));
          if (answer.status !== 200) break;
          const { decision: said, activity: voted } = answer.body;
          told = said ?? voted.failure?.details[1] ?? told;
        }
        const { votes, now, status } = await explained(activity.id);
        const { decision } = votes.at(-1);
        if (status === 'ACTIVITY_STATUS_COMPLETED') assert.equal(decision.outcome, 'ALLOW');
        else if (status === 'ACTIVITY_STATUS_CONSENSUS_NEEDED') {
          assert.equal(decision.outcome, 'WAIT');
          assert.deepEqual(withoutState(now.decision.policies), told.policies);
        } else assert.equal(decision.outcome, 'REFUSE');
        if (decision.outcome !== 'ALLOW') {
          assert.deepEqual([decision.reason, decision.message], [told.reason, told.message]);
          assert.deepEqual(withoutState(decision.policies), told.policies);
        }
        const type = 'ACTIVITY_TYPE_DELETE_POLICIES';
        shownAs('COMPLETED', await service.submit('delete_policies', type, { policyIds: made }));
      },
    ),
    { numRuns: 40 },
  );
});

const withoutState = (policies: readonly Shown[]) =>
  policies.map(({ state: _, ...policy }: Shown) => policy);

test('a long rule is compiled in parts before it is counted', async (t) => {
  let pauses = 0;
  const service = await startTestService({
    turns: {
      ...noTurns,
      pause: async () => {
        pauses += 1;
      },
    },
  });
  t.after(() => service.close());
  await makeUser(service, 'asker');
  const ids = Array.from({ length: 3_000 }, (_, i) => `'${i}'`).join(', ');
  await makePolicy(service, 'Long', {
    consensus: `approvers.filter(user, !(user.id in [${ids}])).count() >= 2`,
  });
  const asker = { key: testKey('asker') };
  const waiting = shownAs('CONSENSUS_NEEDED', await makeWallet(service, 'W', asker));
  const explain = async () => {
    pauses = 0;
    const { body } = await service.query('explain_activity', { activityId: waiting.id });
    return { approvals: body.now.approvals, pauses };
  };
  const first = await explain();
  assert.deepEqual(first.approvals, { given: 1, needed: 2 });
  // The clause is already compiled.
  const second = await explain();
  assert(first.pauses > second.pauses + 3, `${first.pauses} and ${second.pauses} pauses`);
});
