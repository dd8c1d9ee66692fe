// A client that is answered before its body was read cannot continue to send: the rest is not accepted.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { type TestContext, test } from 'node:test';
import { createHttp } from '../../src/gateway/http/http.ts';
import type { HttpOptions } from '../../src/gateway/http/options.ts';
import { oneRequestOfSource, quietServer, testLimits } from './http_limits.ts';

async function start(t: TestContext, overrides: Partial<HttpOptions>): Promise<number> {
  const server = createHttp({ ...quietServer, ...overrides });
  t.after(() => server.drain(0));
  return server.listen({ host: '127.0.0.1', port: 0 });
}

const call = 'POST /public/v1/query/whoami HTTP/1.1';
const chunked = 'Transfer-Encoding: chunked';
const announced = 'Content-Length: 1000000000000';
/** Far more than the buffers at both ends of a connection hold. */
const muchBytes = 64 * 1024 * 1024;

/** Sends a head, waits for the answer, and then sends a body until the service closes the connection. */
async function sendOn(t: TestContext, port: number, head: string, rest: string): Promise<string> {
  const socket = connect({ port, host: '127.0.0.1' }).setEncoding('latin1');
  t.after(() => socket.destroy());
  socket.on('error', () => undefined);
  let received = '';
  const answered = Promise.withResolvers<void>();
  socket.on('data', (text: string) => {
    received += text;
    if (received.includes('\r\n\r\n')) answered.resolve();
  });
  socket.once('close', answered.resolve);
  socket.write(`${head}\r\nHost: test\r\n${rest}\r\n\r\n`);
  await answered.promise;
  const data = 'a'.repeat(64 * 1024);
  const piece = rest === chunked ? `${data.length.toString(16)}\r\n${data}\r\n` : data;
  for (let sent = 0; sent < muchBytes && !socket.destroyed; sent += piece.length) {
    if (!socket.write(piece)) await drainedOrClosed(socket);
  }
  assert.ok(socket.destroyed, `${head}, ${rest}: the service took it all`);
  return received;
}

async function drainedOrClosed(socket: Socket): Promise<void> {
  const end = new AbortController();
  const { signal } = end;
  const either = ['drain', 'close'].map((name) => once(socket, name, { signal }));
  await Promise.race(either).catch(() => undefined);
  end.abort();
  await Promise.allSettled(either);
}

for (const rest of [chunked, announced]) {
  test(`overload: ${rest}`, async (t) => {
    const port = await start(t, {
      limits: { ...testLimits, trustedProxies: 0, inFlightMaximum: 1, sourceSharePercent: 100 },
    });
    const first = connect({ port, host: '127.0.0.1' });
    t.after(() => first.destroy());
    first.write(`${call}\r\nHost: test\r\nX-Stamp: x\r\nContent-Length: 2\r\n\r\n{}`);
    // This client has the only place once others are refused.
    let status = 0;
    while (status !== 503) {
      const url = `http://127.0.0.1:${port}/public/v1/discovery/webhooks/jwks`;
      const answer = await fetch(url);
      await answer.arrayBuffer();
      status = answer.status;
    }
    assert.match(await sendOn(t, port, call, rest), /^HTTP\/1\.1 503 /);
  });

  test(`no requests left: ${rest}`, async (t) => {
    const port = await start(t, { rateLimits: oneRequestOfSource() });
    const url = `http://127.0.0.1:${port}/openapi.json`;
    let status = 0;
    while (status !== 429) status = (await fetch(url)).status;
    assert.match(await sendOn(t, port, call, rest), /^HTTP\/1\.1 429 /);
  });

  for (const [head, status] of [
    ['GET /health/live HTTP/1.1', 200],
    ['GET /openapi.json HTTP/1.1', 200],
    ['POST /%zz HTTP/1.1', 404],
  ] as const) {
    test(`${head}: ${rest}`, async (t) => {
      const port = await start(t, {});
      const answer = await sendOn(t, port, head, rest);
      assert.ok(answer.startsWith(`HTTP/1.1 ${status} `), answer.slice(0, 100));
    });
  }
}
