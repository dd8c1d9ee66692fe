// Reads, handles and answers the requests of the other side.

import { assert, ServiceError } from '../core/errors/errors.ts';
import { FrameError, type FrameReader, readWhole, type Schema } from './codec.ts';
import { crossingCode } from './crossing_codes.ts';
import { type FrameSender, frameKinds } from './frame_sender.ts';
import type { Handlers, LinkLog, Messages } from './message_table.ts';

export type ServedMessages = {
  /** Handles one request: number of its message, value. */
  receive(correlation: number, reader: FrameReader): void;
  /** Number of requests in progress. */
  count(): number;
};

type ServedMessage = {
  readonly name: string;
  readonly request: Schema;
  readonly answer: Schema;
  readonly handle: (request: unknown) => unknown;
};

/** Serves the messages of a table, at most `maximumServed` at once. */
export function createServedMessages({
  serves,
  handlers,
  sender,
  log,
  maximumServed,
  isOpen,
}: {
  readonly serves: Messages;
  readonly handlers: Handlers<Messages>;
  readonly sender: FrameSender;
  readonly log: LinkLog;
  readonly maximumServed: number;
  readonly isOpen: () => boolean;
}): ServedMessages {
  const rows = servedRows(serves, handlers);
  let servedCount = 0;

  const refuse = (name: string, correlation: number, error: unknown): void => {
    if (!isOpen()) return;
    const code = error instanceof ServiceError ? crossingCode(error.code) : undefined;
    if (code === undefined) {
      const detail = error instanceof Error ? (error.stack ?? error.message) : String(error);
      log('error', 'a request over the link failed', { request: name, correlation, detail });
    }
    sender.send(frameKinds.error, correlation, (writer) => writer.text(code ?? 'internal'));
  };

  const answer = (row: ServedMessage, correlation: number, value: unknown): void => {
    if (!isOpen()) return;
    try {
      sender.send(frameKinds.answer, correlation, (writer) => row.answer.write(writer, value));
    } catch (error) {
      refuse(row.name, correlation, error);
    }
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

  return {
    receive: (correlation, reader) => {
      const number = reader.byte();
      const row = rows[number];
      if (row === undefined) {
        refuse(`number ${number}`, correlation, new FrameError('the message is unknown'));
        return;
      }
      if (servedCount >= maximumServed) {
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
    },
    count: () => servedCount,
  };
}

function servedRows(serves: Messages, handlers: Handlers<Messages>): readonly ServedMessage[] {
  const rows = Object.entries(serves).map(([name, { request, answer }]) => {
    const handle = handlers[name];
    assert(handle !== undefined, `message ${name} has a handler`);
    return { name, request, answer, handle };
  });
  assert(rows.length <= 256, 'a message number fits one byte');
  return rows;
}
