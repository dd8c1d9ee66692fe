// Writes log lines without waiting for their reader. A full disk or a blocked pipe only loses lines, which
// are counted.

import type { Clock } from '../base/clock.ts';

/** Maximum bytes of lines that wait for the reader. */
export const keptBytesMaximum = 1024 * 1024;
/** Interval between attempts while lines are buffered. */
export const retryMs = 25;
/** Maximum time that `end` waits for a reader. */
const lastWaitMs = 500;
const attemptBytes = 64 * 1024;

type LineWriter = {
  /** Writes a line, buffers it, or drops it if the buffer is full. */
  write(line: string): void;
  /** Returns how many lines were dropped so far. */
  dropped(): number;
  /** Writes the buffer; lines not accepted within `lastWaitMs` are dropped. */
  end(): Promise<void>;
};

type LineWriterOptions = {
  /** Writes some bytes without waiting and returns their number; throws if it can write none. */
  readonly write: (bytes: Uint8Array) => number;
  /** Returns the line that reports the number of dropped lines. */
  readonly report: (dropped: number) => string;
  readonly clock: Clock;
};

export function createLineWriter({ write, report, clock }: LineWriterOptions): LineWriter {
  let kept: Uint8Array[] = [];
  let keptBytes = 0;
  let droppedCount = 0;
  let reportedCount = 0;
  let isWaiting = false;
  let resolveEnd = (): void => undefined;

  function keep(bytes: Uint8Array): void {
    kept.push(bytes);
    keptBytes += bytes.length;
  }

  /** Writes the buffer, then the number of dropped lines; or retries later. */
  function flush(): void {
    isWaiting = false;
    try {
      while (kept.length > 0) {
        writeOnce();
        if (kept.length > 0 || reportedCount === droppedCount) continue;
        keep(Buffer.from(report(droppedCount - reportedCount)));
        reportedCount = droppedCount;
      }
      resolveEnd();
    } catch {
      // The buffer is bounded, so any error is retried.
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
      resolveEnd = resolve;
      const timer = setTimeout(resolve, lastWaitMs);
      await promise;
      clearTimeout(timer);
    },
  };
}
