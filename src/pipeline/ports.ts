// The interfaces through which the pipeline reaches its environment.

import type { RememberedTries } from '../core/auth/one_time_codes/remembered_tries.ts';
import type { Stamp } from '../core/auth/stamp.ts';
import type { ActivityStatus } from '../core/base/enums.ts';
import type { StageName } from '../core/base/stages.ts';
import type { ServiceKeys } from '../core/crypto/service_keys.ts';
import type { Deployment, ExternalServices } from '../core/external/external_services.ts';
import type { OutgoingMessage } from '../core/external/outgoing_message.ts';
import type { Keyring } from '../core/keys/keyring.ts';
import type { DraftChanges } from '../core/organization/changes.ts';
import type { OrganizationHead } from '../core/organization/model.ts';
import type { Activity } from '../core/organization/records/activity.ts';
import type { OrganizationKeyMark } from '../core/organization/records/organization_key.ts';
import type { OrganizationState } from '../core/organization/state.ts';
import type { EphemeralKey } from '../core/proofs/app_proofs.ts';
import type { BootProof } from '../core/proofs/boot_proofs.ts';
import type { Once } from '../operations/once.ts';
import type { Caller } from '../operations/operation.ts';
import type { ReceiptSource } from '../operations/proofs/receipt_source.ts';
import type { ChildIndex, Reader } from '../operations/reader.ts';
import type { SignEvent } from '../operations/services.ts';
import type { ActivityInsert } from '../store/addition.ts';
import type { ChangeLines } from './change_lines.ts';
import type { RecordedRefusals } from './recorded_refusals.ts';

export type Ports = {
  /** Milliseconds since 1970. */
  readonly clock: () => number;
  /** Yields to other requests, between the parts of a long step. */
  readonly pause: () => Promise<void>;
  /**
   * Reports the authenticated user of the request. Later steps run in the turns of the organization, where
   * its users take turns.
   */
  readonly chargeTo: (organizationId: string, userId: string) => void;
  /**
   * Reports that the request holds the turn of an organization, for which other changes wait. The returned
   * function ends the turn.
   */
  readonly holdTurnOf: (organizationId: string) => () => void;
  /** Computes a value that depends only on the parameters, once for a request. */
  readonly once: Once;
  /** Calls external services once for a request, never during its turn. */
  readonly askOnce: Once;
  /** A new UUIDv7, greater than all before. */
  readonly newId: () => string;
  readonly repository: Repository;
  /** Returns the keyring of an organization. `mark` names the organization's own key, if it has one. */
  readonly keyring: (organizationId: string, mark?: OrganizationKeyMark) => Keyring;
  readonly serviceKeys: ServiceKeys;
  readonly proofs: Proofs;
  readonly receipts: ReceiptSource;
  /** Signs an event of a webhook endpoint. */
  readonly signEvent: SignEvent;
  readonly rememberedTries: RememberedTries;
  readonly recordedRefusals: RecordedRefusals;
  /** Runs an attempt of a request. The attempt waits for a slot before it reads large rows. */
  readonly largeReads: {
    run<Result>(check: () => void, work: () => Promise<Result>, hasTurn: boolean): Promise<Result>;
  };
  /** The queues of organization changes. */
  readonly changeLines: ChangeLines;
  /** Returns random bytes. */
  readonly random: (length: number) => Uint8Array;
  readonly external: ExternalServices;
  readonly deployment: Deployment;
  /** Returns true if the stamp's signature covers exactly these body bytes; a promise on another core. */
  readonly verifySignature: (stamp: SignedStamp, body: Uint8Array) => boolean | Promise<boolean>;
  readonly sha256: (bytes: Uint8Array) => Uint8Array;
  /** Tolerances for the timestamp of a request, in the past and in the future. */
  readonly freshness: { readonly maximumAgeMs: number; readonly maximumAheadMs: number };
};

/** The keys with which the running enclave makes and checks proofs. */
export type Proofs = {
  readonly key: EphemeralKey;
  /** Stores the boot proof of this enclave once, before the first app proof. */
  keepBootProof(): Promise<void>;
  latestBootProof(): BootProof;
  /** Returns the stored boot proof of the enclave with this key (hex), if it exists. */
  bootProof(ephemeralPublicKeyHex: string): Promise<BootProof | undefined>;
};

/** The parts of a stamp that check its signature. */
export type SignedStamp = Pick<Stamp, 'scheme' | 'algorithm' | 'publicKey' | 'signature'>;

