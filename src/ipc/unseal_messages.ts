// Messages by which an enclave collects shares of its root key, before it starts.

import { bytes, number, optional, struct, text } from './codec.ts';

/** The shares of a collection: how many were given, and how many give the key. */
const progress = { given: number, threshold: number };

export const unsealMessages = {
  /**
   * Names the sharing whose shares the enclave collects, always the same, and returns the enclave's statement
   * about itself: JSON with the key to which shares are sealed, signed (r ‖ s) by the other half of that key.
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
