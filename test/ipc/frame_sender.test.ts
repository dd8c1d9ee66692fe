import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createFrameSender, frameKinds, longestHoldMs } from '../../src/ipc/frame_sender.ts';

const turnOfLoop = () => new Promise((resolve) => setImmediate(resolve));

/** Creates a sender over a channel that counts the chunks, with a manual clock. */
function startSender() {
  const chunks: number[] = [];
  const state = { now: 0, mayHold: true };
  const channel = {
    write: (chunk: Uint8Array) => chunks.push(chunk.length),
    queuedBytes: () => 0,
    onData: () => undefined,
    onClose: () => undefined,
    close: () => undefined,
  };
  const sender = createFrameSender(
    channel,
    1024,
    () => 128,
    () => undefined,
    {
      mayHold: () => state.mayHold,
      clock: () => state.now,
    },
  );
  const send = () => sender.send(frameKinds.answer, 1, (writer) => writer.byte(7));
  return { chunks, state, send };
}

test('frames that may be held leave together, once they may be held no longer', async () => {
  const { chunks, state, send } = startSender();
  for (let turn = 0; turn < 5; turn += 1) {
    send();
    await turnOfLoop();
  }
  assert.deepEqual(chunks, []);
  state.mayHold = false;
  await turnOfLoop();
  await turnOfLoop();
  assert.equal(chunks.length, 1);
  const together = chunks[0] ?? 0;
  send();
  await turnOfLoop();
  assert.deepEqual(chunks, [together, together / 5]);
});

test('frames are held for a bounded time, counted from the first one', async () => {
  const { chunks, state, send } = startSender();
  send();
  state.now = longestHoldMs - 1;
  send();
  await turnOfLoop();
  await turnOfLoop();
  assert.deepEqual(chunks, []);
  state.now = longestHoldMs;
  await turnOfLoop();
  await turnOfLoop();
  assert.equal(chunks.length, 1);
});

test('an eighth of what is under way leaves without waiting', () => {
  const { chunks, send } = startSender();
  for (let i = 0; i < 16; i += 1) send();
  assert.equal(chunks.length, 1);
});
