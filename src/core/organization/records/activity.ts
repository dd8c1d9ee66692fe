// A stored activity: a signed request for a change, with its votes and its outcome.

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
  /** Has exactly one member, named after the activity type. */
  readonly intent: JsonObject;
  /** Has at most one member; empty until the activity is completed. */
  readonly result: JsonObject;
  readonly votes: readonly Vote[];
  /** `sha256:` and the lower-case hex SHA-256 of the raw request body. */
  readonly fingerprint: string;
  /** The user who submitted the activity. */
  readonly submitterId: string;
  /** The signed body of an activity that had to wait, which is executed after the last vote. */
  readonly request?: string;
  /** The signature of the request, if a later vote of the submitter replaced the vote that has it. */
  readonly submission?: Submission;
  /** The proofs of users. Present if the activity had to wait; absent in rows from before proofs. */
  readonly proofs?: readonly Proof[];
  /** Set on a completed activity whose request asked for app proofs. */
  readonly appProofs?: readonly AppProof[];
  /** The explanation of the transaction at the time of the request, if the activity had to wait. */
  readonly explanation?: TransactionExplanation;
  /** The kind of the external holder that signed for the activity. */
  readonly heldBy?: string;
  /** The reason of its failure; set exactly if the status is failed. */
  readonly failure?: Failure;
  /** The outcomes of the policies at each vote, oldest first; empty if the root quorum decided. */
  readonly evaluations: readonly Evaluation[];
  /** The decision at each vote, oldest first. */
  readonly decisions?: readonly RecordedDecision[];
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
  /** Incremented by each change; the store rejects an update of another version. */
  readonly version: number;
};

/** One user's approval or rejection, with the message that the user signed. */
export type Vote = {
  readonly id: string;
  readonly userId: string;
  /** The user at the time of the vote. */
  readonly user: UserView;
  readonly selection: VoteSelection;
  readonly message: string;
  readonly publicKey: string;
  readonly signature: string;
  readonly scheme: string;
  /** The credential that signed the message; the vote counts only while the user has it. */
  readonly credentialId: string;
  /** Set if a stranger claimed the user's address, so policies do not see it. */
  readonly emailClaimed?: true;
  readonly createdAtMs: number;
};

/** The credential that signed a request, and its signature. */
type Submission = Pick<Vote, 'publicKey' | 'signature' | 'scheme' | 'credentialId'>;

export const voteSelections = ['VOTE_SELECTION_APPROVED', 'VOTE_SELECTION_REJECTED'] as const;
export type VoteSelection = (typeof voteSelections)[number];

/** The error in the form of an error body: gRPC code, sentence, details. */
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

/** The decision at one vote; the evaluation of the vote contains the outcomes of the policies. */
export type RecordedDecision = {
  readonly voteId: string;
  readonly userId: string;
  readonly selection: VoteSelection;
  /** A code of `decisionReasons`. Undefined if a resource of the activity no longer existed. */
  readonly reason?: string;
  /** The users whose approvals counted for the decision. */
  readonly voterIds: readonly string[];
  /** Set if users had to show further credentials first. */
  readonly awaitsAuthenticators?: true;
  /** Set if the parent decided, whose policies are not disclosed here. */
  readonly byParent?: true;
  /** The policies that denied, as places in the policy set of the evaluation. */
  readonly denying?: readonly number[];
  readonly clauses?: RecordedClauses;
  /**
   * Digest of the facts for conditions, without velocity controls. Undefined if policies did not decide or
   * the facts have no text.
   */
  readonly factsDigest?: string;
  readonly createdAtMs: number;
};

/** The outcomes of all clauses: letters for each policy, as `keptClauses` writes them. */
export type RecordedClauses = {
  /** Undefined if no policy has such a clause. */
  readonly condition?: string;
  readonly consensus?: string;
  readonly time?: string;
  readonly failures?: readonly RecordedFailure[];
};

/** A failure, and the clauses that failed with it. */
export type RecordedFailure = {
  readonly clause: 'condition' | 'consensus' | 'time';
  readonly code: string;
  readonly message: string;
  /** The index of the policy in the set, and the byte offset of the clause. */
  readonly at: readonly (readonly [policy: number, position: number])[];
};

/** A credential with which a user approved an activity. */
export type Proof = {
  readonly userId: string;
  readonly method: Required<AuthenticationMethod>;
  readonly credentialId: string;
  readonly publicKey: string;
  readonly createdAtMs: number;
};

/** The signature schemes of app proofs. */
export const appProofSchemes = ['SIGNATURE_SCHEME_EPHEMERAL_KEY_P256'] as const;

/** An app proof of the enclave for a completed activity. */
export type AppProof = {
  readonly scheme: (typeof appProofSchemes)[number];
  /** The enclave's 130 bytes in hex: encryption point ‖ signing point. */
  readonly publicKey: string;
  /** The signed text, in JSON. */
  readonly proofPayload: string;
  /** Hex of r ‖ s over SHA-256 of the payload. */
  readonly signature: string;
};
