// Returns true if the vote of a user could affect an activity whose lookups are pending.

import { newMeter } from '../language/clause.ts';
import { isFalse, isTrue } from '../language/clause_outcomes.ts';
import type { DecisionInput } from './decision.ts';
import { consensusScope, type Voter } from './voters.ts';

/**
 * Returns true if the activity could be allowed by votes that include this user's. If `isWhole` is false,
 * some namespaces of conditions are not known yet, so conditions that fail may hold. Returns false only if
 * `decideActivity` refuses and `mayVote` is false for all values of these namespaces.
 */
export function canAffectOutcome(input: DecisionInput, voter: Voter, isWhole: boolean): boolean {
  const { rootQuorum, ownUserId } = input;
  if (rootQuorum.userIds.includes(voter.userId) || voter.userId === ownUserId) return true;
  const meter = newMeter(input.within);
  const votes = consensusScope([voter]);
  return input.partialVerdicts().some(({ policy, condition, time }) => {
    if (policy.effect !== 'EFFECT_ALLOW' || !isTrue(time)) return false;
    if (isWhole ? !isTrue(condition) : isFalse(condition)) return false;
    const { consensus } = policy;
    if (consensus === undefined || isTrue(consensus.evaluate(votes, meter))) return true;
    return consensus.mentions(votes, meter);
  });
}
