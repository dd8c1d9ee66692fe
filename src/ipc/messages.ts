// Every message between gateway and enclave, in one table. `codec.ts` encodes requests and answers.

import { apiAnswer, apiRequest, vitals } from './api_shapes.ts';
import type { ValueOf } from './codec.ts';
import {
  boolean,
  bytes,
  list,
  nothing,
  number,
  omittable,
  optional,
  struct,
  text,
} from './codec.ts';
import { copyStatus, custodyMessages } from './custody_messages.ts';
import { externalMessages, type Message } from './external_messages.ts';
import { logMessages } from './log_messages.ts';
import { rotationMessages } from './rotation_messages.ts';
import {
  blockTransfer,
  chainName,
  deployedChain,
  ethereumSeen,
  solanaSeen,
  unsettledSend,
} from './send_shapes.ts';
import {
  condition,
  recordKinds,
  storedActivity,
  storedAttempt,
  storedDelivery,
  storedEvent,
  storedLookup,
  storedOrganization,
  storedRecord,
} from './stored_rows.ts';
import { unsealMessages } from './unseal_messages.ts';

const blockMark = struct({ number, hash: text });
/** An epoch of the custody record of an organization. */
const anchor = struct({ organizationId: text, epoch: number });
const page = struct({
  greaterThan: optional(text),
  lessThan: optional(text),
  ascending: boolean,
  limit: number,
});

/** Before `start` or `startCustody` has passed the root key, the enclave accepts nothing else. */
export type Phase = 'before_start' | 'running' | 'custody';

/** The turn and the custody check of an internal message. */
export type ServiceWork = {
  /** The account of the turn: the organization of the request, or a service. */
  readonly account:
    | 'organization'
    | 'audit'
    | 'balances'
    | 'log'
    | 'log readers'
    | 'rotation'
    | 'sends';
  /** `serves`: the replica must be allowed to serve. `changes`: it must also be allowed to change data. */
  readonly custody: 'serves' | 'changes';
  /** True if it takes a place among the large reads. */
  readonly isLarge?: true;
};

