// The definition of an operation. Its members come in the order names, schema, access, load, facts, obtain,
// apply. Routes, validation, documents and the resource/action table of policies derive from it.

import type { TokenOnce } from '../core/auth/verifications.ts';
import type { Context } from '../core/base/context.ts';
import type { VoteScheme } from '../core/base/enums.ts';
import type { NewsState } from '../core/base/news.ts';
import type { Keyring } from '../core/keys/keyring.ts';
import type { MfaStatus } from '../core/mfa/mfa.ts';
import type { User } from '../core/organization/model.ts';
import type { Activity, VoteSelection } from '../core/organization/records/activity.ts';
import type { TransactionExplanation as Explanation } from '../core/organization/records/transaction_explanation.ts';
import type {
  OrganizationDraft,
  OrganizationState,
  OrganizationView,
} from '../core/organization/state.ts';
import type { Access, Facts, Subject } from '../core/policy/decision/access.ts';
import type { Authority } from '../core/policy/decision/authority.ts';
import type { JsonObject } from '../core/schema/json.ts';
import type { TSchema, TUnsafe, ValueOfSchema } from '../core/schema/schema.ts';
import type { Origin } from '../core/settings/ip_allowlist.ts';
import type { Credential } from '../core/users/credentials.ts';

import type { Warnings } from './once.ts';
import type { ChildEntry, Reader } from './reader.ts';
import type { ApplyServices, BootProofs, LoadServices, QueryServices } from './services.ts';
import type { Simulation } from './simulation.ts';
import type { WaitingState } from './waiting_state.ts';
import type { OlderVersion, Wire } from './wire.ts';

/** Author of the stamp. */
export type Caller = {
  /** The organization of the user: the one of the request, or its parent (reads only). */
  readonly organizationId: string;
  readonly user: User;
  readonly credential: Credential;
  /** Undefined for a read-only session, which cannot vote. */
  readonly stamp: VoteStamp | undefined;
  /** The token that attests the stamp's key. A verification token is valid for one activity. */
  readonly token?: TokenOnce;
  readonly idTokenId?: string;
  /** The parent of the organization, if its features allowed the credential. */
  readonly governedBy?: OrganizationState;
};

/** The part of a request's stamp that its vote stores. */
type VoteStamp = {
  readonly scheme: VoteScheme;
  /** The text as sent; for a passkey its COSE_Key, base64url. */
  readonly publicKeyText: string;
  /** The text as sent; for a passkey the assertion, as JSON. */
  readonly signatureText: string;
};

/** The credential and stamp of an activity's submission. */
export type SubmittedWith = {
  readonly credentialId: string;
  /** The text of the key that signed the request: hex as sent, or the COSE key of a passkey. */
  readonly publicKey: string;
};

/** The input of the steps that wait. */
type WaitingInput<P> = {
  readonly organization: OrganizationView;
  readonly parameters: P;
  /** The submitter, even if another user's vote executes the activity. */
  readonly submitter: User;
  readonly submittedWith: SubmittedWith;
  readonly keyring: Keyring;
  readonly context: Context;
  readonly services: LoadServices;
};

export type LoadInput<P> = WaitingInput<P> & { readonly read: Reader };

export type ObtainInput<P, L> = WaitingInput<P> & {
  readonly loaded: L;
  /** The SHA-256 of the request that was submitted. */
  readonly fingerprint: { readonly digest: Uint8Array };
  /** The keyring of a sub-organization that `apply` creates. */
  readonly childKeyring: (id: string) => Keyring;
};

type ApplyInput<P, L, X> = {
  readonly activityId: string;
  readonly organization: OrganizationDraft;
  readonly parameters: P;
  readonly loaded: L;
  readonly obtained: X;
  /** The submitter; a user of the parent organization if the operation allows it. */
  readonly submitter: User;
  readonly submitterCredentialId: string;
  /** Origin of the request that executes it; undefined if it is not stored. */
  readonly origin: Origin | undefined;
  readonly keyring: Keyring;
  readonly context: Context;
  readonly services: ApplyServices;
  /** Starts a sub-organization in the same commit: its draft, with the keyring for its secrets. */
  createChild(id: string, head: OrganizationState['head']): ChildDraft;
  /**
   * Starts a change of the sponsoring organization in the same commit, which depends on this state. Returns
   * the draft of the organization itself if it is the sponsor.
   */
  changeSponsor(state: OrganizationState): OrganizationDraft;
};

export type ChildDraft = { readonly organization: OrganizationDraft; readonly keyring: Keyring };

