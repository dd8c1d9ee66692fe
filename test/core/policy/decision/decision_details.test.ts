// Details of the decision that depend on single policies and votes; decision.test.ts has the rules.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type {
  DecidingClause,
  DecidingPolicy,
} from '../../../../src/core/policy/decision/deciding_policy.ts';
import {
  type DecisionInput,
  decideActivity,
  decisionInputOf,
  isAllowed,
} from '../../../../src/core/policy/decision/decision.ts';
import type { Voter } from '../../../../src/core/policy/decision/voters.ts';
import type { ClauseOutcome } from '../../../../src/core/policy/language/clause.ts';

const brokenOutcome: ClauseOutcome = {
  failure: { code: 'index_out_of_range', position: 0, message: '' },
};
const no = clauseOf(() => ({ value: false }));
const broken = clauseOf(() => brokenOutcome);
const absent = clauseOf(() => ({
  failure: { code: 'namespace_absent', position: 0, message: '' },
}));
/** Requires a second approver, and reads the approver without a check of the count. */
const secondIsBob = clauseOf((scope) => {
  const second = (scope['approvers'] as { id: string }[])[1];
  return second === undefined ? brokenOutcome : { value: second.id === 'bob' };
}, true);
const onlyBob = clauseOf((scope) => ({
  value: (scope['approvers'] as { id: string }[]).some(({ id }) => id === 'bob'),
}));

test('isAllowed is true exactly if the decision is to allow', () => {
  const own = { ownUserId: 'dee' };
  const rows: readonly [Given, readonly string[], string][] = [
    [{}, ['dee'], 'no_policy_allows'],
    [{ policies: [allow()] }, ['dee'], 'policy_allows'],
    [{ policies: [allow(), deny()] }, ['dee'], 'policy_denies'],
    [{ policies: [allow({ consensus: onlyBob })] }, ['dee'], 'no_policy_allows'],
    [{ policies: [allow({ consensus: secondIsBob })] }, ['dee'], 'awaits_policy_votes'],
    [{ policies: [allow({ consensus: secondIsBob })] }, ['dee', 'bob'], 'policy_allows'],
    [own, ['dee'], 'own_credential'],
    [own, ['cyd'], 'no_policy_allows'],
    [{ ...own, policies: [deny()] }, ['dee'], 'policy_denies'],
    [{ ...own, policies: [allow({ consensus: onlyBob })] }, ['dee'], 'no_policy_allows'],
    // The consensus fails with one vote and is met by two, so the activity waits.
    [{ ...own, policies: [allow({ consensus: secondIsBob })] }, ['dee'], 'awaits_policy_votes'],
    [{ rule: 'root_quorum', policies: [allow()] }, ['dee'], 'root_quorum_required'],
    [{ rule: 'root_quorum', policies: [allow()] }, ['root'], 'root_quorum_met'],
  ];
  for (const [given, ids, reason] of rows) {
    const voters = ids.map(voter);
    const others = () => ['bob', 'cyd'].filter((name) => !ids.includes(name)).map(voter);
    const decision = decideActivity(inputOf(given), voters, ids[0] ?? '', others);
    assert.equal(decision.reason, reason);
    const allowed = isAllowed(inputOf(given), voters, ids[0] ?? '', others);
    assert.equal(allowed, decision.outcome === 'allow', reason);
  }
});

test('own credentials: the vote of the user is required, next to those of others', () => {
  const own = inputOf({ ownUserId: 'dee' });
  assert.equal(reasonOf(own, ['dee', 'cyd']), 'own_credential');
  assert.equal(reasonOf(own, ['cyd', 'dee']), 'own_credential');
  assert.equal(reasonOf(own, []), 'no_policy_allows');
});

test('a DENY without its consensus does not deny, and users manage their own credentials', () => {
  const policies = [deny({ consensus: onlyBob })];
  assert.deepEqual(outcomesOf(policies), ['OUTCOME_DENY_IMPLICIT']);
  assert.equal(reasonOf(inputOf({ ownUserId: 'dee', policies }), ['dee']), 'own_credential');
});

test('an ALLOW waits for votes only within its time', () => {
  assert.deepEqual(
    outcomesOf([allow({ consensus: onlyBob, time: no }), allow({ consensus: onlyBob })]),
    ['OUTCOME_DENY_IMPLICIT', 'OUTCOME_REQUIRES_CONSENSUS'],
  );
});

test('a failing ALLOW does not affect another ALLOW', () => {
  for (const failing of [{ consensus: broken }, { time: broken }, { condition: broken }]) {
    const policies = [allow(failing), allow()];
    const decision = decideActivity(inputOf({ policies }), [voter('dee')], 'dee', () => []);
    assert.deepEqual(decision.denying, []);
    assert.equal(decision.reason, 'policy_allows');
  }
});

