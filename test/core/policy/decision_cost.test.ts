// The cost of a decision is bounded for any policies, since all other requests wait for it.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { queryObjects } from 'node:v8';
import type { Policy } from '../../../src/core/organization/model.ts';
import { decidingPolicy } from '../../../src/core/policy/decision/deciding_policies.ts';
import type {
  DecidingClause,
  DecidingPolicy,
} from '../../../src/core/policy/decision/deciding_policy.ts';
import {
  type Decision,
  type DecisionInput,
  decideActivity,
  decisionInputOf,
  isAllowed,
  mayVote,
} from '../../../src/core/policy/decision/decision.ts';
import { requireScope } from '../../../src/core/policy/decision/session_scope.ts';
import { outcomeLetters } from '../../../src/core/policy/decision/verdict_codes.ts';
import type { Voter } from '../../../src/core/policy/decision/voters.ts';
import {
  maximumDecisionSteps,
  maximumSteps,
  stepsOfPiece,
} from '../../../src/core/policy/language/bounds.ts';
import { compileClause, newMeter } from '../../../src/core/policy/language/clause.ts';
import { explain } from '../../../src/core/views/explanation.ts';

/** With the 100 ids in the request it exceeds the steps of one evaluation. */
const costly = everyTwo('activity.params.user_ids');
const params = { user_ids: Array.from({ length: 100 }, (_, i) => `user ${i}`) };
const scope = { activity: { type: '', kind: '', resource: '', action: '', params } };

/** Returns a true clause that searches all elements for each pair of elements. */
function everyTwo(list: string): string {
  return `${list}.all(x, ${list}.all(y, ${list}.contains(x) && ${list}.contains(y)))`;
}

const users = Array.from({ length: 100 }, (_, i): Voter => {
  const userId = `user ${i}`;
  return { userId, user: { id: userId, tags: [], email: '', alias: '' }, credentials: [] };
});

test('an evaluation takes steps from its meter, and fails once the meter is empty', () => {
  const clause = compileClause('condition', "activity.type == '' && activity.kind == ''");
  const meter = newMeter();
  assert.deepEqual(clause.evaluate(scope, meter), { value: true });
  // One step for each node.
  assert.equal(maximumDecisionSteps - meter.steps, 9);
  assert.deepEqual(clause.evaluate(scope, { steps: 1 }), { value: true });
  const outcome = clause.evaluate(scope, { steps: 0 });
  assert('failure' in outcome && outcome.failure.code === 'step_limit');
  const lambda = compileClause('condition', 'activity.params.user_ids.all(x, x == x)');
  const cut = lambda.evaluate(scope, { steps: 50 });
  assert('failure' in cut && cut.failure.code === 'step_limit');
});

test('values without a declared type are compared within the same steps', () => {
  const args = 'eth.tx.contract_call_args';
  const clause = compileClause('condition', `${args}['a'] == ${args}['b']`);
  const valuesOf = (a: string, b: string) => ({
    ...scope,
    eth: {
      tx: {
        contract_call_args: new Map([
          ['a', a],
          ['b', b],
        ]),
      },
    },
  });
  const costOf = (a: string, b: string) => {
    const meter = newMeter();
    assert.deepEqual(clause.evaluate(valuesOf(a, b), meter), { value: a === b });
    return maximumDecisionSteps - meter.steps;
  };
  const long = 'x'.repeat(100_000);
  const least = costOf('x', 'y');
  // Texts are only compared if their lengths are equal.
  assert.equal(costOf(long, `${long}x`), least);
  const cost = costOf(long, `${long.slice(1)}y`);
  assert(cost > least);
  const outcome = clause.evaluate(valuesOf(long, long), { steps: cost - least - 1 });
  assert('failure' in outcome && outcome.failure.code === 'step_limit');
});

test('a decision takes a million steps for conditions, and as many for votes', () => {
  const consensus = 'approvers.all(x, approvers.all(y, approvers.all(z, x.id != y.id)))';
  const { policies, taken } = metered([
    ...allows(50, { condition: costly }),
    ...allows(50, { consensus: `approvers.any(x, x.id != '') && ${consensus}` }),
  ]);
  decided({ policies });
  assert(taken() > 1_000_000 && taken() < 2_001_000, `${taken()}`);
});

