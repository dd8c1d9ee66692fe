import assert from 'node:assert/strict';
import { afterEach, beforeEach, test } from 'node:test';
import {
  approve,
  approvedByTag,
  by,
  makeWallet,
  reject,
  rename,
  type Shown,
  shownAs,
  startVoters,
  type Voters,
} from '../../votes/voting.ts';
import { assertRefused, checkQuery } from '../checks.ts';
import { addChild } from '../other_callers.ts';
import { makePolicy } from '../policies/policy_requests.ts';
import { timestampOf } from '../users/user_requests.ts';

let voters: Voters;
beforeEach(async () => {
  voters = await startVoters();
});
afterEach(() => voters.service.close());

async function evaluationsOf({ id }: Shown): Promise<Shown[]> {
  const { status, body } = await voters.service.query('get_policy_evaluations', { activityId: id });
  assert.equal(status, 200, JSON.stringify(body));
  return body.policyEvaluations;
}

const outcomesOf = async (activity: Shown) =>
  (await evaluationsOf(activity)).map((evaluation: Shown) =>
    evaluation.policyEvaluations.map(({ outcome }: { outcome: string }) => outcome),
  );

test('each vote has an entry with the outcomes of all policies, in their order', async () => {
  const { service } = voters;
  const both = await voters.bothTags();
  const other = await makePolicy(service, 'Signing', {
    condition: "activity.resource == 'NOTHING'",
  });
  const failing = await makePolicy(service, 'Failing', { condition: 'eth.tx.value == 1' });
  const sleeping = await makePolicy(service, 'Sleeping', {
    consensus: 'true',
    time: "time.now < Timestamp('2020-01-01T00:00:00Z')",
  });
  const waiting = shownAs('CONSENSUS_NEEDED', await makeWallet(service, 'W', by('Trader')));
  const askedAt = service.now();
  const done = shownAs('COMPLETED', await approve(service, waiting, by('Officer')));

  const [first, second, third] = await evaluationsOf(done);
  assert.equal(third, undefined);
  assert.match(first.id, /^[0-9a-f-]{36}$/);
  assert.notEqual(first.id, second.id);
  const { policyEvaluations, id, ...rest } = first;
  assert.deepEqual(rest, {
    activityId: done.id,
    organizationId: service.root.organizationId,
    voteId: done.votes[0].id,
    createdAt: timestampOf(askedAt),
  });
  assert.deepEqual(policyEvaluations, [
    { policyId: both, outcome: 'OUTCOME_REQUIRES_CONSENSUS' },
    { policyId: other, outcome: 'OUTCOME_DENY_IMPLICIT' },
    { policyId: failing, outcome: 'OUTCOME_ERROR' },
    { policyId: sleeping, outcome: 'OUTCOME_TIME_INACTIVE' },
  ]);
  assert.equal(second.voteId, done.votes[1].id);
  assert.deepEqual(second.policyEvaluations, [
    { policyId: both, outcome: 'OUTCOME_ALLOW' },
    ...policyEvaluations.slice(1),
  ]);
});

test('an entry names the policies at the time of its vote', async () => {
  const { service, ids } = voters;
  const both = await voters.bothTags();
  const waiting = shownAs('CONSENSUS_NEEDED', await makeWallet(service, 'W', by('Trader')));
  const later = await makePolicy(service, 'Later', {
    consensus: `approvers.any(user, user.id == '${ids.plain}') && approvers.count() >= 3`,
  });
  shownAs('CONSENSUS_NEEDED', await approve(service, waiting, by('Plain')));
  const type = 'ACTIVITY_TYPE_DELETE_POLICY';
  shownAs('COMPLETED', await service.submit('delete_policy', type, { policyId: later }));
  shownAs('COMPLETED', await approve(service, waiting, by('Officer')));
  const entries = await evaluationsOf(waiting);
  assert.deepEqual(
    entries.map(({ policyEvaluations }) => policyEvaluations),
    [
      [{ policyId: both, outcome: 'OUTCOME_REQUIRES_CONSENSUS' }],
      [
        { policyId: both, outcome: 'OUTCOME_REQUIRES_CONSENSUS' },
        { policyId: later, outcome: 'OUTCOME_REQUIRES_CONSENSUS' },
      ],
      [{ policyId: both, outcome: 'OUTCOME_ALLOW' }],
    ],
  );
});

