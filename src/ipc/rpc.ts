// Requests and answers over one private byte channel, the same on both sides of it.
//
//   frame   = u32 length of what follows | u8 kind | u32 correlation | payload
//   request = u8 number of the message | value      answer = value      error = code as text
//
// A message is numbered by its place in its table. A side trusts nothing it reads: a frame it
// cannot follow closes the link, a request it cannot serve is answered with an error.

import type { ErrorCode } from '../core/errors/errors.ts';
import { assert, ServiceError } from '../core/errors/errors.ts';
import type { Schema, ValueOf } from './codec.ts';
import { FrameError, FrameReader, FrameWriter, text } from './codec.ts';

/** What a link needs of the bytes' carrier. */
export type Channel = {
  /**
   * Sends a chunk, in order. The chunk is the channel's until it says `sent`, if it ever does: a
   * channel that leaves the process has overwritten it then, for it may hold a secret.
   */
  write(chunk: Uint8Array, sent: () => void): void;
  /** Bytes written and not yet taken by the other side: what bounds the calls. */
  queuedBytes(): number;
  /** Calls back with what arrives, from now on. The receiver owns the chunk. */
  onData(receive: (chunk: Uint8Array) => void): void;
  /** Calls back once, when nothing more can come or go. */
  onClose(closed: () => void): void;
  /** Ends both directions. */
  close(): void;
};

export type Messages = Readonly<
  Record<string, { readonly request: Schema; readonly answer: Schema }>
>;
type Request<M extends Messages, Name extends keyof M> = ValueOf<M[Name]['request']>;
type Answer<M extends Messages, Name extends keyof M> = ValueOf<M[Name]['answer']>;

/** One function per message; what it throws is answered as an error. */
export type Handlers<M extends Messages> = {
  readonly [Name in keyof M]: (
    request: Request<M, Name>,
  ) => Answer<M, Name> | Promise<Answer<M, Name>>;
};

/** A line for the operator. Never a secret. */
export type LinkLog = (
  level: 'info' | 'warn' | 'error',
  message: string,
  fields: Readonly<Record<string, string | number>>,
) => void;

export type LinkOptions<Calls extends Messages, Serves extends Messages> = {
  readonly channel: Channel;
  /** The messages this side may send. */
  readonly calls: Calls;
  /** The messages this side answers. */
  readonly serves: Serves;
  readonly handlers: Handlers<Serves>;
  /** What calls are refused with when the link is closed. */
  readonly closedCode: ErrorCode;
  readonly log: LinkLog;
  readonly limits?: Partial<typeof linkLimits>;
};

export type Link<Calls extends Messages> = {
  /**
   * Sends a request and gives its answer. Raises `overloaded` when too much is under way, the
   * link's `closedCode` when it is or gets closed, and what the other side refused with.
   */
  call<Name extends keyof Calls & string>(
    name: Name,
    request: Request<Calls, Name>,
  ): Promise<Answer<Calls, Name>>;
  close(): void;
  /** Settles, with the reason, when the link has closed. */
  readonly closed: Promise<string>;
};