/** The gateway's requests to the enclave, with the phase in which the enclave accepts each. */
export const enclaveMessages = {
  /**
   * Sends the root key (32 bytes), or both root keys of a rotation (64 bytes), and the settings of the
   * enclave. Without a key, the enclave uses the key collected from shares. Answered once.
   */
  start: {
    phase: 'before_start',
    request: struct({
      rootKey: optional(bytes),
      /** True if the gateway can read the next root key of a rotation later. Default: false. */
      givesNextKey: omittable(boolean),
      liveness: struct({ maximumAgeMs: number, maximumAheadMs: number }),
      deployment: struct({
        publicUrl: text,
        isDevelopment: boolean,
        sendsEmail: boolean,
        sendsSms: boolean,
        smsPrefixes: optional(list(text)),
        compatibleWebhooks: boolean,
        oidcIssuers: optional(list(text)),
        acceptsUnboundTokens: boolean,
        acceptsUnboundIdentities: boolean,
        refusesUnknownMembers: boolean,
        captchaSiteKey: optional(text),
        chains: list(deployedChain),
      }),
    }),
    answer: nothing,
  },
  /** Creates the first organization in an empty database; otherwise returns its ID. */
  bootstrap: {
    phase: 'running',
    request: struct({
      organizationName: text,
      userName: text,
      apiKeyName: text,
      /** Compressed P-256 point, hex. */
      apiPublicKey: text,
      /** True if browsers can sign up from the start, through the onboarding proxy. */
      enablesAuthProxy: boolean,
    }),
    answer: struct({
      organizationId: text,
      userId: text,
      apiKeyId: text,
      apiPublicKey: text,
      authProxyConfigId: text,
    }),
  },
  /** One API request, answered once its outcome is durable. */
  request: { phase: 'running', request: apiRequest, answer: apiAnswer },
  /**
   * Prepares the answer to a request that only adds one activity. The answer is valid once the gateway has
   * committed the addition; otherwise the gateway sends the request as `request`. The answer of a query is
   * valid if `versions` are the newest versions of the organizations in the store.
   */
  prepare: {
    phase: 'running',
    request: apiRequest,
    answer: struct({
      answer: apiAnswer,
      /** Undefined if the answer is already valid. */
      addition: optional(
        struct({
          conditions: list(condition),
          activity: storedActivity,
          events: list(storedEvent),
        }),
      ),
      versions: list(struct({ organizationId: text, version: number, guard: number })),
    }),
  },
  /** Drops the derived keys of an organization that another enclave changed. */
  organizationChanged: {
    phase: 'running',
    request: struct({ organizationId: text }),
    answer: nothing,
  },
  /** Asks the enclave not to begin a request whose client disconnected. */
  cancel: { phase: 'running', request: struct({ cancelId: number }), answer: nothing },
  /**
   * Signs one attempt at each delivery to an endpoint, and returns its headers and body. If nothing is to be
   * sent, `outcome` gives the reason, see `SignOutcome` in deliveries.ts. Covers as many of the first
   * deliveries as fit into one answer, at least one.
   */
  signDeliveries: {
    phase: 'running',
    work: { account: 'organization', custody: 'changes', isLarge: true },
    request: struct({
      endpointId: text,
      organizationId: text,
      deliveries: list(struct({ eventId: text, sequence: number, body: bytes })),
    }),
    answer: list(
      struct({
        outcome: text,
        url: text,
        headers: list(struct({ name: text, value: text })),
        body: bytes,
      }),
    ),
  },
  /**
   * Disables an endpoint that has failed for `disableAfterMs` since its last change. The URL of a feature
   * stays.
   */
  disableEndpoint: {
    phase: 'running',
    work: { account: 'organization', custody: 'changes' },
    request: struct({
      organizationId: text,
      endpointId: text,
      failingSinceMs: number,
      disableAfterMs: number,
    }),
    answer: struct({ isDisabled: boolean }),
  },
  /**
   * Returns lines of the audit stream as JSON, without line feeds. Covers as many of the first entries as fit
   * into one answer, at least one.
   */
  auditLines: {
    phase: 'running',
    work: { account: 'audit', custody: 'changes', isLarge: true },
    request: struct({
      entries: list(struct({ number, organizationId: text, activityId: text, version: number })),
    }),
    answer: struct({ lines: list(bytes) }),
  },
  /** Position in a chain, see core/balances/cursor.ts. */
  chainCursor: {
    phase: 'running',
    request: struct(chainName),
    answer: struct({ version: number, blocks: list(blockMark) }),
  },
  /**
   * Records the next step of a chain with the transfers of its block, whose addresses are not matched yet.
   * `version` is that of the cursor. Returns one of `observeOutcomes` in balances.ts.
   */
  observe: {
    phase: 'running',
    work: { account: 'balances', custody: 'changes' },
    request: struct({
      ...chainName,
      version: number,
      confirmations: number,
      lag: number,
      step: text,
      block: struct({
        number,
        hash: text,
        parent: blockMark,
        timestampMs: number,
        transfers: list(blockTransfer),
        transactions: list(
          struct({
            txHash: text,
            from: text,
            to: optional(text),
            fee: text,
            hasFailed: boolean,
            signers: list(struct({ address: text, isWritable: boolean })),
          }),
        ),
      }),
    }),
    answer: struct({ outcome: text }),
  },
  /** Metrics of the enclave's process since the last call. */
  vitals: {
    phase: 'running',
    request: nothing,
    answer: vitals,
  },
  /** Returns the transactions in progress on a chain, oldest first. */
  unsettledSends: {
    phase: 'running',
    work: { account: 'sends', custody: 'changes' },
    request: struct({ caip2: text }),
    answer: list(unsettledSend),
  },
  /**
   * Sent right before the broadcast of a transaction. Returns false if a freeze stops it or it was abandoned.
   */
  maySend: {
    phase: 'running',
    work: { account: 'organization', custody: 'changes' },
    request: struct({ organizationId: text, sendId: text }),
    answer: boolean,
  },
  /**
   * Reports the nodes' view of a transaction in progress, in the member of its chain's family: see
   * core/sends/progress.ts and solana_progress.ts.
   */
  sendSeen: {
    phase: 'running',
    work: { account: 'organization', custody: 'changes' },
    request: struct({
      organizationId: text,
      sendId: text,
      confirmations: number,
      ethereum: optional(ethereumSeen),
      solana: optional(solanaSeen),
    }),
    answer: nothing,
  },
  /** Forwards the mail carrier's report about a mail: see core/external/email_events.ts. */
  emailSeen: {
    phase: 'running',
    work: { account: 'organization', custody: 'changes' },
    request: struct({
      organizationId: text,
      messageId: text,
      eventType: text,
      from: text,
      to: text,
      reason: optional(text),
      isPermanent: optional(boolean),
    }),
    answer: nothing,
  },
  /** Returns the documents about the service itself for clients, as JSON. */
  discovery: {
    phase: 'running',
    request: nothing,
    answer: struct({
      /** Returns the configuration of the service as an OIDC issuer, and its key set. */
      issuerConfiguration: bytes,
      issuerKeySet: bytes,
      serviceKeys: bytes,
    }),
  },
  /** Returns the key set (JWKS) of webhooks, as JSON. */
  webhookKeySet: { phase: 'running', request: nothing, answer: struct({ body: bytes }) },
  /** Returns whether this replica may sign, or the reason why not. A refused replica serves no requests. */
  copyStatus: {
    phase: 'running',
    request: nothing,
    answer: copyStatus,
  },
  ...custodyMessages,
  ...logMessages,
  ...rotationMessages,
  ...unsealMessages,
} as const satisfies Record<
  string,
  Message & { readonly phase: Phase; readonly work?: ServiceWork }