test('a consensus is not evaluated if the condition decides alone', () => {
  const consensus = clauseOf(() => ({ value: true }));
  const evaluated = (policy: DecidingPolicy) => {
    const { verdicts } = decide(inputOf({ policies: [policy] }), ['dee']);
    return verdicts.map((verdict) => verdict.consensus !== undefined);
  };
  assert.deepEqual(evaluated(allow({ condition: no, consensus })), [false]);
  assert.deepEqual(evaluated(allow({ condition: broken, consensus })), [false]);
  assert.deepEqual(evaluated(allow({ condition: absent, consensus })), [false]);
  assert.deepEqual(evaluated(deny({ condition: absent, consensus })), [false]);
  // The policy may deny, so its consensus decides.
  assert.deepEqual(evaluated(deny({ condition: broken, consensus })), [true]);
});

test('other users are not loaded if no policy waits for votes', () => {
  const look = () => assert.fail('nobody else is asked for');
  for (const policies of [[], [allow({ condition: no, consensus: secondIsBob })]]) {
    const own = inputOf({ ownUserId: 'dee', policies });
    assert.equal(decideActivity(own, [voter('dee')], 'dee', look).reason, 'own_credential');
    assert.equal(isAllowed(own, [voter('dee')], 'dee', look), true);
  }
});

test('an activity of a deleted submitter does not wait for votes', () => {
  const input = inputOf({ policies: [allow({ consensus: secondIsBob })] });
  const others = () => [voter('bob')];
  assert.equal(decideActivity(input, [voter('cyd')], 'gone', others).reason, 'no_policy_allows');
  assert.equal(decideActivity(input, [voter('cyd')], 'cyd', others).reason, 'awaits_policy_votes');
});

test('evaluated conditions are cached under a key that is known only later', () => {
  let asked = 0;
  const condition = clauseOf(() => {
    asked += 1;
    return { value: true };
  });
  const policies = [allow({ condition })];
  const first = inputOf({ policies });
  assert.equal(reasonOf(first, ['dee']), 'policy_allows');
  first.remember('later');
  const ofKey = () => inputOf({ policies, scopeKey: () => 'later' });
  assert.equal(reasonOf(ofKey(), ['dee']), 'policy_allows');
  assert.equal(asked, 1);
  // The root quorum decides, so no condition is evaluated, and cached conditions stay.
  const unasked = inputOf({ policies });
  assert.equal(reasonOf(unasked, ['root']), 'root_quorum_met');
  unasked.remember('later');
  assert.equal(reasonOf(ofKey(), ['dee']), 'policy_allows');
  assert.equal(asked, 1);
});

test('requests with one key share the verdicts of policies without a time clause', () => {
  const policies = [allow(), deny({ condition: no })];
  const of = (key: string) => inputOf({ policies, scopeKey: () => key }).partialVerdicts();
  const verdicts = of('a');
  assert.equal(verdicts.length, 2);
  assert.equal(of('a'), verdicts);
  assert.notEqual(of('b'), verdicts);
});

type Given = Partial<Parameters<typeof decisionInputOf>[0]>;

/** The user `root` alone is the root quorum. */
function inputOf(given: Given): DecisionInput {
  return decisionInputOf({
    rule: 'policy',
    rootQuorum: { threshold: 1, userIds: ['root'] },
    failedDeny: undefined,
    ownUserId: undefined,
    policies: [],
    scopes: () => [{}],
    timeScope: {},
    ...given,
  });
}

function decide(input: DecisionInput, ids: readonly string[]) {
  return decideActivity(input, ids.map(voter), ids[0] ?? '', () => []);
}

function reasonOf(input: DecisionInput, ids: readonly string[]) {
  return decide(input, ids).reason;
}

function outcomesOf(policies: readonly DecidingPolicy[]) {
  return decide(inputOf({ policies }), ['dee']).verdicts.map(({ outcome }) => outcome);
}

function voter(name: string): Voter {
  return { userId: name, user: { id: name }, credentials: [] };
}

function clauseOf(evaluate: DecidingClause['evaluate'], mentionsAll = false): DecidingClause {
  return { evaluate, mentions: () => mentionsAll };
}

function allow(clauses: Partial<DecidingPolicy> = {}): DecidingPolicy {
  return { ...noClauses, id: 'allow', effect: 'EFFECT_ALLOW', ...clauses };
}

function deny(clauses: Partial<DecidingPolicy> = {}): DecidingPolicy {
  return { ...noClauses, id: 'deny', effect: 'EFFECT_DENY', ...clauses };
}

const noClauses = { name: '', condition: undefined, consensus: undefined, time: undefined };
