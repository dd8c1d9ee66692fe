// The gateway's requests to the enclave about the log.

import { boolean, bytes, list, nothing, number, optional, struct, text } from './codec.ts';

export const logMessages = {
  /**
   * Appends durable activities to the log. Writes nothing if another node appended meanwhile. `note` is the
   * signed checkpoint; empty before the first entry.
   */
  appendLog: {
    phase: 'running',
    work: { account: 'log', custody: 'changes', isLarge: true },
    request: struct({
      waiting: list(struct({ organizationId: text, activityId: text, version: number })),
    }),
    answer: struct({ isLost: boolean, note: text }),
  },
  /** Returns the newest checkpoint (absent before the first entry), and the key that verifies it. */
  logCheckpoint: {
    phase: 'running',
    work: { account: 'log readers', custody: 'serves' },
    request: nothing,
    answer: struct({ note: optional(text), key: text }),
  },
  /** Returns the consistency proof between two sizes of the log, for a witness. */
  logConsistency: {
    phase: 'running',
    work: { account: 'log', custody: 'serves' },
    request: struct({ from: number, to: number }),
    answer: struct({ proof: list(bytes) }),
  },
  /** Stores a cosigned checkpoint. Receipts then contain it. */
  rememberCosigned: {
    phase: 'running',
    work: { account: 'log', custody: 'serves' },
    request: struct({ note: text }),
    answer: nothing,
  },
  /** Returns the tile at a C2SP path; absent if the log has no such tile. */
  logTile: {
    phase: 'running',
    work: { account: 'log readers', custody: 'serves' },
    request: struct({ path: text }),
    answer: struct({ body: optional(bytes) }),
  },
} as const;
