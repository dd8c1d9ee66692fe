// State of a waiting activity in the answers of queries.

import type { ServiceError } from '../core/errors/errors.ts';
import type { OrganizationView } from '../core/organization/state.ts';
import type { Decision } from '../core/policy/decision/decision.ts';
import { failureOf } from '../core/views/explanation.ts';

/** The next steps of a user with an activity. */
export type WaitingVoter = {
  readonly userId: string;
  readonly canApprove: boolean;
  readonly canReject: boolean;
  /** Approvals still needed after an approval of this user. Absent if unknown. */
  readonly neededAfter?: number;
};

export type WaitingState =
  | {
      /** Decision by the current approvals, policies, users and quorum. */
      readonly decision: Decision;
      /** Users who may approve or reject, in their order. */
      readonly voters: readonly WaitingVoter[];
      /** Counted and needed approvals; absent if the rule is not a plain count. */
      readonly approvals?: { readonly given: number; readonly needed: number };
      /** Present if only further approvals of several users complete it; absent with `approvals`. */
      readonly severalNeeded?: true;
      /** Users whose approvals count now. */
      readonly countedVoterIds: readonly string[];
      /** False if the steps of the query ended before all users were evaluated. */
      readonly isWhole: boolean;
    }
  /** A required resource was deleted, so the activity can only be rejected. */
  | { readonly refusal: ServiceError };

/** Returns who may approve or reject an activity that waits, or why it can only be rejected. */
export function votersView(standing: WaitingState, organization: OrganizationView) {
  if ('refusal' in standing) return { failure: failureOf(standing.refusal), voters: [] };
  const { approvals, severalNeeded } = standing;
  const nameOf = (id: string) => organization.get('user', id)?.name ?? '';
  return {
    voters: standing.voters.map((voter) => ({ ...voter, userName: nameOf(voter.userId) })),
    ...(approvals === undefined
      ? {}
      : { approvals: { given: approvals.given, needed: approvals.needed } }),
    ...(severalNeeded === undefined ? {} : { severalNeeded }),
    ...(standing.isWhole ? {} : { truncated: true }),
  };
}
