// The timer that watches the pace of a body.

import assert from 'node:assert/strict';
import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { mock, test } from 'node:test';
import { readBody } from '../../src/gateway/admission/body_reader.ts';
import type { ByteAccount } from '../../src/gateway/admission/load_limiter.ts';

const account: ByteAccount = {
  takeFromStrangers: () => undefined,
  hold: () => undefined,
  holdAnswer: () => undefined,
  close: () => undefined,
};
const pace = { bodyGraceMs: 10, bodyMinimumBytesPerSecond: 1 };

/** Reads a body of which these pieces arrive together with the headers. */
function startReading(headers: Readonly<Record<string, string>>, pieces: readonly string[]) {
  const message = new IncomingMessage(new Socket());
  message.headers = { ...headers };
  const read = Promise.withResolvers<string>();
  readBody(message, { limitBytes: 100, account, pace }, (error, body) => {
    if (error === null) read.resolve(String(body));
    else read.reject(error);
  });
  for (const piece of pieces) message.push(piece);
  return { message, read: read.promise };
}

test('a body that arrives with its headers is read without a timer', async (context) => {
  const started = context.mock.method(globalThis, 'setTimeout');
  const { message, read } = startReading({ 'content-length': '4' }, ['ab', 'cd']);
  message.push(null);
  assert.equal(await read, 'abcd');
  assert.equal(started.mock.callCount(), 0);
});

for (const [name, headers] of Object.entries({
  announced: { 'content-length': '4' },
  chunked: { 'transfer-encoding': 'chunked' },
})) {
  test(`the sender of an incomplete ${name} body is disconnected below the minimum rate`, async () => {
    mock.timers.enable({ apis: ['setTimeout'] });
    try {
      const { read } = startReading(headers, []);
      const refused = assert.rejects(read, { code: 'body_too_slow' });
      await new Promise((resolve) => setImmediate(resolve));
      mock.timers.tick(10 + 1_000);
      mock.timers.tick(1_000);
      await refused;
    } finally {
      mock.timers.reset();
    }
  });
}
