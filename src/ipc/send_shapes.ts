// Messages about transactions under way, by the family of their chain.

import { boolean, list, number, optional, struct, text } from './codec.ts';

/** A transaction under way. */
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
  /** For Ethereum, decimal. */
  nonce: optional(text),
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
export const solanaFailure = struct({
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
