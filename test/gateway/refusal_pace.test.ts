import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { connect, type Socket } from 'node:net';
import { after, before, beforeEach, describe, mock, test } from 'node:test';
import { sourceOf } from '../../src/gateway/admission/rate_limit.ts';
import {
  asksToWait,
  createRefusalPace,
  longestRestMs,
  type RefusalPace,
  restlessRefusals,
} from '../../src/gateway/admission/refusal_pace.ts';
import { partsOf } from '../../src/gateway/http/parts.ts';
import { createServer as createHttpServer } from '../../src/gateway/http/server.ts';
import { oneRequestOfSource, quietServer } from './http_limits.ts';

const direct = { trustedProxies: 0 };
const source = '127.0.0.1';

describe('a connection that was refused', () => {
  let server: Server;
  let port: number;
  let pace: RefusalPace;
  let requests: IncomingMessage[];
  /** The clock that the pace reads, stopped. */
  let nowMs: number;

  before(async () => {
    server = createServer((request, response) => {
      requests.push(request);
      response.writeHead(503, { 'content-length': '0' });
      response.end();
      pace.refused(source, request);
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    assert(typeof address === 'object' && address !== null);
    port = address.port;
  });
  after(() => server.close());
  beforeEach(() => {
    requests = [];
    nowMs = 0;
    pace = createRefusalPace(direct, () => nowMs);
  });

  test('is read at once while its source has few refusals', async () => {
    const client = await connected(port);
    for (let i = 0; i < 3; i += 1) {
      await exchange(client);
      assert.equal(requests[i]?.socket.isPaused(), false);
    }
    client.destroy();
  });

  test('pauses while its source has too many, and is then served as before', async () => {
    refuseOften(pace, source, restlessRefusals * 3);
    const client = await connected(port);
    mock.timers.enable({ apis: ['setTimeout'] });
    try {
      await exchange(client);
      const [first] = requests;
      assert(first !== undefined);
      assert.equal(first.socket.isPaused(), true, 'not read for now');
      // The pause has a maximum, for any number of refusals.
      mock.timers.tick(longestRestMs - 1);
      assert.equal(first.socket.isPaused(), true);
      const answered = exchange(client);
      mock.timers.tick(1);
      assert.equal(first.socket.isPaused(), false);
      await answered;
      assert.equal(requests.length, 2);
      assert.equal(requests[1]?.socket, first.socket, 'the same connection goes on');
    } finally {
      mock.timers.reset();
    }
    client.destroy();
  });

  test('is read to the end of its body before it rests', async () => {
    refuseOften(pace, source, restlessRefusals * 2);
    const client = await connected(port);
    const answered = once(client, 'data');
    client.write('POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\n\r\nab');
    await answered;
    const [request] = requests;
    assert(request !== undefined);
    assert.equal(request.socket.isPaused(), false, 'the rest of the body is read');
    const ended = once(request, 'end');
    client.write('cd');
    await ended;
    assert.equal(request.socket.isPaused(), true);
    client.destroy();
  });

  test('does not pause for refusals of another source, nor later', async () => {
    refuseOften(pace, '192.0.2.1', restlessRefusals * 3);
    const client = await connected(port);
    await exchange(client);
    assert.equal(requests[0]?.socket.isPaused(), false);
    refuseOften(pace, source, restlessRefusals * 3);
    nowMs = 2_000;
    await exchange(client);
    assert.equal(requests[1]?.socket.isPaused(), false);
    client.destroy();
  });

  test('does not pause if proxies forward requests of many sources', async () => {
    pace = createRefusalPace({ trustedProxies: 1 }, () => nowMs);
    refuseOften(pace, source, restlessRefusals * 3);
    const client = await connected(port);
    await exchange(client);
    assert.equal(requests[0]?.socket.isPaused(), false);
    client.destroy();
  });
});

test('only answers that ask a client to retry later count', () => {
  assert.deepEqual([200, 400, 401, 403, 429, 500, 503, undefined].filter(asksToWait), [429, 503]);
});

/** Counts refusals of requests whose clients have disconnected. */
function refuseOften(pace: RefusalPace, name: string, count: number): void {
  const gone = { readableEnded: true, socket: { destroyed: true } } as IncomingMessage;
  for (let i = 0; i < count; i += 1) pace.refused(name, gone);
}

async function connected(port: number): Promise<Socket> {
  const client = connect({ port, host: '127.0.0.1' });
  await once(client, 'connect');
  return client;
}

/** Sends a request and waits for the head of its answer. */
async function exchange(client: Socket): Promise<void> {
  const answered = once(client, 'data');
  client.write('POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n');
  await answered;
}

test('a refused request whose path cannot be decoded counts, too', async (t) => {
  const counted = Promise.withResolvers<string>();
  const parts = partsOf({
    ...quietServer,
    ask: () => assert.fail('no operation is asked for'),
    rateLimits: oneRequestOfSource(),
  });
  const refusalPace: RefusalPace = { refused: counted.resolve };
  const app = createHttpServer({ ...parts, refusalPace });
  t.after(() => app.close());
  const address = await app.listen({ host: '127.0.0.1', port: 0 });
  const statuses: number[] = [];
  while (statuses.at(-1) !== 429) {
    const answer = await fetch(`${address}/%zz`);
    await answer.arrayBuffer();
    statuses.push(answer.status);
  }
  assert.equal(statuses[0], 404);
  const sender = { remoteAddress: '127.0.0.1', forwardedFor: undefined };
  assert.equal(await counted.promise, sourceOf(sender, 0));
});