/** Upper bounds of a link. */
export const linkLimits = {
  /**
   * The largest activity fits, a body of 4 MiB three times, two of them quoted once more, and beside it
   * its snapshot for webhooks, which has the body twice.
   */
  frameBytes: 48 * 1024 * 1024,
  /** Calls of this side that wait for their answer. */
  calls: 16_384,
  /** Requests of the other side that are being served. */
  served: 16_384,
  /** Bytes waiting to be sent above which calls are refused. */
  queuedBytes: 64 * 1024 * 1024,
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
  limits,
}: LinkOptions<Messages, Messages>): Link<Messages> {
  const bounds = { ...linkLimits, ...limits };
  const numbers = new Map(Object.keys(calls).map((name, number) => [name, number]));
  const served = Object.entries(serves).map(([name, schemas]) => {
    const handle = handlers[name];
    assert(handle !== undefined, `message ${name} has a handler`);
    return { name, ...schemas, handle };
  });
  assert(numbers.size <= 256 && served.length <= 256, 'a message number fits one byte');

  const closed = Promise.withResolvers<string>();
  const pending = new Map<number, PendingCall>();
  let isOpen = true;
  let lastCorrelation = 0;
  let servedCount = 0;
  let outgoing: FrameWriter | undefined;
  let framesWaiting = 0;
  const idleWriters: FrameWriter[] = [];

  const close = (reason: string): void => {
    if (!isOpen) return;
    isOpen = false;
    outgoing = undefined;
    for (const call of pending.values()) call.reject(new ServiceError(closedCode));
    pending.clear();
    channel.close();
    closed.resolve(reason);
  };

  const flush = (): void => {
    if (outgoing === undefined) return;
    const writer = outgoing;
    outgoing = undefined;
    framesWaiting = 0;
    channel.write(writer.written(), () => {
      if (idleWriters.length >= maximumIdleWriters || writer.capacity > maximumIdleBytes) return;
      writer.truncate(0);
      idleWriters.push(writer);
    });
  };

  /**
   * Adds a frame to what leaves at the end of this turn, or before where that is much: the other side
   * works on the first while this one makes the next. A frame that fails leaves no trace.
   */
  const send = (
    kind: number,
    correlation: number,
    writePayload: (writer: FrameWriter) => void,
  ): void => {
    if (outgoing === undefined) {
      outgoing = idleWriters.pop() ?? new FrameWriter(firstChunkBytes);
      setImmediate(flush);
    }
    const writer = outgoing;
    const start = writer.length;
    try {
      writer.u32(0);
      writer.byte(kind);
      writer.u32(correlation);
      writePayload(writer);
      const length = writer.length - start - 4;
      if (length > bounds.frameBytes) throw new ServiceError('answer_too_large');
      writer.patchU32(start, length);
    } catch (error) {
      writer.truncate(start);
      throw error;
    }
    framesWaiting += 1;
    const fullFrames = Math.max(fullChunkFrames, (servedCount + pending.size) * fullChunkShare);
    if (framesWaiting >= fullFrames || writer.length >= fullChunkBytes) flush();
  };

  const answer = (row: ServedMessage, correlation: number, value: unknown): void => {
    if (!isOpen) return;
    try {
      send(frameKinds.answer, correlation, (writer) => row.answer.write(writer, value));
    } catch (error) {
      refuse(row.name, correlation, error);
    }
  };

  const refuse = (name: string, correlation: number, error: unknown): void => {
    if (!isOpen) return;
    const code = error instanceof ServiceError ? error.code : 'internal';
    const crosses = crossingCodes.has(code);
    if (!crosses) {
      const detail = error instanceof Error ? (error.stack ?? error.message) : String(error);
      log('error', 'a request over the link failed', { request: name, correlation, detail });
    }
    send(frameKinds.error, correlation, (writer) => writer.text(crosses ? code : 'internal'));
  };

  const serve = async (row: ServedMessage, correlation: number, request: unknown) => {
    servedCount += 1;
    try {
      answer(row, correlation, await row.handle(request));
    } catch (error) {
      refuse(row.name, correlation, error);
    } finally {
      servedCount -= 1;
    }
  };

  const receiveRequest = (correlation: number, reader: FrameReader): void => {
    const number = reader.byte();
    const row = served[number];
    if (row === undefined) {
      refuse(`number ${number}`, correlation, new FrameError('the message is unknown'));
      return;
    }
    if (servedCount >= bounds.served) {
      refuse(row.name, correlation, new ServiceError('overloaded'));
      return;
    }
    let request: unknown;
    try {
      request = readWhole(row.request, reader);
    } catch (error) {
      refuse(row.name, correlation, error);
      return;
    }
    void serve(row, correlation, request);
  };

  const takeCall = (correlation: number): PendingCall => {
    const call = pending.get(correlation);
    if (call === undefined) throw new FrameError('an answer that nobody asked for');
    pending.delete(correlation);
    return call;
  };

  const receivers: readonly ((correlation: number, reader: FrameReader) => void)[] = [
    receiveRequest,
    (correlation, reader) => {
      const call = takeCall(correlation);
      try {
        call.resolve(readWhole(call.schema, reader));
      } catch (error) {
        call.reject(new ServiceError(closedCode));
        throw error;
      }
    },
    (correlation, reader) => {
      const call = takeCall(correlation);
      const code = crossingCodes.get(readWhole(text, reader)) ?? 'internal';
      call.reject(new ServiceError(code, { supportId: `${call.name} ${correlation}` }));
    },
  ];

  const receiveFrame = (frame: Uint8Array): void => {
    const reader = new FrameReader(frame);
    const receiver = receivers[reader.byte()];
    if (receiver === undefined) throw new FrameError('the kind of frame is unknown');
    receiver(reader.u32(), reader);
  };

  const assemble = frameAssembler(bounds.frameBytes, (frame) => {
    if (isOpen) receiveFrame(frame);
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

  const call = (name: string, request: unknown): Promise<unknown> => {
    const message = calls[name];
    const number = numbers.get(name);
    assert(message !== undefined && number !== undefined, `message ${name} may be called`);
    if (!isOpen) return Promise.reject(new ServiceError(closedCode));
    const queuedBytes = channel.queuedBytes() + (outgoing?.length ?? 0);
    if (pending.size >= bounds.calls || queuedBytes > bounds.queuedBytes) {
      return Promise.reject(new ServiceError('overloaded'));
    }
    // Wraps after 2^32 calls; a number still in use is passed over.
    do lastCorrelation = (lastCorrelation + 1) >>> 0;
    while (pending.has(lastCorrelation));
    const correlation = lastCorrelation;
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    pending.set(correlation, { name, schema: message.answer, resolve, reject });
    try {
      send(frameKinds.request, correlation, (writer) => {
        writer.byte(number);
        message.request.write(writer, request);
      });
    } catch (error) {
      pending.delete(correlation);
      return Promise.reject(error);
    }
    return promise;
  };

  return {
    call,
    close: () => {
      flush();
      close('closed by this side');
    },
    closed: closed.promise,
  };
}

const frameKinds = { request: 0, answer: 1, error: 2 };
const headerBytes = 4;
const firstChunkBytes = 4 * 1024;
/** What has grown to this leaves without waiting for the end of the turn. */
const fullChunkBytes = 1024 * 1024;
/** So many frames leave as well, or this share of all requests under way where that is more. */
const fullChunkFrames = 4;
const fullChunkShare = 1 / 8;
/** Writers that wait to be used again, none of them larger than that. */
const maximumIdleWriters = 4;
const maximumIdleBytes = 64 * 1024;

/** The refusals that keep their code on the way; any other is `internal` to the other side. */
const crossingCodes: ReadonlyMap<string, ErrorCode> = new Map([
  ['overloaded', 'overloaded'],
  ['store_unavailable', 'store_unavailable'],
  ['root_key_mismatch', 'root_key_mismatch'],
  ['deployment_missing', 'deployment_missing'],
  ['answer_too_large', 'answer_too_large'],
]);

type ServedMessage = {
  readonly name: string;
  readonly request: Schema;
  readonly answer: Schema;
  readonly handle: (request: unknown) => unknown;
};

type PendingCall = {
  readonly name: string;
  readonly schema: Schema;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: Error) => void;
};

function readWhole<Value>(schema: Schema<Value>, reader: FrameReader): Value {
  const value = schema.read(reader);
  reader.end();
  return value;
}

/**
 * Cuts chunks into frames. A frame is overwritten once it was received: readers copy what they
 * keep, and what passes here may be secret. Throws FrameError for a frame that is too long.
 */
function frameAssembler(
  maximumBytes: number,
  receive: (frame: Uint8Array) => void,
): (chunk: Uint8Array) => void {
  let kept = Buffer.alloc(0);
  let keptLength = 0;

  const keep = (bytes: Uint8Array): void => {
    if (keptLength + bytes.length > kept.length) {
      const grown = Buffer.allocUnsafeSlow(Math.max(keptLength + bytes.length, kept.length * 2));
      grown.set(kept.subarray(0, keptLength));
      kept.fill(0);
      kept = grown;
    }
    kept.set(bytes, keptLength);
    keptLength += bytes.length;
  };

  /** Receives the whole frames at the front; gives the number of bytes they took. */
  const receiveWhole = (bytes: Buffer): number => {
    let offset = 0;
    while (bytes.length - offset >= headerBytes) {
      const length = bytes.readUInt32BE(offset);
      if (length > maximumBytes) throw new FrameError('a frame is too long');
      const end = offset + headerBytes + length;
      if (end > bytes.length) break;
      receive(bytes.subarray(offset + headerBytes, end));
      offset = end;
    }
    return offset;
  };

  return (chunk) => {
    let rest = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    // First finish the frame that began in an earlier chunk, taking no more than it needs.
    while (keptLength > 0 && rest.length > 0) {
      const missing = missingBytes(kept.subarray(0, keptLength), maximumBytes);
      keep(rest.subarray(0, missing));
      rest = rest.subarray(Math.min(missing, rest.length));
      const taken = receiveWhole(kept.subarray(0, keptLength));
      if (taken > 0) {
        kept.fill(0);
        kept = Buffer.alloc(0);
        keptLength = 0;
      }
    }
    if (rest.length > 0) {
      const taken = receiveWhole(rest);
      if (taken < rest.length) keep(rest.subarray(taken));
    }
    chunk.fill(0);
  };
}

/** How many bytes the frame at the front still lacks: those of its header first. */
function missingBytes(front: Buffer, maximumBytes: number): number {
  if (front.length < headerBytes) return headerBytes - front.length;
  const length = front.readUInt32BE(0);
  if (length > maximumBytes) throw new FrameError('a frame is too long');
  return headerBytes + length - front.length;
}
