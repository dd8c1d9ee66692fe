// Determines, for display only, if further approvals would allow an activity.

import { type DecisionInput, isAllowed } from './decision.ts';
import type { Voter } from './voters.ts';

/** Returns true if an open policy may read the credential of a vote, which is unknown before the vote. */
export function dependsOnCredentials({ rule, partialVerdicts }: DecisionInput): boolean {
  if (rule !== 'policy') return false;
  return partialVerdicts().some(
    ({ verdict, policy }) =>
      verdict === undefined &&
      policy.consensus !== undefined &&
      policy.consensus.readsCredentials?.() !== false,
  );
}

/** Returns true if approvals of these users would allow the activity. */
export function completes(
  input: DecisionInput,
  counted: readonly Voter[],
  further: readonly Voter[],
  submitterId: string,
  othersOf: (voters: readonly Voter[]) => readonly Voter[],
): boolean {
  const again = new Set(further.map(({ userId }) => userId));
  const voters = [...counted.filter(({ userId }) => !again.has(userId)), ...further];
  return isAllowed(input, voters, submitterId, () => othersOf(voters));
}
