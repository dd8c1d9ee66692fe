// Every message that may cross between gateway and enclave, in one table: the only file that both
// processes share. Requests and answers are framed and coded by `codec.ts`.

import { newsKinds } from '../core/base/news.ts';
import type { Schema, ValueOf } from './codec.ts';
import {
  boolean,
  bytes,
  list,
  nothing,
  number,
  omittable,
  oneOf,
  optional,
  struct,
  text,
} from './codec.ts';

const storedRecord = struct({
  organizationId: text,
  kind: text,
  id: text,
  groupId: optional(text),
  version: number,
  body: bytes,
});
const storedOrganization = struct({
  organizationId: text,
  parentId: optional(text),
  version: number,
  head: bytes,
});
const storedActivity = struct({
  organizationId: text,
  id: text,
  type: text,
  status: text,
  bucket: number,
  fingerprint: bytes,
  createdAtMs: number,
  updatedAtMs: number,
  version: number,
  body: bytes,
});
const storedEvent = struct({
  endpointId: text,
  organizationId: text,
  eventId: text,
  createdAtMs: number,
  body: bytes,
});
const storedDelivery = struct({
  endpointId: text,
  organizationId: text,
  eventId: text,
  createdAtMs: number,
  body: bytes,
  sequence: number,
  state: text,
  sinceMs: number,
  dueAtMs: optional(number),
  attempts: number,
  failures: number,
});
const storedAttempt = struct({
  sequence: number,
  attempt: number,
  atMs: number,
  durationMs: number,
  outcome: text,
  status: optional(number),
});
const storedLookup = struct({ index: text, blind: bytes, organizationId: text, recordId: text });
const blockMark = struct({ number, hash: text });
/** A chain by its CAIP-2 name, and the block from which it is watched. */
const chainName = { caip2: text, fromBlock: optional(number) };
/** What is held or moved. */
const asset = { symbol: text, name: text, decimals: number, caip19: text };
const page = struct({
  greaterThan: optional(text),
  lessThan: optional(text),
  ascending: boolean,
  limit: number,
});

/**
 * One API request: raw body bytes and the headers that authenticate it. Its kind is `dry_run` or
 * `no_dry_run` for a submit whose header `Dry-Run` is true or false.
 */
const apiRequest = struct({
  requestId: text,
  kind: oneOf('submit', 'dry_run', 'no_dry_run', 'query', 'proxy'),
  operation: text,
  /** Headers that authenticate it, or name a proxy, as sent: lower-case name, value. */
  headers: list(struct({ name: text, value: text })),
  /** Whether the caller expects Timestamp objects on activities (see core/compatibility.ts). */
  timestampObjects: boolean,
  /** Address of the other end, or of whom trusted proxies say. */
  remoteAddress: text,
  body: bytes,
  /** The enclave begins the request before this moment or never (milliseconds since 1970). */
  deadlineAtMs: omittable(number),
  /** A number by which `cancel` names the request; the gateway never uses it twice. */
  cancelId: omittable(number),
});
const apiAnswer = struct({
  status: number,
  body: bytes,
  /** For logs and metrics, never a secret. */
  activityId: optional(text),
  organizationId: optional(text),
  errorCode: optional(text),
  /** Pages of which origin may read the answer, where that is not for everybody to read. */
  allowedOrigin: optional(text),
  /** Of a query whose caller may wait: what brings news, and whether the answer has some. */
  news: omittable(struct({ kind: oneOf(...newsKinds), id: text, hasNews: boolean })),
});

type Message = { request: Schema; answer: Schema };

/** Until `start` has handed over the root key the enclave accepts nothing else. */
export type Phase = 'before_start' | 'running';

/** What the gateway may ask of the enclave, and in which phase the enclave accepts it. */
export const enclaveMessages = {
  /** Hands over the root key (32 bytes) and the settings the enclave needs. Answered once. */
  start: {
    phase: 'before_start',
    request: struct({
      rootKey: bytes,
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
        captchaSiteKey: optional(text),
        chains: list(struct({ caip2: text, assets: list(struct(asset)) })),
      }),
    }),
    answer: nothing,
  },
  /** Makes the first organization when the database has none; later only names it. */
  bootstrap: {
    phase: 'running',
    request: struct({
      organizationName: text,
      userName: text,
      apiKeyName: text,
      /** Compressed P-256 point, hex. */
      apiPublicKey: text,
      /** Whether browsers can sign up from the start, through the onboarding proxy. */
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
  /** One API request, answered once what it does is durable. */
  request: { phase: 'running', request: apiRequest, answer: apiAnswer },
  /**
   * The same where nothing but one activity becomes durable: answered beforehand, with that activity.
   * The answer holds once the addition is committed; where it is not, the request is sent as `request`.
   */
  prepare: {
    phase: 'running',
    request: apiRequest,
    answer: struct({
      answer: apiAnswer,
      /** Undefined where the answer holds already. */
      addition: optional(
        struct({
          conditions: list(struct({ organizationId: text, version: number })),
          activity: storedActivity,
          events: list(storedEvent),
        }),
      ),
    }),
  },
  /** Tells the enclave not to begin a request: its client has disconnected. */
  cancel: { phase: 'running', request: struct({ cancelId: number }), answer: nothing },
  /**
   * Deliveries to one endpoint, an attempt at each: headers with a fresh signature, and the body. Where
   * nothing is to be sent `outcome` says why, see `SignOutcome` in deliveries.ts. Answered for as many of
   * the first as go into one answer, at least one.
   */
  signDeliveries: {
    phase: 'running',
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
   * Makes an endpoint inactive that has failed for so long since it was changed last; the URL of a
   * feature stays as it is.
   */
  disableEndpoint: {
    phase: 'running',
    request: struct({
      organizationId: text,
      endpointId: text,
      failingSinceMs: number,
      disableAfterMs: number,
    }),
    answer: struct({ isDisabled: boolean }),
  },
  /** How far a chain was watched, see core/balances/cursor.ts. */
  chainCursor: {
    phase: 'running',
    request: struct(chainName),
    answer: struct({ version: number, blocks: list(blockMark) }),
  },
  /**
   * The next step of a chain with what its block moves; addresses are not matched yet. `version` is the
   * cursor's. The answer is one of `observeOutcomes` in balances.ts.
   */
  observe: {
    phase: 'running',
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
        transfers: list(
          struct({
            txHash: text,
            address: text,
            operation: text,
            ...asset,
            amount: text,
          }),
        ),
      }),
    }),
    answer: struct({ outcome: text }),
  },
  /** What clients are to know of the service itself: documents, as JSON. */
  discovery: {
    phase: 'running',
    request: nothing,
    answer: struct({
      /** Of the service as an OIDC issuer: its configuration and its key set. */
      issuerConfiguration: bytes,
      issuerKeySet: bytes,
      serviceKeys: bytes,
    }),
  },
  /** The key set (JWKS) of webhooks, as JSON. */
  webhookKeySet: { phase: 'running', request: nothing, answer: struct({ body: bytes }) },
} as const satisfies Record<string, Message & { readonly phase: Phase }>;