type FactsInput<P, L> = {
  readonly organization: OrganizationView;
  readonly parameters: P;
  readonly loaded: L;
};

/** `F` is the common form of the parameters of all versions, usually that of the newest. */
type ActivityDefinition<P extends TSchema, R extends TSchema, L, X, F = ValueOfSchema<P>> = {
  readonly wire: Wire;
  readonly older?: readonly OlderVersion<F, ValueOfSchema<R>>[];
  /** Converts parameters of the newest version to `F`, if the two differ. */
  readonly upgrade?: (parameters: ValueOfSchema<P>) => F;
  readonly summary: string;
  /** The subject that policies read as `activity.resource` and `activity.action`. */
  readonly subject: Subject;
  /** The authority that it grants over another user: a row of `core/policy/decision/authority.ts`. */
  readonly authority: Authority;
  readonly parameters: P;
  readonly result: R;
  /** Access rule for submitters. Default: the root quorum decides, then policies. */
  readonly access?: Access<F>;
  /** True if the request may name a parent: it then acts in the child that has the credential. */
  readonly findsChild?: boolean;
  /** True if a user of the parent may submit, under the policies of the parent. */
  readonly parentActs?: boolean;
  /**
   * Returns the child's lookup key for a request by a user that names the parent. Untrusted until `load`
   * verifies it. Raises the errors of the parameters.
   */
  readonly childEntry?: (parameters: F) => ChildEntry;
  /** Returns true for external calls. Slow calls are made outside of the line of changes. */
  readonly callsExternal?: (parameters: F) => boolean;
  /** True for operations that only read state and sign; they run concurrently. */
  readonly concurrent?: boolean;
  /** True for other operations that sign. A dry run skips their signature too. */
  readonly signs?: boolean;
  /** True if a failure counts as a try. A dry run, which writes nothing, skips the try. */
  readonly countsTries?: boolean;
  /** Loads the input of the decision asynchronously. */
  readonly load?: (input: LoadInput<F>) => Promise<L>;
  /** Returns the facts that a policy may mention; pure. */
  readonly facts?: (input: FactsInput<F, L>) => Facts;
  /** Returns the effects for people if the request alone does not show them; pure. */
  readonly explain?: (input: FactsInput<F, L>) => Explanation | undefined;
  /**
   * Returns the tokens that the recorded activity claims in the deployment, even if it waits or is refused.
   * `load` rejects a request that conflicts with an earlier claim.
   */
  readonly claims?: (input: { readonly loaded: L }) => readonly string[];
  /**
   * Runs asynchronous steps that require an allowed activity: external calls with effects, and long
   * derivations. Undefined if this request needs none.
   */
  readonly obtain?: (input: ObtainInput<F, L>) => Promise<X> | undefined;
  /** Decides from memory, uses the keyring and writes into the draft; synchronous. */
  readonly apply: (input: ApplyInput<F, L, X>) => ValueOfSchema<R>;
  /** Returns warnings for the caller, sent with the activity. */
  readonly warnings?: (input: {
    readonly organization: OrganizationView;
    readonly result: ValueOfSchema<R>;
  }) => Warnings;
};

type SimulationOf = (change: (draft: OrganizationDraft, context: Context) => void) => Simulation;

type StandingOf = (activity: Activity) => Promise<WaitingState | undefined>;

type MfaStatusesOf = (activity: Activity, userId?: string) => Promise<readonly MfaStatus[]>;

type QueryInput<Body> = {
  readonly organization: OrganizationView;
  readonly body: Body;
  readonly caller: Caller;
  readonly read: Reader;
  /** Returns the current state of the parent organization. */
  readonly parent: () => Promise<OrganizationView | undefined>;
  /** Returns a reader of the parent organization. */
  readonly readParent: () => Promise<Reader | undefined>;
  readonly proofs: BootProofs;
  readonly services: QueryServices;
  /** Returns an activity in API form. */
  readonly viewActivity: (activity: Activity) => Promise<JsonObject>;
  /** Returns an activity without the parts that the caller may not see. */
  readonly shownActivity: (activity: Activity) => Activity;
  /** Yields to other requests. Call it between the parts of a long computation. */
  readonly pause: () => Promise<void>;
  /** Returns true if the steps of one query are used up; a page then ends early. */
  readonly isSpent: () => boolean;
  /** MFA status of the approvers of a waiting activity, or of one of them. */
  readonly mfaStatuses: MfaStatusesOf;
  /** State of a waiting activity and its remaining voters; undefined after the decision. */
  readonly standing: StandingOf;
  /** Decides past activities again under changed policies, without storing the change. */
  readonly simulation: SimulationOf;
};

