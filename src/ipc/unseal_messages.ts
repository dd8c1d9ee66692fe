// Messages by which an enclave collects shares of its root key, before it starts.

import { bytes, number, optional, struct, text } from './codec.ts';

/** The progress of a collection: the number of received shares, and the threshold. */
const progress = { given: number, threshold: number };

export const unsealMessages = {
  /**
   * Sets the sharing to collect, which is final, and returns the enclave's statement: JSON with the
   * encryption key for shares, signed (r ‖ s) by the other half of that key.
   */
  expectShares: {
    phase: 'before_start',
    request: struct({ sharing: bytes }),
    answer: struct({ statement: text, signature: bytes, sources: text, ...progress }),
  },
  /** Adds a sealed share. `refused` is the error code of a share that does not count. */
  giveShare: {
    phase: 'before_start',
    request: struct({ encapsulatedKey: bytes, ciphertext: bytes }),
    answer: struct({ refused: optional(text), shareNumber: number, ...progress }),
  },
} as const;