test('the conditions of a decision share their steps, and fail without steps', () => {
  const { policies, taken } = metered([...allows(100, { condition: costly }), allow(100)]);
  const { reason, letters } = decided({ policies });
  assert.match(letters, /E/);
  assert(taken() <= maximumDecisionSteps + maximumSteps);
  // The last policy has no condition, so it took no step.
  assert.match(letters, /A$/);
  assert.equal(reason, 'policy_allows');
});

test('conditions are evaluated in pieces with the outcomes of the whole', () => {
  const pairs = 'activity.params.user_ids.all(x, activity.params.user_ids.contains(x))';
  const every = [
    ...allows(30, { condition: pairs }),
    ...allows(6, { condition: costly }),
    allow(36),
  ];
  for (const parts of [1, 2, 40]) {
    const { policies, taken } = metered(every);
    const scopes = () => Array.from({ length: parts }, () => scope);
    const pieces = inputWith({ policies, scopes }).evaluateInSteps();
    let before = 0;
    let count = 0;
    for (;;) {
      const { done, value } = pieces.next();
      assert(taken() - before <= stepsOfPiece + maximumSteps, `${taken() - before}`);
      before = taken();
      count += 1;
      if (done !== true) continue;
      const whole = inputWith({ policies: every, scopes }).partialVerdicts();
      const outcomesOf = (all: typeof whole) => all.map(({ condition }) => condition);
      assert.deepEqual(outcomesOf(value), outcomesOf(whole));
      break;
    }
    // The costly conditions use up the steps of the decision, each in a piece of its own.
    assert(count > maximumDecisionSteps / (stepsOfPiece + maximumSteps), `${count} pieces`);
  }
});

test('an expensive policy does not bypass a DENY, with either setting for failures', () => {
  for (const failedDeny of ['FAILED_DENY_REFUSES', 'FAILED_DENY_SKIPPED'] as const) {
    const cheap = policy(200, { effect: 'EFFECT_DENY', condition: "activity.type == ''" });
    const { policies } = metered([...allows(100, { condition: costly }), allow(100), cheap]);
    const { reason } = decided({ policies, failedDeny });
    assert.equal(reason, 'policy_denies', failedDeny);
  }
});

test('the parts of a request share the steps of its decision', () => {
  const { policies, taken } = metered([
    policy(0, { condition: costly }),
    policy(1, { effect: 'EFFECT_DENY', condition: `!(${costly})` }),
  ]);
  const scopes = () => Array.from({ length: 250 }, () => scope);
  const { reason } = decided({ policies, scopes, failedDeny: 'FAILED_DENY_SKIPPED' });
  assert.equal(reason, 'policy_denies');
  assert(taken() <= maximumDecisionSteps + maximumSteps);
  assert.throws(() => requireScope(costly, scopes, 'one'), { code: 'session_scope_denies' });
});

test('a search for further votes shares the steps of its decision', () => {
  const consensus = `approvers.any(x, x.id != '') && approvers.all(x, approvers.all(y, approvers.all(z, x.id != '')))`;
  const { policies, taken } = metered(
    allows(100, { consensus: `${consensus} && approvers.count() == 777` }),
  );
  const { reason, decision, input } = decided({ policies });
  assert.equal(reason, 'no_policy_allows');
  assert(taken() <= maximumDecisionSteps + 2 * maximumSteps);
  const before = taken();
  explain(decision);
  assert(taken() - before <= maximumDecisionSteps + maximumSteps);
  // Each question has its own steps.
  assert.equal(mayVote(input, voterAt(1)), true);
});

test('the users that a consensus mentions are found within the same steps', () => {
  const tags = Array.from({ length: 100 }, (_, i) => `tag ${i}`);
  const tagged = users.map((each) => ({ ...each, user: { ...each.user, tags } }));
  const consensus = `approvers.any(u, ${everyTwo('u.tags')} && u.id == 'nobody')`;
  const { policies, taken } = metered(allows(100, { consensus }));
  const [submitter, ...others] = tagged;
  assert(submitter !== undefined);
  const input = inputWith({ policies });
  const decision = decideActivity(input, [submitter], submitter.userId, () => others);
  assert.equal(decision.reason, 'no_policy_allows');
  assert(taken() <= maximumDecisionSteps + maximumSteps);
  assert.equal(mayVote(input, submitter), false);
  assert(taken() <= 2 * (maximumDecisionSteps + maximumSteps));
});

