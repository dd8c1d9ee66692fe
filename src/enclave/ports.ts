// The interfaces through which the enclave reaches its environment.

import type { ExternalServices } from '../core/external/external_services.ts';
import type { Program } from '../core/proofs/boot_proofs.ts';
import type { StorePort } from '../store/port.ts';
import type { ReadVitals } from './measurements/vitals.ts';
import type { AnchorPort } from './records/custody_reader.ts';
import type { LargeReads } from './records/large_reads.ts';
import type { WitnessedCheckpoint } from './services/log_anchor.ts';
import type { FairTurns } from './turns/fair_turns.ts';

export type EnclavePorts = {
  readonly store: StorePort;
  readonly external: ExternalServices;
  /** Milliseconds since 1970. */
  readonly clock: () => number;
  readonly random: (length: number) => Uint8Array;
  /** Writes a line to the operator's log. Never a secret. */
  readonly log: (
    level: 'info' | 'warn' | 'error',
    message: string,
    fields: Readonly<Record<string, string | number>>,
  ) => void;
  /** The rules that the enclave enforces. Default: all rules of this release. */
  readonly rules?: readonly string[];
  /** Writes the newest epoch to a place outside the store. Optional. */
  readonly anchor?: AnchorPort;
  /** Reads the newest checkpoint from a place outside the store. Optional. */
  readonly logAnchor?: () => Promise<string | undefined>;
  /** Returns the newest checkpoints of logs that witnesses cosigned. Optional. */
  readonly witnessed?: (origins: readonly string[]) => Promise<readonly WitnessedCheckpoint[]>;
  /** The running program, if its digests are known. */
  readonly program?: Program;
  /** Scheduler of the thread. Default: no scheduling. */
  readonly turns?: FairTurns;
  /** Schedules reads of large rows. Default: all run at once. */
  readonly large?: LargeReads;
  /** False for a single thread, which deterministic simulations need. */
  readonly usesThreadPool?: boolean;
  /** Monotonic clock in milliseconds for the durations of stages. Default: no durations. */
  readonly stageClock?: () => number;
  /**
   * Schedules a function and returns a function that cancels it. Absent: time limits are checked at the next
   * message.
   */
  readonly after?: (ms: number, run: () => void) => () => void;
  /** Metrics of the process. Default: none. */
  readonly vitals?: ReadVitals;
  /**
   * Returns how long the thread has been busy so far, in milliseconds; undefined shortly after the last
   * reading.
   */
  readonly busyMs?: () => number | undefined;
};
