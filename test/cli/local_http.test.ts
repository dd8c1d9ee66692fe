// Servers of commands: their permitted clients, and the bounds of each client.

import assert from 'node:assert/strict';
import { connect, type Socket } from 'node:net';
import { after, describe, test } from 'node:test';
import { type LocalServer, listenOnThisMachine } from '../../src/cli/service/local_http.ts';

const stops: (() => Promise<void>)[] = [];
after(async () => {
  for (const stop of stops) await stop();
});

async function start(changes: Partial<LocalServer> = {}) {
  const listener = await listenOnThisMachine(
    {
      refusal: () => undefined,
      answer: async (_, body) => ({ status: 200, body: JSON.stringify(body.length) }),
      ...changes,
    },
    0,
  );
  stops.push(listener.stop);
  const { port, origin } = new URL(listener.origin);
  return { port: Number(port), origin };
}

/**
 * Returns the status of a request with these headers, sent from an address of this machine; 0 without an
 * answer.
 */
function statusOf(port: number, head: string, localAddress = '127.0.0.1'): Promise<number> {
  const answered = Promise.withResolvers<number>();
  const socket = connect({ port, host: '127.0.0.1', localAddress });
  socket.once('data', (data) =>
    answered.resolve(Number(/^HTTP\/1\.1 (\d+)/.exec(data.toString())?.[1] ?? 0)),
  );
  socket.on('error', () => undefined);
  socket.once('close', () => answered.resolve(0));
  socket.write(`${head}\r\n\r\n`);
  return answered.promise.finally(() => socket.destroy());
}

describe('a web page in a browser of this machine', () => {
  const post = 'POST / HTTP/1.1\r\nContent-Length: 0';
  for (const [name, lines, status] of [
    ['is refused with its origin', ['Origin: https://page.example'], 403],
    ['is refused with the opaque origin of a frame', ['Origin: null'], 403],
    ['is refused with the origin of the server itself', ['Origin: http://127.0.0.1:PORT'], 403],
    ['is refused by a name that leads to this machine', ['Host: page.example:PORT'], 403],
    ['is refused by localhost', ['Host: localhost:PORT'], 403],
    [
      'is refused by a name that begins like the address',
      ['Host: 127.0.0.1.page.example:PORT'],
      403,
    ],
    ['is refused by another form of the address', ['Host: 127.1:PORT'], 403],
    [
      'is refused where the first of two hosts leads elsewhere',
      ['Host: page.example', 'Host: 127.0.0.1:PORT'],
      403,
    ],
  ] as const) {
    test(name, async () => {
      const { port } = await start();
      const isHost = lines.some((line) => line.startsWith('Host'));
      const all = [post, ...lines, ...(isHost ? [] : ['Host: 127.0.0.1:PORT'])];
      const head = all.join('\r\n').replaceAll('PORT', String(port));
      assert.equal(await statusOf(port, head), status);
    });
  }

  test('gets no answer to a preflight request', async () => {
    const { port } = await start();
    const asks = `OPTIONS / HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nOrigin: https://page.example`;
    assert.equal(await statusOf(port, asks), 403);
  });

  test('a program without an origin is answered', async () => {
    const { port } = await start();
    assert.equal(await statusOf(port, `${post}\r\nHost: 127.0.0.1:${port}`), 200);
  });
});

describe('a public server', () => {
  const sourceOf = ({ remoteAddress = '' }: { readonly remoteAddress: string | undefined }) =>
    remoteAddress;
  const get = 'GET / HTTP/1.1\r\nHost: example';

  test('answers others while one address holds its maximum of connections', async () => {
    const { port } = await start({ publicHost: '127.0.0.1', sourceOf });
    const held: Socket[] = [];
    const opened = Array.from({ length: 600 }, () => {
      const socket = connect({ port, host: '127.0.0.1', localAddress: '127.0.0.2' });
      held.push(socket);
      socket.on('error', () => undefined);
      return new Promise((resolve) => {
        socket.once('connect', resolve);
        socket.once('close', resolve);
      });
    });
    await Promise.all(opened);
    for (let i = 0; i < 20; i += 1) assert.equal(await statusOf(port, get), 200);
    for (const socket of held) socket.destroy();
  });

  test('reads no body above its bound', async () => {
    const { origin } = await start({ publicHost: '127.0.0.1', maximumBodyBytes: 1_000 });
    const post = async (length: number) =>
      (await fetch(origin, { method: 'POST', body: 'x'.repeat(length) })).status;
    assert.equal(await post(1_000), 200);
    assert.equal(await post(1_001).catch(() => 413), 413);
  });
});