test('the check for sufficient votes equals the decision, and searches no further voters', () => {
  const consensus = "approvers.any(x, x.id == 'user 1')";
  for (const policies of [
    [allow(0)],
    allows(3, { consensus }),
    [policy(0, { effect: 'EFFECT_DENY' }), allow(1)],
    [],
  ]) {
    for (const voters of [[voterAt(0)], [voterAt(0), voterAt(1)]]) {
      for (const ownUserId of [undefined, 'user 0']) {
        const input = { ...inputWith({ policies }), ownUserId };
        const others = () => users.slice(voters.length);
        const { outcome } = decideActivity(input, voters, 'user 0', others);
        assert.equal(isAllowed(input, voters, 'user 0', others), outcome === 'allow');
      }
    }
  }
  const costlyVotes = metered(allows(100, { consensus: 'approvers.count() >= 101' }));
  const within = { steps: 0 };
  const input = { ...inputWith(costlyVotes), within };
  assert.equal(isAllowed(input, [voterAt(0)], 'user 0', assert.fail), false);
  assert.equal(costlyVotes.taken(), -within.steps);
  // One evaluation of each policy, with one step for each node.
  assert(costlyVotes.taken() < 1_000, `${costlyVotes.taken()}`);
});

test('cached conditions do not retain deleted policies', () => {
  class Marked {
    evaluate = (): { value: boolean } => ({ value: true });
    mentions = (): boolean => false;
  }
  const decideOnce = () => {
    const clause: DecidingClause = new Marked();
    const policies = [{ ...allow(0), condition: clause }];
    inputWith({ policies, scopeKey: () => 'the same request' }).partialVerdicts();
  };
  for (let count = 0; count < 50; count += 1) decideOnce();
  // `queryObjects` collects garbage first, and may still see the last one.
  assert(Number(queryObjects(Marked)) <= 2);
});

type Clauses = Partial<Pick<Policy, 'effect' | 'condition' | 'consensus'>>;

function policy(serial: number, clauses: Clauses): DecidingPolicy {
  return decidingPolicy({ id: `${serial}`, name: `${serial}`, effect: 'EFFECT_ALLOW', ...clauses });
}

const allow = (serial: number) => policy(serial, {});

const allows = (count: number, clauses: Clauses) =>
  Array.from({ length: count }, (_, serial) => policy(serial, clauses));

/** Returns the same policies, and a function that returns their steps in all. */
function metered(policies: readonly DecidingPolicy[]) {
  let steps = 0;
  const watched = (clause: DecidingClause | undefined): DecidingClause | undefined =>
    clause && {
      evaluate: (facts, meter) => {
        const before = meter.steps;
        const outcome = clause.evaluate(facts, meter);
        steps += before - meter.steps;
        return outcome;
      },
      mentions: (facts, meter) => {
        const before = meter.steps;
        const isConcerned = clause.mentions(facts, meter);
        steps += before - meter.steps;
        return isConcerned;
      },
    };
  return {
    taken: () => steps,
    policies: policies.map((each) => ({
      ...each,
      condition: watched(each.condition),
      consensus: watched(each.consensus),
    })),
  };
}

type Given = {
  readonly policies: readonly DecidingPolicy[];
  readonly failedDeny?: DecisionInput['failedDeny'];
  readonly scopes?: Parameters<typeof decisionInputOf>[0]['scopes'];
  readonly scopeKey?: () => string;
};

function inputWith({ failedDeny, ...given }: Given): DecisionInput {
  return decisionInputOf({
    rule: 'policy',
    rootQuorum: { threshold: 1, userIds: ['root'] },
    failedDeny,
    ownUserId: undefined,
    scopes: () => [scope],
    timeScope: {},
    ...given,
  });
}

/** Returns the decision on a request of the first user. */
function decided(given: Given): {
  readonly reason: Decision['reason'];
  readonly letters: string;
  readonly decision: Decision;
  readonly input: DecisionInput;
} {
  const input = inputWith(given);
  const submitter = voterAt(0);
  const decision = decideActivity(input, [submitter], submitter.userId, () => users.slice(1));
  const { reason, verdicts } = decision;
  return { reason, letters: outcomeLetters(verdicts), decision, input };
}

function voterAt(i: number): Voter {
  const voter = users[i];
  assert(voter !== undefined);
  return voter;
}
