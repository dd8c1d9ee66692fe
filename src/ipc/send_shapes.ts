// Shapes of chains and pending transactions in messages.

import { boolean, list, number, optional, struct, text } from './codec.ts';

export const chainName = { caip2: text, fromBlock: optional(number) };
/** The asset that an account holds or moves. */
const asset = { symbol: text, name: text, decimals: number, caip19: text };

/** See core/external/external_services.ts. */
export const deployedChain = struct({
  ...chainName,
  assets: list(struct(asset)),
  gasStation: optional(
    struct({ address: text, codeHash: text, delegate: text, delegateCodeHash: text }),
  ),
  swaps: optional(
    struct({
      router: text,
      quoter: text,
      wrappedCoin: text,
      feeTiers: list(number),
      swapGas: number,
    }),
  ),
  rewards: optional(struct({ distributor: text })),
  vaults: list(
    struct({
      address: text,
      caip19: text,
      name: text,
      curator: text,
      provider: text,
      depositGas: number,
    }),
  ),
});

export const blockTransfer = struct({
  txHash: text,
  address: text,
  operation: text,
  ...asset,
  amount: text,
  counterparty: optional(text),
});

/** A transaction in progress. */
export const unsettledSend = struct({
  organizationId: text,
  sendId: text,
  address: text,
  /** Empty if a freeze withholds it. */
  signedTransaction: text,
  isFrozen: boolean,
  transactionHash: text,
  status: text,
  block: optional(struct({ number, hash: optional(text) })),
  /** Decimal, only for Ethereum. */
  nonce: optional(text),
  /** The sender of the calls, and their decimal nonce at the delegate; only for sponsored transactions. */
  station: optional(struct({ sender: text, nonce: text })),
  /** See core/sends/progress.ts. */
  givenUp: optional(text),
  solana: optional(
    struct({
      hash: text,
      lastBlockHeight: optional(number),
      nonceAccount: optional(text),
      sinceSlot: number,
      isPaidByOthers: boolean,
    }),
  ),
});

/** See core/sends/progress.ts. */
export const ethereumSeen = struct({
  usedAtFinal: optional(text),
  inclusion: optional(struct({ number, hash: text, error: optional(text) })),
  newest: number,
  isTaken: boolean,
});

/** See core/organization/records/sends.ts. */
const solanaFailure = struct({
  source: text,
  transactionErrorJson: optional(text),
  logs: optional(list(text)),
  unitsConsumed: optional(text),
  innerInstructionsJson: optional(text),
});

/** See core/sends/solana_progress.ts. */
export const solanaSeen = struct({
  slot: number,
  isTaken: boolean,
  inclusion: optional(
    struct({
      slot: number,
      level: text,
      signature: optional(text),
      failure: optional(solanaFailure),
    }),
  ),
  end: optional(
    struct({ slot: number, firstSlot: number, height: optional(number), nonce: optional(text) }),
  ),
});
