import { type ActivityViewer, isOpen } from '../core/activity/activity.ts';
import { otherVoters } from '../core/activity/votes.ts';
import { isRefusal } from '../core/errors/errors.ts';
import type { Activity } from '../core/organization/records/activity.ts';
import { type OrganizationState, viewOf } from '../core/organization/state.ts';
import { isAllowed, mayVote } from '../core/policy/decision/decision.ts';
import { possibleVoter } from '../core/policy/decision/facts.ts';
import { stepsPerByte } from '../core/policy/language/bounds.ts';
import { type Meter, take } from '../core/policy/language/clause.ts';
import type { Caller } from '../operations/operation.ts';
import type { Admission } from './parse.ts';
import type { Ports } from './ports.ts';
import { admitOriginal, awaitsCredentials, considerAgain } from './vote.ts';

export type VotingRights = Pick<ActivityViewer, 'canApprove' | 'canReject'>;

const none: VotingRights = { canApprove: false, canReject: false };

/**
 * Makes the function that tells what a caller can still do with an activity, on this state. What it
 * takes is taken from the meter.
 */
export function createVotingRights(
  admission: Admission,
  ports: Ports,
): (
  activity: Activity,
  state: OrganizationState,
  caller: Caller,
  within?: Meter,
) => Promise<VotingRights> {
  return async function votingRights(activity, state, { user, organizationId }, within) {
    if (!isOpen(activity) || organizationId !== state.id) return none;
    const isSubmitter = user.id === activity.submitterId;
    const isRoot = state.head.rootQuorum.userIds.includes(user.id);
    try {
      take(within, (activity.request?.length ?? 0) * stepsPerByte);
      const admitted = admitOriginal(activity, admission);
      const again = await considerAgain(activity, admitted, state, ports, true, undefined, within);
      const { input, counted, mfa } = again;
      const organization = viewOf(state);
      const voter = possibleVoter(user, organization);
      const statuses = mfa.statuses(user.id);
      const mayShow = isSubmitter && awaitsCredentials(activity, statuses);
      const mayGive = mayShow || mayVote(input, voter);
      const others = counted.filter(({ userId }) => userId !== user.id);
      const wouldAllow = () => {
        const voters = [...others, voter];
        const further = () => otherVoters(voters, organization);
        return isAllowed(input, voters, activity.submitterId, further);
      };
      const isRepeated = others.length < counted.length;
      return {
        canApprove: mayGive && (!isRepeated || wouldAllow()),
        canReject: mayGive || isSubmitter,
      };
    } catch (error) {
      // What the activity needs is gone: it can only be rejected.
      if (isRefusal(error)) return { canApprove: false, canReject: isSubmitter || isRoot };
      throw error;
    }
  };
}
