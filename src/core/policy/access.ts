// Who may do what: what an operation declares, and the decision over it. This is the seam where
// policies and votes decide; until they do, the root quorum and a user's rights over its own
// credentials are all there is, and everything else meets the implicit deny.

import type { OrganizationView } from '../organization.ts';
import type { TypedData } from '../payload/eip712.ts';
import type { Authorization } from '../payload/eip7702.ts';

export const resources = ['CREDENTIAL', 'ORGANIZATION', 'PRIVATE_KEY', 'USER', 'WALLET'] as const;
export const actions = ['CREATE', 'UPDATE', 'DELETE', 'SIGN', 'EXPORT', 'IMPORT'] as const;

/** `activity.resource` and `activity.action` of the policy language. */
export type Subject = {
  readonly resource: (typeof resources)[number];
  readonly action: (typeof actions)[number];
};

/** What a policy may mention of one request beyond the activity itself. */
export type Facts = {
  /** `activity.params`: only the members that the policy language exposes, in snake case. */
  readonly params?: { readonly [name: string]: string | readonly string[] };
  /** The wallet, account or private key that the request uses. */
  readonly walletId?: string;
  readonly walletAccountId?: string;
  readonly privateKeyId?: string;
  /** What an EIP-712 or EIP-7702 payload says, for `eth.eip_712` and the like. */
  readonly typedData?: TypedData | undefined;
  readonly authorization?: Authorization | undefined;
};

export type Access<P> =
  | {
      readonly rule: 'policy';
      /** The user whose own credentials the request manages: that user needs no grant. */
      readonly ownUserId?: (parameters: P) => string;
    }
  /** Only the root quorum; no policy can grant it. */
  | { readonly rule: 'root_quorum' };

/** Decided by the root quorum, then by policies. */
export const policy = (): { rule: 'policy' } => ({ rule: 'policy' });

/** As `policy`, and a user may do it to its own credentials. */
export const policyOrOwnUser = <P>(ownUserId: (parameters: P) => string) => ({
  rule: 'policy' as const,
  ownUserId,
});

/** The root quorum alone. */
export const rootQuorumOnly = (): { rule: 'root_quorum' } => ({ rule: 'root_quorum' });

export type Decision =
  | { readonly outcome: 'allow'; readonly by: 'root_quorum' | 'own_user' }
  | {
      readonly outcome: 'refuse';
      /** `No policies evaluated to outcome: Allow` while nothing denied explicitly. */
      readonly reason: string;
      readonly evaluations: readonly PolicyEvaluation[];
    };

export type PolicyEvaluation = { readonly policyId: string; readonly outcome: string };

/** Decides over one activity. `approverIds` are the users whose approving votes count. */
export function decide(input: {
  readonly organization: OrganizationView;
  readonly rule: Access<never>['rule'];
  readonly approverIds: readonly string[];
  /** Set where the request manages the credentials of that user. */
  readonly ownUserId: string | undefined;
  readonly facts: Facts;
}): Decision {
  const { threshold, userIds } = input.organization.head.rootQuorum;
  const approvers = new Set(input.approverIds);
  const quorum = new Set(userIds).intersection(approvers).size;
  // A threshold of zero is a quorum that nobody has named yet: nobody reaches it.
  if (threshold > 0 && quorum >= threshold) return { outcome: 'allow', by: 'root_quorum' };
  const { rule, ownUserId } = input;
  if (rule === 'policy' && ownUserId !== undefined && approvers.has(ownUserId)) {
    return { outcome: 'allow', by: 'own_user' };
  }
  return {
    outcome: 'refuse',
    reason: 'No policies evaluated to outcome: Allow',
    evaluations: [],
  };
}
