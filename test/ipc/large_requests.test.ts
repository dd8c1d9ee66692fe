// Small requests to the enclave do not wait behind large requests of others.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Channel } from '../../src/ipc/channel.ts';
import { bytes, nothing } from '../../src/ipc/codec.ts';
import { createLink } from '../../src/ipc/rpc.ts';

const largeBytes = 400_000;

/** Creates a link over a channel whose chunks are taken one by one. */
function startLink() {
  const untaken: { readonly length: number; readonly sent: () => void }[] = [];
  const written: number[] = [];
  let closed = (): void => undefined;
  const channel: Channel = {
    write: (chunk, sent) => {
      untaken.push({ length: chunk.length, sent });
      written.push(chunk.length);
    },
    queuedBytes: () => untaken.reduce((sum, { length }) => sum + length, 0),
    onData: () => undefined,
    onClose: (close) => {
      closed = close;
    },
    close: () => undefined,
  };
  const link = createLink({
    channel,
    calls: { send: { request: bytes, answer: nothing } },
    serves: {},
    handlers: {},
    closedCode: 'enclave_unavailable',
    log: () => undefined,
    mayWait: (_name, request) => request instanceof Uint8Array && request.length >= largeBytes,
  });
  return {
    written,
    send: (length: number) => link.call('send', new Uint8Array(length)),
    take: () => untaken.shift()?.sent(),
    close: () => closed(),
  };
}

/** Waits until the frames of one turn have been written to the channel. */
const turnOfLoop = () => new Promise((resolve) => setImmediate(resolve));

const sizes = (written: readonly number[]): string =>
  written.map((length) => (length > largeBytes ? 'large' : 'small')).join(' ');

test('one large request is on its way at a time, and a small one overtakes the others', async () => {
  const { written, send, take } = startLink();
  for (let i = 0; i < 3; i += 1) send(largeBytes).catch(() => undefined);
  await turnOfLoop();
  assert.equal(sizes(written), 'large');
  send(10).catch(() => undefined);
  await turnOfLoop();
  assert.equal(sizes(written), 'large small');
  for (let i = 0; i < 2; i += 1) take();
  await turnOfLoop();
  assert.equal(sizes(written), 'large small large');
  take();
  await turnOfLoop();
  assert.equal(sizes(written), 'large small large large');
});

test('large requests that wait are refused when the link closes', async () => {
  const { send, close } = startLink();
  const sent = [send(largeBytes), send(largeBytes), send(largeBytes)];
  await turnOfLoop();
  close();
  const outcomes = await Promise.allSettled(sent);
  for (const outcome of outcomes) {
    assert.equal(outcome.status, 'rejected');
    assert.equal(outcome.reason.code, 'enclave_unavailable');
  }
});
