import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { test } from 'node:test';
import { startLoopbackServer } from './loopback_server.ts';

/** Sends the start of a request, and returns the listener's failures that became unhandled rejections. */
async function failuresWhen(
  listener: (reached: () => void) => Promise<void>,
  end: (server: Awaited<ReturnType<typeof startLoopbackServer>>, disconnect: () => void) => void,
): Promise<readonly unknown[]> {
  const failures: unknown[] = [];
  const note = (error: unknown) => failures.push(error);
  const { promise: isReached, resolve: reached } = Promise.withResolvers<void>();
  const { promise: isOver, resolve: over } = Promise.withResolvers<void>();
  const server = await startLoopbackServer(async () => {
    try {
      await listener(reached);
    } finally {
      // Runs after the microtasks and unhandled rejections that a failure causes.
      setImmediate(() => setImmediate(over));
    }
  });
  const others = process.listeners('unhandledRejection');
  process.removeAllListeners('unhandledRejection').on('unhandledRejection', note);
  try {
    const client = connect(Number(new URL(server.origin).port), '127.0.0.1');
    client.on('error', () => undefined);
    client.write('GET / HTTP/1.1\r\nhost: localhost\r\n\r\n');
    await isReached;
    end(server, () => client.destroy());
    await isOver;
    client.destroy();
  } finally {
    process.removeAllListeners('unhandledRejection');
    for (const other of others) process.on('unhandledRejection', other);
    server.stop();
  }
  return failures;
}

test('a listener that fails after the server was stopped fails no test', async () => {
  const { promise: isStopped, resolve } = Promise.withResolvers<void>();
  const failing = async (reached: () => void) => {
    reached();
    await isStopped;
    throw new Error('the node behind it is gone');
  };
  const stop = (server: { stop(): void }) => {
    server.stop();
    resolve();
  };
  assert.deepEqual(await failuresWhen(failing, stop), []);
});

test('a listener that fails while its client waits is reported', async () => {
  const fault = new Error('a fault of the test');
  const failing = async (reached: () => void) => {
    reached();
    throw fault;
  };
  assert.deepEqual(await failuresWhen(failing, () => undefined), [fault]);
});
