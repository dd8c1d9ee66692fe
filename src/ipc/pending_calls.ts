// Outgoing calls that wait for their answer.

import { assert, type ErrorCode, ServiceError } from '../core/errors/errors.ts';
import { FrameError, type FrameReader, readWhole, type Schema, text } from './codec.ts';
import { crossingCode } from './crossing_codes.ts';
import { type FrameSender, frameKinds } from './frame_sender.ts';
import type { Messages } from './message_table.ts';

export type PendingCalls = {
  /** Sends a request. Settles with its answer, or with the error of the other side. */
  call(name: string, request: unknown): Promise<unknown>;
  receiveAnswer(correlation: number, reader: FrameReader): void;
  receiveError(correlation: number, reader: FrameReader): void;
  /** Rejects all waiting calls. */
  rejectAll(): void;
  count(): number;
};

type PendingCall = {
  readonly name: string;
  readonly schema: Schema;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: Error) => void;
};

/** Creates the calls of a message table. Waiting calls fail with `closedCode` when the link closes. */
export function createPendingCalls(
  calls: Messages,
  sender: FrameSender,
  closedCode: ErrorCode,
): PendingCalls {
  const numbers = new Map(Object.keys(calls).map((name, number) => [name, number]));
  assert(numbers.size <= 256, 'a message number fits one byte');
  const pending = new Map<number, PendingCall>();
  let lastCorrelation = 0;

  // Wraps after 2^32 calls, and skips numbers that are still in use.
  const nextCorrelation = (): number => {
    do lastCorrelation = (lastCorrelation + 1) >>> 0;
    while (pending.has(lastCorrelation));
    return lastCorrelation;
  };

  const take = (correlation: number): PendingCall => {
    const call = pending.get(correlation);
    if (call === undefined) throw new FrameError('an answer without a request');
    pending.delete(correlation);
    return call;
  };

  return {
    call: (name, request) => {
      const message = calls[name];
      const number = numbers.get(name);
      assert(message !== undefined && number !== undefined, `message ${name} may be called`);
      const correlation = nextCorrelation();
      const { promise, resolve, reject } = Promise.withResolvers<unknown>();
      pending.set(correlation, { name, schema: message.answer, resolve, reject });
      try {
        sender.send(frameKinds.request, correlation, (writer) => {
          writer.byte(number);
          message.request.write(writer, request);
        });
      } catch (error) {
        pending.delete(correlation);
        return Promise.reject(error);
      }
      return promise;
    },
    receiveAnswer: (correlation, reader) => {
      const call = take(correlation);
      try {
        call.resolve(readWhole(call.schema, reader));
      } catch (error) {
        call.reject(new ServiceError(closedCode));
        throw error;
      }
    },
    receiveError: (correlation, reader) => {
      const call = take(correlation);
      const code = crossingCode(readWhole(text, reader)) ?? 'internal';
      call.reject(new ServiceError(code, { supportId: `${call.name} ${correlation}` }));
    },
    rejectAll: () => {
      for (const call of pending.values()) call.reject(new ServiceError(closedCode));
      pending.clear();
    },
    count: () => pending.size,
  };
}