type HasRecord<Body> = (input: { readonly body: Body; readonly read: Reader }) => Promise<boolean>;

type QueryDefinition<B extends TSchema, A extends TSchema> = {
  readonly summary: string;
  /** The members other than `organizationId`, which every query has. */
  readonly body: B;
  readonly response: A;
  /**
   * Set if the request may name a parent: it then reads the child that has the credential. A function returns
   * true if the parent has the requested record; its own users then read the parent.
   */
  readonly findsChild?: 'of its credential' | HasRecord<ValueOfSchema<B>>;
  readonly answer: (
    input: QueryInput<ValueOfSchema<B>>,
  ) => Promise<ValueOfSchema<A>> | ValueOfSchema<A>;
  /**
   * For callers that wait for changes (RFC 7240): returns the topic of the answer, and whether the answer has
   * changes. Returns undefined without a topic.
   */
  readonly news?: (
    input: { readonly organization: OrganizationView; readonly body: ValueOfSchema<B> },
    answer: ValueOfSchema<A>,
  ) => NewsState | undefined;
};

/** The schema of any object. */
type ObjectSchema = TUnsafe<JsonObject>;

type AnyActivity = ActivityDefinition<ObjectSchema, ObjectSchema, unknown, unknown, JsonObject>;

/** An operation whose parameter types were checked where it was written. */
export type ActivityOperation = { readonly kind: 'submit' } & AnyActivity &
  Required<Pick<AnyActivity, keyof typeof usualMembers>>;

export type QueryOperation = { readonly kind: 'query' } & QueryDefinition<
  ObjectSchema,
  ObjectSchema
>;

/** An operation that votes on an activity and answers with that activity. */
export type VoteOperation = {
  readonly kind: 'vote';
  readonly type: string;
  readonly intent: string;
  readonly selection: VoteSelection;
  readonly summary: string;
  readonly parameters: TSchema;
};

/** Declares an operation that changes or signs something. */
export function activity<P extends TSchema, R extends TSchema, L = undefined, X = undefined>(
  definition: ActivityDefinition<P, R, L, X>,
): ActivityOperation {
  return operationOf(definition);
}

/** Like `activity`, for operations whose parameters have a common form over all versions. */
export function activityOf<F>() {
  return <P extends TSchema, R extends TSchema, L = undefined, X = undefined>(
    definition: ActivityDefinition<P, R, L, X, F> & {
      readonly upgrade: (parameters: ValueOfSchema<P>) => F;
    },
  ): ActivityOperation => operationOf(definition);
}

function operationOf(definition: object): ActivityOperation {
  // The validator has checked the parameters against the same schema that typed the definition.
  return { kind: 'submit', ...usualMembers, ...definition } as unknown as ActivityOperation;
}

/** The members that an operation may leave out. */
const usualMembers = {
  access: { rule: 'policy' },
  older: [],
  upgrade: (parameters: JsonObject) => parameters,
  load: () => Promise.resolve(undefined),
  facts: () => ({}),
  explain: () => undefined,
  obtain: () => undefined,
  warnings: () => [],
} as const;

/** Declares an older activity type of an operation. */
export function olderVersion<S extends TSchema, P, R = unknown>(version: {
  readonly wire: Wire;
  readonly parameters: S;
  readonly result?: TSchema;
  readonly upgrade: (parameters: ValueOfSchema<S>) => P;
  readonly downgrade?: (result: R) => JsonObject;
}): OlderVersion<P, R> {
  return version as unknown as OlderVersion<P, R>;
}

/** Declares an operation that votes. */
export function vote(definition: Omit<VoteOperation, 'kind'>): VoteOperation {
  return { kind: 'vote', ...definition };
}

/** Declares an operation that only reads. */
export function query<B extends TSchema, A extends TSchema>(
  definition: QueryDefinition<B, A>,
): QueryOperation {
  return { kind: 'query', ...definition } as unknown as QueryOperation;
}

/**
 * Returns the wire names of an activity. Intent and result have the name and version of the type. Set
 * `resultVersion` for a result that did not change with the type.
 */
export function wireOf(type: string, resultVersion?: string): Wire {
  const [, kind = '', version = ''] = /^ACTIVITY_TYPE_(.+?)(?:_(V\d))?$/.exec(type) ?? [];
  const name = kind.toLowerCase().replaceAll(/_(.)/g, (_, letter: string) => letter.toUpperCase());
  return {
    type,
    intent: `${name}Intent${version}`,
    result: `${name}Result${resultVersion ?? version}`,
  };
}
