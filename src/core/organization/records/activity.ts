// A stored activity: one signed request to change something, its votes and its outcome.

import type { ActivityStatus } from '../../base/enums.ts';
import type { JsonObject } from '../../schema/json.ts';
import type { AuthenticationMethod } from './mfa_policy.ts';
import type { TransactionExplanation } from './transaction_explanation.ts';
import type { UserView } from './user_view.ts';

export type Activity = {
  readonly id: string;
  readonly organizationId: string;
  readonly type: string;
  readonly status: ActivityStatus;
  /** Exactly one member, named after the activity type. */
  readonly intent: JsonObject;
  /** At most one member; empty until the activity is completed. */
  readonly result: JsonObject;
  readonly votes: readonly Vote[];
  /** `sha256:` and the lower-case hex SHA-256 of the raw request body. */
  readonly fingerprint: string;
  /** The user who submitted it. */
  readonly submitterId: string;
  /** The signed body of an activity that had to wait, carried out later. */
  readonly request?: string;
  /** The proofs of users; present if the activity had to wait, unless it is older than proofs. */
  readonly proofs?: readonly Proof[];
  /** Present on a completed activity whose request asked for proofs. */
  readonly appProofs?: readonly AppProof[];
  /** The effect of the transaction that it signs, if it had to wait: as it was at the request. */
  readonly explanation?: TransactionExplanation;
  /** The kind of the holder that signed for it, outside of this service. */
  readonly heldBy?: string;
  /** The reason of its failure; set exactly if the status is failed. */
  readonly failure?: Failure;
  /** The outcomes of the policies at each vote, oldest first; empty if the root quorum decided. */
  readonly evaluations: readonly Evaluation[];
  /** The decision at each vote, oldest first. */
  readonly decisions?: readonly RecordedDecision[];
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
  /** Raised by one at each change; the store refuses an update of any other version. */
  readonly version: number;
};

/** One user's approval or rejection, with the message that the user signed. */
export type Vote = {
  readonly id: string;
  readonly userId: string;
  /** The user's record as it was when the vote was given. */
  readonly user: UserView;
  readonly selection: VoteSelection;
  readonly message: string;
  readonly publicKey: string;
  readonly signature: string;
  readonly scheme: string;
  /** The credential that signed the message; the vote counts only while the user has it. */
  readonly credentialId: string;
  /** The user's address was claimed by a stranger, so no policy refers to it. */
  readonly emailClaimed?: true;
  readonly createdAtMs: number;
};

export const voteSelections = ['VOTE_SELECTION_APPROVED', 'VOTE_SELECTION_REJECTED'] as const;
export type VoteSelection = (typeof voteSelections)[number];

/** The form of an error body: gRPC number, sentence, details. */
export type Failure = {
  readonly code: number;
  readonly message: string;
  readonly details: readonly JsonObject[];
};

/** The outcomes of the policies at one vote. */
export type Evaluation = {
  readonly voteId: string;
  /** Name of the policy set; absent if the organization never had a policy. */
  readonly policySetId?: string;
  /** One letter for each policy of that set, as `outcomeLetters` writes them. */
  readonly outcomes: string;
  readonly createdAtMs: number;
};

/** The decision at one vote; its evaluation holds the outcomes of the policies. */
export type RecordedDecision = {
  readonly voteId: string;
  readonly userId: string;
  readonly selection: VoteSelection;
  /** A code of `decisionReasons`; absent where what the activity needs was gone. */
  readonly reason?: string;
  /** The users whose approvals it was made on. */
  readonly voterIds: readonly string[];
  /** Users had to show further credentials before anything of it held. */
  readonly awaitsAuthenticators?: true;
  /** The parent decided; its policies are not disclosed here. */
  readonly byParent?: true;
  /** The policies that denied, as places in the policy set of the evaluation. */
  readonly denying?: readonly number[];
  readonly clauses?: RecordedClauses;
  /**
   * Digest of the facts of conditions, without limits over time; absent if policies did not decide or the
   * facts have no text.
   */
  readonly factsDigest?: string;
  readonly createdAtMs: number;
};

/** The outcomes of all clauses: letters for each policy, as `keptClauses` writes them. */
export type RecordedClauses = {
  /** Absent where no policy has such a clause. */
  readonly condition?: string;
  readonly consensus?: string;
  readonly time?: string;
  readonly failures?: readonly KeptFailure[];
};

/** A failure, and the clauses that failed so. */
export type KeptFailure = {
  readonly clause: 'condition' | 'consensus' | 'time';
  readonly code: string;
  readonly message: string;
  /** Place of the policy in the set, and offset in bytes of the clause. */
  readonly at: readonly (readonly [policy: number, position: number])[];
};

/** One credential that a user approved an activity with. */
export type Proof = {
  readonly userId: string;
  readonly method: Required<AuthenticationMethod>;
  readonly credentialId: string;
  readonly publicKey: string;
  readonly createdAtMs: number;
};

/** The only way in which an enclave signs app proofs. */
export const appProofSchemes = ['SIGNATURE_SCHEME_EPHEMERAL_KEY_P256'] as const;

/** One proof of the enclave for a completed activity, as the activity keeps it. */
export type AppProof = {
  readonly scheme: (typeof appProofSchemes)[number];
  /** Hex of the enclave's 130 bytes: encryption point ‖ signing point. */
  readonly publicKey: string;
  /** JSON: the text that is signed. */
  readonly proofPayload: string;
  /** Hex of r ‖ s over SHA-256 of the payload. */
  readonly signature: string;
};
