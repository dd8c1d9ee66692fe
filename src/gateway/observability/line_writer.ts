// Writes the lines of the log without waiting for their reader: a full disk or a pipe that nobody reads
// costs lines, which are counted, and nothing else.

import type { Clock } from '../base/clock.ts';

/** Bounds the lines that cannot be written yet. */
export const keptBytesMaximum = 1024 * 1024;
/** Between two attempts while lines are kept. */
export const retryMs = 25;
/** How long `end` waits for a reader. */
export const lastWaitMs = 500;
/** One attempt at what is kept. */
const attemptBytes = 64 * 1024;

export type LineWriter = {
  /** Writes a line, or keeps it to be written later, or drops it where too much is kept. */
  write(line: string): void;
  /** Returns how many lines were dropped so far. */
  dropped(): number;
  /** Writes what is kept; what nobody takes within `lastWaitMs` is dropped. */
  end(): Promise<void>;
};

export type LineWriterOptions = {
  /** Writes some bytes at once and returns how many; raises where that is impossible just now. */
  readonly write: (bytes: Uint8Array) => number;
  /** Returns the line that reports how many were dropped. */
  readonly report: (dropped: number) => string;
  readonly clock: Clock;
};

export function createLineWriter({ write, report, clock }: LineWriterOptions): LineWriter {
  let kept: Uint8Array[] = [];
  let keptBytes = 0;
  let droppedCount = 0;
  let reportedCount = 0;
  let isWaiting = false;
  let tellEnd = (): void => undefined;

  function keep(bytes: Uint8Array): void {
    kept.push(bytes);
    keptBytes += bytes.length;
  }

  /** Writes until nothing is kept, then how many were dropped meanwhile; or tries again later. */
  function flush(): void {
    isWaiting = false;
    try {
      while (kept.length > 0) {
        writeOnce();
        if (kept.length > 0 || reportedCount === droppedCount) continue;
        keep(Buffer.from(report(droppedCount - reportedCount)));
        reportedCount = droppedCount;
      }
      tellEnd();
    } catch {
      // Whatever the reason: what is kept is bounded, and the reason may end.
      isWaiting = true;
      clock.after(retryMs, flush);
    }
  }

  function writeOnce(): void {
    const bytes = Buffer.concat(kept, Math.min(keptBytes, attemptBytes));
    let writtenBytes = write(bytes);
    keptBytes -= writtenBytes;
    const isTaken = (line: Uint8Array): boolean => {
      if (writtenBytes < line.length) return false;
      writtenBytes -= line.length;
      return true;
    };
    const first = kept.findIndex((line) => !isTaken(line));
    kept = first === -1 ? [] : kept.slice(first);
    if (writtenBytes > 0) kept[0] = (kept[0] ?? bytes).subarray(writtenBytes);
  }

  return {
    write: (line) => {
      const bytes = Buffer.from(line);
      if (keptBytes + bytes.length > keptBytesMaximum) {
        droppedCount += 1;
        return;
      }
      keep(bytes);
      if (!isWaiting) flush();
    },
    dropped: () => droppedCount,
    end: async () => {
      if (kept.length === 0) return;
      const { promise, resolve } = Promise.withResolvers<void>();
      tellEnd = resolve;
      const timer = setTimeout(resolve, lastWaitMs);
      await promise;
      clearTimeout(timer);
    },
  };
}
