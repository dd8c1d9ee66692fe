import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { MfaStatus } from '../../../../src/core/mfa/mfa.ts';
import type { Decision, PolicyOutcome } from '../../../../src/core/policy/decision/decision.ts';
import { requireMfa } from '../../../../src/core/policy/decision/require_mfa.ts';

const holds = { value: true } as const;
const verdictOf = (id: string, outcome: PolicyOutcome): Decision['verdicts'][number] => ({
  policy: {
    id,
    name: id,
    effect: 'EFFECT_ALLOW',
    condition: undefined,
    consensus: undefined,
    time: undefined,
  },
  outcome,
  condition: holds,
  consensus: undefined,
  time: holds,
});
const allowed: Decision = {
  outcome: 'allow',
  reason: 'policy_allows',
  verdicts: [
    verdictOf('a', 'OUTCOME_ALLOW'),
    verdictOf('b', 'OUTCOME_DENY_IMPLICIT'),
    verdictOf('c', 'OUTCOME_REQUIRES_CONSENSUS'),
  ],
  denying: [],
  voterIds: ['ada'],
};
const statusOf = (satisfied: boolean): MfaStatus => ({
  policy: {
    id: 'm',
    userId: 'ada',
    name: 'Factors',
    condition: 'true',
    order: 0,
    requiredMethods: [],
    createdAtMs: 1,
    updatedAtMs: 1,
  },
  satisfied,
  satisfiedMethods: [],
});

test('a decision is unchanged if no factor is missing', () => {
  assert.equal(requireMfa(allowed, []), allowed);
  assert.equal(requireMfa(allowed, [statusOf(true)]), allowed);
});

test('a missing factor delays only activities that would be allowed', () => {
  const missing = statusOf(false);
  const decision = requireMfa(allowed, [statusOf(true), missing]);
  assert.deepEqual(decision, {
    ...allowed,
    outcome: 'wait',
    verdicts: [verdictOf('a', 'OUTCOME_REQUIRES_AUTHENTICATORS'), ...allowed.verdicts.slice(1)],
    missing: [missing],
  });
});
