// The messages by which the enclave reaches external services, through the gateway.

import type { Schema } from './codec.ts';
import { boolean, bytes, list, nothing, number, optional, struct, text } from './codec.ts';

export type Message = { request: Schema; answer: Schema };

/** The enclave's requests to external services. */
export const externalMessages = {
  /** Returns the key set (JWKS) of an issuer as JSON, or the reason of the failure. */
  issuerKeys: {
    request: struct({ issuer: text, keyId: optional(text) }),
    answer: struct({ keys: optional(text), isAccepted: boolean, reason: text }),
  },
  /** Sends e-mails and text messages now. */
  deliver: {
    request: struct({
      messages: list(
        struct({
          channel: text,
          to: text,
          account: optional(text),
          subject: optional(text),
          text,
          html: optional(text),
          from: optional(text),
          senderName: optional(text),
          replyTo: optional(text),
          /** For e-mails: returned with `emailSeen`. */
          reference: optional(struct({ organizationId: text, messageId: text })),
        }),
      ),
    }),
    answer: nothing,
  },
  /** Sends one HTTP request to an OAuth 2.0 provider. The answer is absent if the request failed. */
  fetch: {
    request: struct({
      url: text,
      method: text,
      headers: list(struct({ name: text, value: text })),
      body: bytes,
    }),
    answer: struct({ answer: optional(struct({ status: number, body: bytes })) }),
  },
  /** Returns why deliveries to a URL are forbidden; undefined if they are allowed. */
  refusedTarget: {
    request: struct({ url: text }),
    answer: struct({ reason: optional(text) }),
  },
  verifyCaptcha: {
    request: struct({ token: text, remoteAddress: text }),
    answer: struct({ isSolved: boolean }),
  },
  /** Returns the balances of an address on a chain; absent if no node answered. */
  chainAmounts: {
    request: struct({ caip2: text, address: text }),
    answer: struct({ amounts: optional(list(struct({ caip19: text, amount: text }))) }),
  },
  /** Returns the chains whose nodes answer, and the time of the last backup (milliseconds since 1970). */
  serviceHealth: {
    request: nothing,
    answer: struct({ answering: list(text), lastBackupAtMs: optional(number) }),
  },
  /** Returns the number of an address's transactions in blocks; absent if no node answered. */
  transactionCount: {
    request: struct({ caip2: text, address: text }),
    answer: struct({ count: optional(text) }),
  },
  /**
   * Returns the fields that a transaction needs before it is signed, as decimal numbers, or the revert data
   * of its call. Both are absent if no node answered.
   */
  fetchEthereumFields: {
    request: struct({
      caip2: text,
      from: text,
      to: text,
      value: text,
      data: text,
      estimatesGas: boolean,
    }),
    answer: struct({
      filled: optional(struct({ used: text, baseFee: text, tip: text, gas: optional(text) })),
      refusal: optional(text),
    }),
  },
  /** Like `fetchEthereumFields`, for a sponsored transaction. */
  fetchSponsoredFields: {
    request: struct({
      caip2: text,
      sponsor: text,
      from: text,
      station: struct({ address: text, delegate: text }),
      calls: list(struct({ to: text, value: text, data: text })),
      estimatesGas: boolean,
    }),
    answer: struct({
      filled: optional(
        struct({
          used: text,
          baseFee: text,
          tip: text,
          gas: optional(text),
          usedBySender: text,
          senderCode: text,
          stationNonce: text,
          stationCode: text,
          delegateCode: text,
        }),
      ),
      /** The called address and its revert data. */
      refusal: optional(struct({ to: text, data: text })),
    }),
  },
  /** Returns the first word of each call's result, decimal; absent if no node answered. */
  fetchContractValues: {
    request: struct({ caip2: text, calls: list(struct({ to: text, data: text })) }),
    answer: struct({ values: optional(list(struct({ value: optional(text) }))) }),
  },
  /** Returns the published rewards of an address as JSON; absent if the source is not available. */
  fetchRewards: {
    request: struct({ caip2: text, address: text }),
    answer: struct({ published: optional(text) }),
  },
  /** Returns the lifetime of a transaction or the failure of its simulation; neither without a node. */
  fetchSolanaFields: {
    request: struct({ caip2: text, transaction: text, hash: text, nonceAccount: optional(text) }),
    answer: struct({
      filled: optional(
        struct({ slot: number, height: number, isRecent: boolean, nonce: optional(text) }),
      ),
      refusal: optional(text),
    }),
  },
  /** Requests signatures from the holder of an external key; `reason` says why there are none. */
  orderSignatures: {
    request: struct({ order: text, signature: bytes }),
    answer: struct({ heldBy: text, signatures: optional(list(bytes)), reason: text }),
  },
} as const satisfies Record<string, Message>;

export type ExternalMessages = typeof externalMessages;
