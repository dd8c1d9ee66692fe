// Collects the frames of one turn of the event loop into chunks.

import { ServiceError } from '../core/errors/errors.ts';
import type { Channel } from './channel.ts';
import { FrameWriter } from './codec.ts';

export const frameKinds = { request: 0, answer: 1, error: 2 };

export type FrameSender = {
  /**
   * Adds a frame to the chunk, which is written at the end of this turn, or earlier once it is large: the
   * other side then reads the first frames while this side writes the next. A frame that fails is removed.
   * Raises `answer_too_large`.
   */
  send(kind: number, correlation: number, writePayload: (writer: FrameWriter) => void): void;
  /** Sends the collected frames now. */
  flush(): void;
  /** Number of collected bytes that were not sent yet. */
  waitingBytes(): number;
  /** Discards the collected frames. */
  drop(): void;
};

/** Delays frames, to send them with those of later turns. */
export type Hold = {
  /** Returns true while frames may wait. */
  readonly mayHold: () => boolean;
  /** Milliseconds of a monotonic clock. */
  readonly clock: () => number;
};

const noHold: Hold = { mayHold: () => false, clock: () => 0 };

/**
 * Creates a sender of frames of at most `maximumBytes`. `underWay` counts the requests of both sides; `taken`
 * is called when a chunk has left. While `mayHold` returns true, frames wait for those of later turns, up to
 * a bound.
 */
export function createFrameSender(
  channel: Channel,
  maximumBytes: number,
  underWay: () => number,
  taken: () => void = () => {},
  { mayHold, clock }: Hold = noHold,
): FrameSender {
  let outgoing: FrameWriter | undefined;
  let framesWaiting = 0;
  let heldSinceMs = 0;
  const idleWriters: FrameWriter[] = [];

  const flush = (): void => {
    if (outgoing === undefined) return;
    const writer = outgoing;
    outgoing = undefined;
    framesWaiting = 0;
    channel.write(writer.written(), () => {
      taken();
      if (idleWriters.length >= maximumIdleWriters || writer.capacity > maximumIdleBytes) return;
      writer.truncate(0);
      idleWriters.push(writer);
    });
  };

  const flushUnlessHeld = (): void => {
    const isHeld = mayHold() && clock() - heldSinceMs < longestHoldMs;
    if (isHeld && outgoing !== undefined) setImmediate(flushUnlessHeld);
    else flush();
  };

  return {
    send: (kind, correlation, writePayload) => {
      if (outgoing === undefined) {
        outgoing = idleWriters.pop() ?? new FrameWriter(firstChunkBytes);
        heldSinceMs = clock();
        setImmediate(flushUnlessHeld);
      }
      const writer = outgoing;
      writeFrame(writer, maximumBytes, () => {
        writer.byte(kind);
        writer.u32(correlation);
        writePayload(writer);
      });
      framesWaiting += 1;
      const fullFrames = Math.max(fullChunkFrames, underWay() * fullChunkShare);
      if (framesWaiting >= fullFrames || writer.length >= fullChunkBytes) flush();
    },
    flush,
    waitingBytes: () => outgoing?.length ?? 0,
    drop: () => {
      outgoing = undefined;
    },
  };
}

function writeFrame(writer: FrameWriter, maximumBytes: number, writeContent: () => void): void {
  const start = writer.length;
  try {
    writer.u32(0);
    writeContent();
    const length = writer.length - start - 4;
    if (length > maximumBytes) throw new ServiceError('answer_too_large');
    writer.patchU32(start, length);
  } catch (error) {
    writer.truncate(start);
    throw error;
  }
}

const firstChunkBytes = 4 * 1024;
/** The size at which a chunk leaves without waiting for the end of the turn. */
const fullChunkBytes = 1024 * 1024;
/** Number of frames sent together, or this share of all requests under way if that is more. */
const fullChunkFrames = 4;
const fullChunkShare = 1 / 8;
/** The longest delay of a frame. */
export const longestHoldMs = 8;
/** Maximum number of writers to reuse, and the maximum capacity of each. */
const maximumIdleWriters = 4;
const maximumIdleBytes = 64 * 1024;
