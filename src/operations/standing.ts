// Where an activity that waits stands, as queries tell it.

import type { ServiceError } from '../core/errors/errors.ts';
import type { Decision } from '../core/policy/decision/decision.ts';

/** What a user can still do with an activity. */
export type StandingVoter = {
  readonly userId: string;
  readonly canApprove: boolean;
  readonly canReject: boolean;
};

export type Standing =
  | {
      /** On the approvals that are not over, under the policies, users and quorum of now. */
      readonly decision: Decision;
      /** Users who may approve or reject, in their order. */
      readonly voters: readonly StandingVoter[];
      /** Users whose approvals count now. */
      readonly countedVoterIds: readonly string[];
      /** False where the steps of the query were used up before all users were asked about. */
      readonly isWhole: boolean;
    }
  /** What the activity needs is gone: it can only be rejected. */
  | { readonly refusal: ServiceError };
