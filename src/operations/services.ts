// The services that operations use while they load, apply or answer.

import type { OidcClaims } from '../core/auth/oidc_token.ts';
import type { ServiceKeys } from '../core/crypto/service_keys.ts';
import type { Deployment, ExternalServices } from '../core/external/external_services.ts';
import type { OutgoingMessage } from '../core/external/outgoing_message.ts';
import type { Keyring } from '../core/keys/keyring.ts';
import type { OrganizationKeyMark } from '../core/organization/records/organization_key.ts';
import type { OrganizationState, OrganizationView } from '../core/organization/state.ts';
import type { Facts, Subject } from '../core/policy/decision/access.ts';
import type { BootProof } from '../core/proofs/boot_proofs.ts';
import type { Delivery } from '../core/webhooks/delivery_view.ts';
import type { Once } from './once.ts';
import type { ReceiptSource } from './proofs/receipt_source.ts';
import type { ChildIndex, Reader } from './reader.ts';

/** The service's own keys and the facts of its deployment. */
type Services = {
  readonly serviceKeys: ServiceKeys;
  readonly deployment: Deployment;
  /** Returns random bytes. */
  readonly random: (length: number) => Uint8Array;
};

/** The boot proofs that check app proofs. */
export type BootProofs = {
  latestBootProof(): BootProof;
  bootProof(ephemeralPublicKeyHex: string): Promise<BootProof | undefined>;
};

export type LoadServices = Services & {
  /**
   * Must be called with the known facts before external calls about an activity. Ends the load if the
   * caller's vote could not affect the outcome; the activity is then refused. `isWhole`: policies read no
   * further facts.
   */
  readonly rejectEarlyIfImpossible: (facts: Facts, known: { readonly isWhole: boolean }) => void;
  /** Yields to other requests, between the parts of a long step. */
  readonly pause: () => Promise<void>;
  /** Computes a value that depends only on the parameters, once for a request. */
  readonly once: Once;
  /** Calls external services once for a request, however often it is decided. The name is the key. */
  readonly askOnce: Once;
  readonly external: ExternalServices;
  /**
   * Verifies an OIDC token with the keys of its issuer. Raises `oidc_token_invalid`,
   * `oidc_issuer_unavailable`, `oidc_issuer_not_accepted`.
   */
  readonly verifyIdToken: (token: string) => Promise<OidcClaims>;
  /** Returns true if an activity anywhere in the deployment used the token with this id. */
  readonly isTokenUsed: (tokenId: string) => Promise<boolean>;
  /** Returns the current parent of this organization. */
  readonly parent: () => Promise<OrganizationView | undefined>;
  /** Returns the organization that pays for sponsored transactions of this one. */
  readonly sponsoring: () => Promise<Sponsoring>;
  /** Returns the siblings (for a parent: the children) that registered a value. */
  readonly relativesWith: (index: ChildIndex, value: string) => Promise<readonly string[]>;
};

/** The organization that sponsors: the parent, or without a parent the organization itself. */
export type Sponsoring = {
  readonly state: OrganizationState;
  readonly organization: OrganizationView;
  readonly read: Reader;
  readonly keyring: Keyring;
  /** Returns true if its policies allow a payment without a vote by a user or its root quorum. */
  readonly allows: (subject: Subject, facts: Facts) => Promise<boolean>;
};

/** An event of a webhook endpoint, with its body. */
export type EventToSign = Pick<
  Delivery,
  'eventId' | 'eventType' | 'organizationId' | 'sequence'
> & { readonly body: Uint8Array };

/** Creates the headers of an event for an attempt at a time, with a signature. */
export type SignEvent = (
  event: EventToSign,
  timestampMs: number,
) => Promise<readonly { readonly name: string; readonly value: string }[]>;

/** The services that an answer may need beyond the organization. */
export type QueryServices = {
  readonly receipts: ReceiptSource;
  readonly signEvent: SignEvent;
  readonly deployment: Deployment;
  readonly external: ExternalServices;
  /** Returns the keyring of an organization. `mark` names the organization's own key, if it has one. */
  readonly keyring: (organizationId: string, mark?: OrganizationKeyMark) => Keyring;
  /** Milliseconds since 1970. */
  readonly clock: () => number;
};

export type ApplyServices = Services & {
  /** Sends a message once the activity is durable. */
  readonly send: (message: OutgoingMessage) => void;
  /** Returns true if this request may try a code. The try counts immediately, even if the commit fails. */
  readonly admitTry: (code: {
    readonly id: string;
    readonly expiresAtMs: number;
    /** Maximum number of tries. Default: the limit of one-time codes. */
    readonly maximum?: number;
  }) => boolean;
  /** Runs a function once the activity is durable. */
  readonly afterCommit: (run: () => void) => void;
};
