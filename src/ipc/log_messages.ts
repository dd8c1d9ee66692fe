// The gateway's requests to the enclave about the log.

import { boolean, bytes, list, nothing, number, optional, struct, text } from './codec.ts';

export const logMessages = {
  /**
   * Appends activities that became durable to the log. Where another node appended meanwhile, nothing was
   * written. The note is the checkpoint, signed; empty before the first entry.
   */
  appendLog: {
    phase: 'running',
    work: { account: 'log', custody: 'changes', isLarge: true },
    request: struct({
      waiting: list(struct({ organizationId: text, activityId: text, version: number })),
    }),
    answer: struct({ isLost: boolean, note: text }),
  },
  /** The newest checkpoint, absent before the first entry, and the key that verifies it. */
  logCheckpoint: {
    phase: 'running',
    work: { account: 'log', custody: 'serves' },
    request: nothing,
    answer: struct({ note: optional(text), key: text }),
  },
  /** The consistency proof between two sizes of the log, for a witness. */
  logConsistency: {
    phase: 'running',
    work: { account: 'log', custody: 'serves' },
    request: struct({ from: number, to: number }),
    answer: struct({ proof: list(bytes) }),
  },
  /** Remembers a checkpoint with cosignatures, which receipts then contain. */
  rememberCosigned: {
    phase: 'running',
    work: { account: 'log', custody: 'serves' },
    request: struct({ note: text }),
    answer: nothing,
  },
  /** A tile by its path as C2SP spells it; absent where the log has no such tile. */
  logTile: {
    phase: 'running',
    work: { account: 'log', custody: 'serves' },
    request: struct({ path: text }),
    answer: struct({ body: optional(bytes) }),
  },
} as const;