test('a refusal is listed as failed, with the outcome of each policy', async () => {
  const { service } = voters;
  const allow = await makePolicy(service, 'Allow', { consensus: 'approvers.count() >= 1' });
  const deny = await makePolicy(service, 'Deny', {
    effect: 'EFFECT_DENY',
    consensus: "approvers.any(user, user.alias == 'Plain')",
  });
  const refused = await makeWallet(service, 'W', by('Plain'));
  assertRefused(refused, 403, 7);
  const type = 'ACTIVITY_TYPE_CREATE_WALLET';
  const filter = { filterByStatus: ['ACTIVITY_STATUS_FAILED'], filterByType: [type] };
  const { body } = await service.query('list_activities', filter);
  const [activity, another] = body.activities;
  assert.equal(another, undefined);
  assert.equal(activity.status, 'ACTIVITY_STATUS_FAILED');
  assert.equal(activity.failure.code, 7);
  assert.deepEqual(activity.failure.details, refused.body.details.slice(0, 2));
  const [entry] = await evaluationsOf(activity);
  assert.equal(entry.voteId, activity.votes[0].id);
  assert.deepEqual(entry.policyEvaluations, [
    { policyId: allow, outcome: 'OUTCOME_ALLOW' },
    { policyId: deny, outcome: 'OUTCOME_DENY_EXPLICIT' },
  ]);
});

test('a rejection names the waiting policies', async () => {
  const { service } = voters;
  await voters.bothTags();
  await makePolicy(service, 'Elsewhere', { condition: "activity.resource == 'NOTHING'" });
  const waiting = shownAs('CONSENSUS_NEEDED', await makeWallet(service, 'W', by('Trader')));
  shownAs('REJECTED', await reject(service, waiting, by('Officer')));
  assert.deepEqual(await outcomesOf(waiting), [
    ['OUTCOME_REQUIRES_CONSENSUS', 'OUTCOME_DENY_IMPLICIT'],
    ['OUTCOME_REJECTED', 'OUTCOME_DENY_IMPLICIT'],
  ]);
});

test('a decision of the root quorum evaluates no policy', async () => {
  const { service, officers } = voters;
  await makePolicy(service, 'Officers', { consensus: approvedByTag(officers) });
  await voters.formQuorum();
  const renamed = shownAs('CONSENSUS_NEEDED', await rename(service, 'Renamed'));
  shownAs('COMPLETED', await approve(service, renamed, by('Second')));
  assert.deepEqual(await evaluationsOf(renamed), []);
  const wallet = shownAs('CONSENSUS_NEEDED', await makeWallet(service, 'W'));
  shownAs('COMPLETED', await approve(service, wallet, by('Second')));
  assert.deepEqual(await outcomesOf(wallet), [['OUTCOME_REQUIRES_CONSENSUS']]);
});

test('every reader gets the evaluations, and malformed bodies are refused', async () => {
  const { service } = voters;
  await voters.bothTags();
  const waiting = shownAs('CONSENSUS_NEEDED', await makeWallet(service, 'W', by('Trader')));
  const { policyEvaluations } = await checkQuery(service, {
    operation: 'get_policy_evaluations',
    body: { activityId: waiting.id },
    malformed: [{ field: 'activityId', parameters: { activityId: 'activity' } }],
  });
  assert.equal(policyEvaluations.length, 1);
  const unknown = '01900000-0000-7000-8000-000000000000';
  assertRefused(await service.query('get_policy_evaluations', { activityId: unknown }), 404, 5);
  const child = await addChild(service);
  const ofParent = { activityId: waiting.id };
  assertRefused(await service.query('get_policy_evaluations', ofParent, child), 404, 5);
  const ofChild = shownAs('COMPLETED', await rename(service, 'Child again', child));
  const { organizationId } = child;
  const byParent = { activityId: ofChild.id };
  const answer = await service.query('get_policy_evaluations', byParent, { organizationId });
  assert.deepEqual([answer.status, answer.body], [200, { policyEvaluations: [] }]);
});
