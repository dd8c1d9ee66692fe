// Requests and answers over one private byte channel, the same on both sides.
//
//   frame   = u32 length of the rest | u8 kind | u32 correlation | payload
//   request = u8 number of the message | value      answer = value      error = code as text
//
// The number of a message is its position in its table. A side trusts no input: it closes the link after a
// malformed frame, and answers a request that it cannot serve with an error.

import type { ErrorCode } from '../core/errors/errors.ts';
import { ServiceError } from '../core/errors/errors.ts';
import type { Channel } from './channel.ts';
import { FrameError, FrameReader } from './codec.ts';
import { frameAssembler } from './frame_assembler.ts';
import { createFrameSender, type Hold } from './frame_sender.ts';
import type {
  Handlers,
  LinkLog,
  MessageAnswer,
  MessageRequest,
  Messages,
} from './message_table.ts';
import { createPendingCalls, type PendingCalls } from './pending_calls.ts';
import { createServedMessages, type ServedMessages } from './served_messages.ts';

export type LinkOptions<Calls extends Messages, Serves extends Messages> = {
  readonly channel: Channel;
  /** The messages this side may send. */
  readonly calls: Calls;
  /** The messages this side answers. */
  readonly serves: Serves;
  readonly handlers: Handlers<Serves>;
  /** The error of calls when the link is closed. */
  readonly closedCode: ErrorCode;
  readonly log: LinkLog;
  /** Delays frames, to send them with those of later turns. Default: no delay. */
  readonly hold?: Hold;
  /**
   * Returns true for a call that may wait, in order, while many bytes are in transit. Other calls overtake
   * it. Default: no call waits.
   */
  readonly mayWait?: (name: string, request: unknown) => boolean;
  readonly limits?: Partial<typeof linkLimits>;
};

export type Link<Calls extends Messages> = {
  /**
   * Sends a request and returns its answer. Raises `overloaded` above the limits of the link, `closedCode`
   * once the link is closed, and the errors of the other side.
   */
  call<Name extends keyof Calls & string>(
    name: Name,
    request: MessageRequest<Calls, Name>,
  ): Promise<MessageAnswer<Calls, Name>>;
  close(): void;
  /** Resolves with the reason once the link has closed. */
  readonly closed: Promise<string>;
  /** The frames that the other side has not read yet. */
  readonly outgoing: {
    /** Returns true while these frames are too large to produce more. */
    isFull(): boolean;
    /** Calls back once the frames are below the bound, or the link has closed. */
    whenTaken(callback: () => void): void;
  };
};

/** Upper bounds of a link. */
export const linkLimits = {
  /**
   * Fits the largest activity: a body of 4 MiB three times, two of them quoted once more, and its snapshot
   * for webhooks, which has the body twice.
   */
  frameBytes: 48 * 1024 * 1024,
  /** Maximum calls of this side that wait for their answer. */
  calls: 16_384,
  /** Maximum requests of the other side in progress. */
  served: 16_384,
  /** Maximum bytes waiting to be sent. Above it, calls are rejected. */
  queuedBytes: 64 * 1024 * 1024,
  /** Above this number of bytes waiting to be sent, a side that can wait produces no further answers. */
  outgoingBytes: 8 * 1024 * 1024,
  /** Above this number of bytes in transit, calls wait if they may. */
  waitingBytes: 64 * 1024,
};

/** Opens a link over a channel. */
export function createLink<Calls extends Messages, Serves extends Messages>(
  options: LinkOptions<Calls, Serves>,
): Link<Calls>;
export function createLink({
  channel,
  calls,
  serves,
  handlers,
  closedCode,
  log,
  hold,
  mayWait = () => false,
  limits,
}: LinkOptions<Messages, Messages>): Link<Messages> {
  const bounds = { ...linkLimits, ...limits };
  const closed = Promise.withResolvers<string>();
  let isOpen = true;
  const underWay = () => served.count() + pending.count();
  const sender = createFrameSender(channel, bounds.frameBytes, underWay, () => taken(), hold);
  const waiting = new Set<() => void>();
  const queuedBytes = (): number => channel.queuedBytes() + sender.waitingBytes();
  const isFull = (): boolean => isOpen && queuedBytes() > bounds.outgoingBytes;
  const line = createCallLine(() => !isOpen || queuedBytes() <= bounds.waitingBytes);
  const taken = (): void => {
    line.advance();
    if (waiting.size === 0 || isFull()) return;
    const callbacks = [...waiting];
    waiting.clear();
    for (const callback of callbacks) callback();
  };
  const pending: PendingCalls = createPendingCalls(calls, sender, closedCode);
  const served: ServedMessages = createServedMessages({
    serves,
    handlers,
    sender,
    log,
    maximumServed: bounds.served,
    isOpen: () => isOpen,
  });

  const close = (reason: string): void => {
    if (!isOpen) return;
    isOpen = false;
    sender.drop();
    pending.rejectAll();
    channel.close();
    closed.resolve(reason);
    taken();
  };

  const receivers = [served.receive, pending.receiveAnswer, pending.receiveError];
  const assemble = frameAssembler(bounds.frameBytes, (frame) => {
    if (!isOpen) return;
    const reader = new FrameReader(frame);
    const receive = receivers[reader.byte()];
    if (receive === undefined) throw new FrameError('the kind of frame is unknown');
    receive(reader.u32(), reader);
  });
  channel.onData((chunk) => {
    if (!isOpen) return;
    try {
      assemble(chunk);
    } catch (error) {
      if (!(error instanceof FrameError)) throw error;
      log('error', 'the link was closed', { reason: error.message });
      close(error.message);
    }
  });
  channel.onClose(() => close('the channel was closed'));

  return {
    call: (name, request) => {
      if (!isOpen) return Promise.reject(new ServiceError(closedCode));
      if (pending.count() + line.length() >= bounds.calls || queuedBytes() > bounds.queuedBytes) {
        return Promise.reject(new ServiceError('overloaded'));
      }
      if (!mayWait(name, request)) return pending.call(name, request);
      return line.run(() => {
        if (!isOpen) return Promise.reject(new ServiceError(closedCode));
        return pending.call(name, request);
      });
    },
    close: () => {
      sender.flush();
      close('closed by this side');
    },
    closed: closed.promise,
    outgoing: {
      isFull,
      whenTaken: (callback) => {
        waiting.add(callback);
        taken();
      },
    },
  };
}

type CallLine = {
  /** Runs a call in its turn, as soon as `mayGo` allows it. */
  run(call: () => Promise<unknown>): Promise<unknown>;
  /** Runs the waiting calls that `mayGo` allows. */
  advance(): void;
  length(): number;
};

/** Creates a first-in, first-out queue of calls. */
function createCallLine(mayGo: () => boolean): CallLine {
  const waiting: (() => void)[] = [];
  const advance = (): void => {
    while (mayGo()) {
      const next = waiting.shift();
      if (next === undefined) return;
      next();
    }
  };
  return {
    run: (call) => {
      const { promise, resolve } = Promise.withResolvers<unknown>();
      waiting.push(() => resolve(call()));
      advance();
      return promise;
    },
    advance,
    length: () => waiting.length,
  };
}
