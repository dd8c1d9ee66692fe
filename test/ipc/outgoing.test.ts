// A link reports when the other side falls behind with reading, and when it has caught up.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createFairTurns, eventLoop } from '../../src/enclave/turns/fair_turns.ts';
import type { Channel } from '../../src/ipc/channel.ts';
import { bytes, nothing } from '../../src/ipc/codec.ts';
import { createLink } from '../../src/ipc/rpc.ts';

const bound = 1_000;

/** Creates a link over a channel whose chunks are taken one by one. */
function startLink() {
  const untaken: { readonly length: number; readonly sent: () => void }[] = [];
  let closed = (): void => undefined;
  const channel: Channel = {
    write: (chunk, sent) => {
      untaken.push({ length: chunk.length, sent });
    },
    queuedBytes: () => untaken.reduce((sum, { length }) => sum + length, 0),
    onData: () => undefined,
    onClose: (close) => {
      closed = close;
    },
    close: () => undefined,
  };
  const calls = { send: { request: bytes, answer: nothing } };
  const link = createLink({
    channel,
    calls,
    serves: {},
    handlers: {},
    closedCode: 'enclave_unavailable',
    log: () => undefined,
    limits: { outgoingBytes: bound },
  });
  return {
    outgoing: link.outgoing,
    send: (length: number) => {
      link.call('send', new Uint8Array(length)).catch(() => undefined);
    },
    take: () => untaken.shift()?.sent(),
    close: () => closed(),
  };
}

/** Waits until the frames of one turn have been written to the channel. */
const turnOfLoop = () => new Promise((resolve) => setImmediate(resolve));

test('a callback runs at once while little waits', () => {
  const { outgoing } = startLink();
  let called = 0;
  outgoing.whenTaken(() => {
    called += 1;
  });
  assert.equal(outgoing.isFull(), false);
  assert.equal(called, 1);
});

test('callbacks run once the other side has taken enough, each once', async () => {
  const { outgoing, send, take } = startLink();
  send(bound);
  assert.equal(outgoing.isFull(), true, 'frames of this turn count');
  await turnOfLoop();
  send(bound);
  await turnOfLoop();
  const called: string[] = [];
  outgoing.whenTaken(() => called.push('first'));
  outgoing.whenTaken(() => called.push('second'));
  take();
  assert.deepEqual(called, []);
  take();
  assert.equal(outgoing.isFull(), false);
  assert.deepEqual(called, ['first', 'second']);
  send(1);
  await turnOfLoop();
  take();
  assert.deepEqual(called, ['first', 'second']);
});

test('a callback may fill the link again, and later ones wait', async () => {
  const { outgoing, send, take } = startLink();
  send(bound);
  await turnOfLoop();
  const called: string[] = [];
  outgoing.whenTaken(() => {
    called.push('first');
    send(bound);
    outgoing.whenTaken(() => called.push('later'));
  });
  take();
  await turnOfLoop();
  assert.deepEqual(called, ['first']);
  take();
  assert.deepEqual(called, ['first', 'later']);
});

test('a link that closes calls back', async () => {
  const { outgoing, send, close } = startLink();
  send(bound);
  await turnOfLoop();
  let called = 0;
  outgoing.whenTaken(() => {
    called += 1;
  });
  close();
  await turnOfLoop();
  assert.equal(called, 1);
  assert.equal(outgoing.isFull(), false);
});

test('no request begins while answers wait to be taken', async () => {
  const { outgoing, send, take } = startLink();
  const turns = createFairTurns({ ...eventLoop, clock: () => 0, outgoing });
  const asker = { account: 'a', source: 's', payer: 'source' } as const;
  send(bound);
  await turnOfLoop();
  const begun: number[] = [];
  const requests = [1, 2, 3].map((i) => turns.run(asker, async () => begun.push(i)));
  for (let i = 0; i < 5; i += 1) await turnOfLoop();
  assert.deepEqual(begun, []);
  take();
  await Promise.all(requests);
  assert.deepEqual(begun, [1, 2, 3]);
});