>;

/** The enclave's requests to the gateway: the store, external services and the log. */
export const gatewayMessages = {
  ...externalMessages,
  deployment: { request: nothing, answer: struct({ body: optional(bytes) }) },
  /** Returns the newest epoch stored outside of the database. */
  anchor: { request: nothing, answer: struct({ anchor: optional(anchor) }) },
  /** Stores the epoch durably, unless the stored epoch is equal or newer. */
  setAnchor: { request: anchor, answer: struct({ raised: boolean }) },
  /** Returns the newest checkpoint of the log stored outside of the database. */
  logAnchor: { request: nothing, answer: struct({ note: optional(text) }) },
  /** Returns the newest checkpoints of these logs that witnesses cosigned. Raises `witnesses_unanswered`. */
  witnessed: {
    request: struct({ origins: list(text) }),
    answer: struct({ checkpoints: list(struct({ witness: text, note: text })) }),
  },
  organization: {
    request: struct({
      organizationId: text,
      kinds: recordKinds,
      knownVersion: number,
      fingerprint: optional(struct({ bucket: number, fingerprint: bytes })),
    }),
    answer: struct({
      version: optional(number),
      guard: optional(number),
      organization: optional(storedOrganization),
      records: list(storedRecord),
      activity: optional(storedActivity),
    }),
  },
  children: { request: struct({ parentId: text, page }), answer: list(text) },
  records: {
    request: struct({
      organizationId: text,
      kind: text,
      ids: list(text),
      maximumBytes: optional(number),
    }),
    answer: list(storedRecord),
  },
  recordPage: {
    request: struct({ organizationId: text, kind: text, groupId: optional(text), page }),
    answer: list(storedRecord),
  },
  lookup: {
    request: struct({ index: text, blind: bytes, limit: number, after: optional(text) }),
    answer: list(storedLookup),
  },
  lookups: {
    request: struct({ index: text, blinds: list(bytes) }),
    answer: list(storedLookup),
  },
  activity: {
    request: struct({ organizationId: text, id: text, maximumBytes: optional(number) }),
    answer: struct({ activity: optional(storedActivity) }),
  },
  activityPage: {
    request: struct({ organizationId: text, statuses: list(text), types: list(text), page }),
    answer: list(storedActivity),
  },
  deliveryPage: {
    request: struct({ endpointId: text, after: number, limit: number, eventIds: list(text) }),
    answer: struct({
      lastSequence: number,
      deliveries: list(storedDelivery),
      attempts: list(storedAttempt),
    }),
  },
  commit: {
    request: struct({
      conditions: list(condition),
      organizations: list(storedOrganization),
      records: list(storedRecord),
      deletedRecords: list(struct({ organizationId: text, kind: text, id: text })),
      lookups: list(storedLookup),
      deletedLookups: list(storedLookup),
      activities: list(storedActivity),
      events: list(storedEvent),
      redeliveries: list(struct({ endpointId: text, first: number, last: number, atMs: number })),
      deployment: optional(bytes),
    }),
    answer: text,
  },
  /** Writes a line to the operator's log: level, sentence, and fields as JSON. Never a secret. */
  log: { request: struct({ level: text, message: text, fields: text }), answer: nothing },
} as const satisfies Record<string, Message>;

export type EnclaveMessages = typeof enclaveMessages;
export type GatewayMessages = typeof gatewayMessages;

export type RequestOf<M extends Message> = ValueOf<M['request']>;
export type AnswerOf<M extends Message> = ValueOf<M['answer']>;

/** The entry point of an API request in the gateway. */
export type RequestKind = RequestOf<EnclaveMessages['request']>['kind'];