export type Fingerprint = {
  /** SHA-256 of the raw body. */
  readonly digest: Uint8Array;
  /** Time bucket of the request's own `timestampMs`. */
  readonly bucket: number;
  /** SHA-256 of the raw body if the activity has another digest: a refusal. */
  readonly bodyDigest?: Uint8Array;
};

/** Verified reads and writes. The enclave checks that each row was sealed for exactly its place. */
export type Repository = {
  /** Returns the newest state, and the activity with that fingerprint if it exists. */
  organization(
    organizationId: string,
    fingerprint?: Fingerprint,
  ): Promise<{ state: OrganizationState | undefined; activity: Activity | undefined }>;
  /**
   * Rejects the answer that an organization has no row, although another one is its child. Rows of
   * organizations are never removed, so the store withholds it.
   */
  refuseMissing(organizationId: string): never;
  /** The last known state, which may be outdated: only for decisions with a conditional commit. */
  known(organizationId: string): OrganizationState | undefined;
  reader(state: OrganizationState): Reader;
  /**
   * Returns the organizations under `parentId` that registered a value, oldest registration first; at most
   * 10.
   */
  childrenWith(parentId: string, index: ChildIndex, value: string): Promise<readonly string[]>;
  /** Returns the organization that claims a configuration of the onboarding proxy, unverified. */
  proxyOrganization(configId: string): Promise<string | undefined>;
  commit(proposal: Proposal): Promise<'committed' | 'conflict' | 'duplicate'>;
  /** Returns true if the token with this id was already used in the deployment. */
  isClaimed(tokenId: string): Promise<boolean>;
  /** Seals a proposal that only adds its activity, for the caller to commit. */
  addition(proposal: Proposal): Promise<ActivityInsert | undefined>;
};

/** One decision that becomes durable as a whole or not at all. */
export type Proposal = {
  /** The state that was decided on; a newer one makes the commit a conflict. */
  readonly state: OrganizationState;
  readonly changes: DraftChanges;
  readonly activity: Activity;
  /** Status before the change; absent for a new activity. */
  readonly statusBefore?: ActivityStatus;
  readonly fingerprint: Fingerprint;
  readonly children: readonly NewOrganization[];
  readonly sponsor?: SponsorChange;
  /** States of other organizations that were decided on; newer ones make the commit a conflict. */
  readonly alsoDecidedOn: readonly OrganizationState[];
  /**
   * The parent state that allowed the credential and had no matching freeze. A guarded change of the parent
   * causes a conflict.
   */
  readonly governedBy?: OrganizationState;
  /**
   * True if the decision depends only on guards (see core/organization/kinds.ts). Newer states with the same
   * guards then cause no conflict.
   */
  readonly restsOnGuard: boolean;
  /** Messages to send once the outcome is durable. */
  readonly messages: readonly OutgoingMessage[];
  /** Functions to run once the outcome is durable. */
  readonly afterCommit?: readonly (() => void)[];
};

/** The change of the sponsoring organization. A newer state of it causes a conflict. */
export type SponsorChange = { readonly state: OrganizationState; readonly changes: DraftChanges };

export type NewOrganization = {
  readonly id: string;
  readonly parentId: string | undefined;
  readonly head: OrganizationHead;
  readonly changes: DraftChanges;
};

/** The states from memory on which an answer is based, by ID of the organization. */
export type KnownStates = Map<string, OrganizationState>;

/** A request, as it arrived. */
export type Request = {
  readonly operation: string;
  /** Authentication headers: lower-case name, value as sent. */
  readonly headers: readonly { readonly name: string; readonly value: string }[];
  readonly timestampObjects: boolean;
  /** Address of the client according to the gateway. */
  readonly remoteAddress: string;
  /** True for requests of the service itself, whose address is not checked. */
  readonly isOwn?: boolean;
  /**
   * The value of the header `Dry-Run`; undefined without the header. The signed body can request a dry run
   * too.
   */
  readonly dryRun?: boolean | undefined;
  /** True if the gateway commits a pure addition itself, and withholds the answer until then. */
  readonly prepares?: boolean;
  /**
   * Set if the caller shows the answer of a query only while these states are the newest. The query adds the
   * states that it takes from memory.
   */
  readonly knownStates?: KnownStates | undefined;
  /** Raises `not_begun` once the request may no longer begin. Default: it may always begin. */
  readonly checkNotCancelled?: () => void;
  /** Called with the authenticated user, for the operator's log. Optional. */
  readonly authenticated?: ((caller: Caller) => void) | undefined;
  /** Called at the start of each stage, for metrics. Optional. */
  readonly enter?: ((stage: StageName) => void) | undefined;
  readonly body: Uint8Array;
};