/** What the enclave may ask of the world through the gateway. */
export const externalMessages = {
  /** The key set (JWKS) of an issuer, as JSON; or why there is none. */
  issuerKeys: {
    request: struct({ issuer: text, keyId: optional(text) }),
    answer: struct({ keys: optional(text), isAccepted: boolean, reason: text }),
  },
  /** E-mail and text messages, to be sent now. */
  deliver: {
    request: struct({
      messages: list(
        struct({
          channel: text,
          to: text,
          subject: optional(text),
          text,
          html: optional(text),
          from: optional(text),
          senderName: optional(text),
          replyTo: optional(text),
        }),
      ),
    }),
    answer: nothing,
  },
  /** One HTTP request to a provider of OAuth 2.0; no answer where it could not be had. */
  fetch: {
    request: struct({
      url: text,
      method: text,
      headers: list(struct({ name: text, value: text })),
      body: bytes,
    }),
    answer: struct({ answer: optional(struct({ status: number, body: bytes })) }),
  },
  /** Why deliveries may not go to a URL; undefined where they may. */
  refusedTarget: {
    request: struct({ url: text }),
    answer: struct({ reason: optional(text) }),
  },
  verifyCaptcha: {
    request: struct({ token: text, remoteAddress: text }),
    answer: struct({ isSolved: boolean }),
  },
  /** What an address holds on a chain; no answer where its node could not be asked. */
  chainAmounts: {
    request: struct({ caip2: text, address: text }),
    answer: struct({ amounts: optional(list(struct({ caip19: text, amount: text }))) }),
  },
  /** How many transactions of an address are in blocks; no answer where the node could not be asked. */
  transactionCount: {
    request: struct({ caip2: text, address: text }),
    answer: struct({ count: optional(text) }),
  },
} as const satisfies Record<string, Message>;

/** What the enclave may ask of the gateway: the store port, the world, and a place for its log. */
export const gatewayMessages = {
  ...externalMessages,
  deployment: { request: nothing, answer: struct({ body: optional(bytes) }) },
  organization: {
    request: struct({
      organizationId: text,
      kinds: list(text),
      knownVersion: number,
      fingerprint: optional(struct({ bucket: number, fingerprint: bytes })),
    }),
    answer: struct({
      version: optional(number),
      organization: optional(storedOrganization),
      records: list(storedRecord),
      activity: optional(storedActivity),
    }),
  },
  children: { request: struct({ parentId: text, page }), answer: list(text) },
  records: {
    request: struct({ organizationId: text, kind: text, ids: list(text) }),
    answer: list(storedRecord),
  },
  recordPage: {
    request: struct({ organizationId: text, kind: text, groupId: optional(text), page }),
    answer: list(storedRecord),
  },
  lookup: {
    request: struct({ index: text, blind: bytes, limit: number }),
    answer: list(storedLookup),
  },
  lookups: {
    request: struct({ index: text, blinds: list(bytes) }),
    answer: list(storedLookup),
  },
  activity: {
    request: struct({ organizationId: text, id: text }),
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
      conditions: list(struct({ organizationId: text, version: number })),
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
  /** A line for the operator's log: level, sentence, and fields as JSON. Never a secret. */
  log: { request: struct({ level: text, message: text, fields: text }), answer: nothing },
} as const satisfies Record<string, Message>;

export type EnclaveMessages = typeof enclaveMessages;
export type GatewayMessages = typeof gatewayMessages;
export type ExternalMessages = typeof externalMessages;

/** Request value of a message. */
export type RequestOf<M extends Message> = ValueOf<M['request']>;
/** Answer value of a message. */
export type AnswerOf<M extends Message> = ValueOf<M['answer']>;

/** How the gateway received an API request. */
export type RequestKind = RequestOf<EnclaveMessages['request']>['kind'];
