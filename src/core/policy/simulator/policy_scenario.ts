// Tests policies on invented activities. Each case is decided as the service would decide it.

import type { PolicyEffect } from '../../base/enums.ts';
import { logicOf } from '../decision/deciding_policies.ts';
import type { DecidingPolicy } from '../decision/deciding_policy.ts';
import { decideActivity, decisionInputOf, type PolicyOutcome } from '../decision/decision.ts';
import { type Clause, mentions } from '../language/clause.ts';
import { lintPolicies, lintPolicy, type SetWarning } from '../lint/lint.ts';
import type { Checksum } from '../lint/stored_forms.ts';
import type { PolicyTest, PolicyTestCase, TestedPolicy } from './policy_scenario_file.ts';

type CaseResult = {
  readonly name: string;
  /** The expected outcome of the decision, and its reason. */
  readonly outcome: string;
  readonly reason: string;
  /** The outcomes of evaluated policies, by name. */
  readonly outcomes: ReadonlyMap<string, PolicyOutcome>;
  /** The differences from the expected outcome; empty for a case that passes. */
  readonly differences: readonly string[];
};

/** Decides every case, in the order of the file. */
export function runPolicyTest(test: PolicyTest): readonly CaseResult[] {
  const policies = test.policies.map(decidingPolicy);
  return test.cases.map((one) => runCase(test, policies, one));
}

/**
 * Returns warnings about the policies of a test: first about each policy, then about their combination.
 * `checksum` is the parameter of `lintPolicy`.
 */
export function lintPolicyTest(
  { policies }: PolicyTest,
  checksum: Checksum | undefined,
): readonly SetWarning[] {
  return [
    ...policies.flatMap((policy, index) =>
      lintPolicy(policy, checksum).map((warning) => ({ ...warning, index })),
    ),
    ...lintPolicies(policies),
  ];
}

function runCase(
  { users, rootQuorum, failedDeny }: PolicyTest,
  policies: readonly DecidingPolicy[],
  one: PolicyTestCase,
): CaseResult {
  const { name, voters, scopes, timeScope, ownUserId, expected } = one;
  const input = decisionInputOf({
    rule: one.isRootQuorumOnly ? 'root_quorum' : 'policy',
    rootQuorum: { userIds: [...rootQuorum.userIds], threshold: rootQuorum.threshold },
    failedDeny,
    ownUserId,
    policies,
    scopes: () => scopes,
    timeScope,
  });
  const voted = new Set(voters.map(({ userId }) => userId));
  const others = () => users.filter(({ userId }) => !voted.has(userId));
  const decision = decideActivity(input, voters, voters[0]?.userId ?? '', others);
  const { outcome, reason, verdicts } = decision;
  const differences: string[] = [];
  if (outcome !== expected.outcome) differences.push(`expected ${expected.outcome}`);
  if (expected.reason !== undefined && reason !== expected.reason) {
    differences.push(`expected ${expected.reason}`);
  }
  const outcomes = new Map(verdicts.map((verdict) => [verdict.policy.name, verdict.outcome]));
  for (const [policy, outcome] of expected.policies) {
    const found = outcomes.get(policy) ?? 'no say';
    if (found !== outcome) differences.push(`expected ${outcome} of ${policy}, got ${found}`);
  }
  return { name, outcome, reason, outcomes, differences };
}

function decidingPolicy(policy: TestedPolicy): DecidingPolicy {
  const { name, effect, condition, consensus, time } = policy;
  return {
    id: name,
    name,
    effect,
    condition: condition && decidingClause(condition, effect),
    consensus: consensus && decidingClause(consensus, effect),
    time: time && decidingClause(time, effect),
  };
}

function decidingClause(
  clause: Clause,
  effect: PolicyEffect,
): NonNullable<DecidingPolicy['condition']> {
  const logic = logicOf(effect);
  return {
    evaluate: (scope, meter) => clause.evaluate(scope, meter, logic),
    mentions: (scope, meter) => mentions(clause, scope, meter),
  };
}
