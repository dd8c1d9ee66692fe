// The pipe between a gateway and its enclave. Its chunks arrive as events: in order, in pieces, and never
// after a crash.

import { hash } from 'node:crypto';
import type { Channel } from '../../src/ipc/channel.ts';
import type { Choice } from './choice.ts';
import type { Schedule } from './schedule.ts';

export type Pipe = ReturnType<typeof openPipe>;

type Direction = {
  readonly line: string;
  receive: ((chunk: Uint8Array) => void) | undefined;
  closed: (() => void) | undefined;
};

/** Opens a pipe whose events belong to `owner`. */
export function openPipe(
  owner: string,
  { schedule, choice }: { schedule: Schedule; choice: Choice },
) {
  const toEnclave: Direction = { line: `${owner}/in`, receive: undefined, closed: undefined };
  const toGateway: Direction = { line: `${owner}/out`, receive: undefined, closed: undefined };
  let isOpen = true;

  function deliver(direction: Direction, chunk: Uint8Array): void {
    const digest = hash('sha256', chunk, 'hex').slice(0, 12);
    schedule.add(direction.line, `${direction.line} ${chunk.length} bytes ${digest}`, () =>
      direction.receive?.(chunk),
    );
  }
  function endOf(own: Direction, other: Direction): Channel {
    return {
      write: (chunk, sent) => {
        const copy = new Uint8Array(chunk);
        chunk.fill(0);
        sent();
        if (!isOpen) return;
        const split = choice.chance(0.1) ? choice.below(copy.length) : 0;
        if (split > 0) deliver(other, copy.slice(0, split));
        deliver(other, copy.slice(split));
      },
      queuedBytes: () => 0,
      onData: (receive) => {
        own.receive = receive;
      },
      onClose: (closed) => {
        own.closed = closed;
      },
      close: cut,
    };
  }
  /** Breaks the connection; both sides notice at once. */
  function cut(): void {
    if (!isOpen) return;
    vanish();
    toGateway.closed?.();
    toEnclave.closed?.();
  }
  /** Removes both sides. */
  function vanish(): void {
    isOpen = false;
    schedule.cut(toEnclave.line);
    schedule.cut(toGateway.line);
  }

  return {
    gatewayEnd: endOf(toGateway, toEnclave),
    enclaveEnd: endOf(toEnclave, toGateway),
    cut,
    vanish,
    /** Crashes the enclave; the gateway may still read a part of its last output. */
    enclaveCrash: () => {
      if (!isOpen) return;
      isOpen = false;
      schedule.cut(toEnclave.line);
      schedule.cut(toGateway.line, choice.below(schedule.lengthOf(toGateway.line) + 1));
      schedule.add(toGateway.line, `${toGateway.line} ends`, () => toGateway.closed?.());
    },
  };
}
