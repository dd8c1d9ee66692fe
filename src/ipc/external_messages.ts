// The messages by which the enclave asks the world, through the gateway.

import type { Schema } from './codec.ts';
import { boolean, bytes, list, nothing, number, optional, struct, text } from './codec.ts';

export type Message = { request: Schema; answer: Schema };

/** The enclave's requests to the world through the gateway. */
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
  /** The balance of an address on a chain; no answer if its node could not be asked. */
  chainAmounts: {
    request: struct({ caip2: text, address: text }),
    answer: struct({ amounts: optional(list(struct({ caip19: text, amount: text }))) }),
  },
  /** The chains whose nodes answer, and the time of the last backup in milliseconds since 1970. */
  serviceHealth: {
    request: nothing,
    answer: struct({ answering: list(text), lastBackupAtMs: optional(number) }),
  },
  /** Number of an address's transactions in blocks; no answer if the node was unreachable. */
  transactionCount: {
    request: struct({ caip2: text, address: text }),
    answer: struct({ count: optional(text) }),
  },
  /**
   * The members that a transaction needs before it is signed, numbers decimal; or the data that its
   * call reverts with; neither where the node could not be asked.
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
  /** The same for a sponsored transaction. */
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
  /** The first word that each call answers, decimal; no values if no node answered. */
  fetchContractValues: {
    request: struct({ caip2: text, calls: list(struct({ to: text, data: text })) }),
    answer: struct({ values: optional(list(struct({ value: optional(text) }))) }),
  },
  /** Published rewards of an address, in JSON; absent if the source is not available. */
  fetchRewards: {
    request: struct({ caip2: text, address: text }),
    answer: struct({ published: optional(text) }),
  },
  /** Lifetime of a transaction, or the failure of its simulation; neither if no node answered. */
  fetchSolanaFields: {
    request: struct({ caip2: text, transaction: text, hash: text, nonceAccount: optional(text) }),
    answer: struct({
      filled: optional(
        struct({ slot: number, height: number, isRecent: boolean, nonce: optional(text) }),
      ),
      refusal: optional(text),
    }),
  },
  /** An order to the holder of an external key; `reason` says why there are no signatures. */
  orderSignatures: {
    request: struct({ order: text, signature: bytes }),
    answer: struct({ heldBy: text, signatures: optional(list(bytes)), reason: text }),
  },
} as const satisfies Record<string, Message>;

export type ExternalMessages = typeof externalMessages;
