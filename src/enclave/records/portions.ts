// Bounds the reads and the answer of one request by bytes instead of rows.

import type { LargeReads } from './large_reads.ts';

/** The environment of a read. */
export type Reading = {
  readonly large: LargeReads;
  /** Yields the thread to other requests. */
  readonly pause: () => Promise<void>;
  /**
   * Reports that other requests of an organization wait for the caller, until the returned function is
   * called.
   */
  readonly workFor: (organizationId: string) => () => void;
};

type Portion = {
  /** Returns true if further bytes fit. The first bytes always fit. */
  fits(bytes: number): boolean;
  /** Adds bytes that were read. Waits for a large-read place once the bytes exceed a bound. */
  add(bytes: number): Promise<void>;
  /** Returns the number of added bytes. */
  bytes(): number;
  /** Returns true if another item as large as the largest so far would fit. */
  hasRoom(): boolean;
};

/** Maximum bytes of rows in one answer; a single row may be larger. */
const maximumPortionBytes = 4 * 1024 * 1024;
/** A request with more bytes needs a place for large reads. */
const largeBytes = 1024 * 1024;
/** Maximum bytes of rows that are opened without a pause. */
const pieceBytes = 64 * 1024;

/** Creates the portion of one read of an organization. */
export function createPortion(organizationId: string, { large, pause }: Reading): Portion {
  const pauses = createPauses(pause);
  let total = 0;
  let largest = 0;
  return {
    fits: (bytes) => total === 0 || total + bytes <= maximumPortionBytes,
    add: async (bytes) => {
      total += bytes;
      largest = Math.max(largest, bytes);
      if (total > largeBytes && large.mustEnter()) await large.enter(organizationId);
      await pauses.after(bytes);
    },
    bytes: () => total,
    hasRoom: () => total + largest <= maximumPortionBytes,
  };
}

/** Creates a function that pauses after this many bytes. */
export function createPauses(pause: () => Promise<void>): {
  after(bytes: number): Promise<void>;
} {
  let since = 0;
  return {
    after: async (bytes) => {
      since += bytes;
      if (since < pieceBytes) return;
      since = 0;
      await pause();
    },
  };
}
