// One sender that uses up connections, bodies and answers without finishing them. All requests of others
// are answered meanwhile, and so are health probes.

import assert from 'node:assert/strict';
import { connect, type Socket } from 'node:net';
import { afterEach, describe, test } from 'node:test';
import { freePieces } from '../../src/gateway/admission/body_reader.ts';
import { probeConnections } from '../../src/gateway/admission/connections.ts';
import {
  createLoadLimiter,
  type LoadLimiter,
  OverloadedError,
  smallBodyBytes,
} from '../../src/gateway/admission/load_limiter.ts';
import { createHttp } from '../../src/gateway/http/http.ts';
import type { HttpLimits, HttpServer } from '../../src/gateway/http/options.ts';
import { noMetrics } from '../../src/gateway/observability/metrics.ts';
import type { AnswerOf, EnclaveMessages } from '../../src/ipc/messages.ts';
import { readSettings } from '../../src/settings/settings.ts';
import { sampleDiscovery } from '../gateway/fake_enclave.ts';

type Answer = AnswerOf<EnclaveMessages['request']>;
const fourMiB = 4 * 1024 * 1024;
const okAnswer: Answer = {
  status: 200,
  body: Buffer.from('{}'),
  activityId: undefined,
  organizationId: undefined,
  errorCode: undefined,
  allowedOrigin: undefined,
};

const servers: HttpServer[] = [];
const sockets = new Set<Socket>();
afterEach(async () => {
  for (const socket of sockets) socket.destroy();
  sockets.clear();
  for (const server of servers.splice(0)) await server.drain(0);
});

/** Starts a service with the default limits, except for the given ones. */
async function startServer(limits: Partial<HttpLimits> = {}, ask = async () => okAnswer) {
  let asked = 0;
  const all = { ...readSettings({}, []), ...limits };
  const load = createLoadLimiter(all, {
    clock: () => performance.now(),
    uses: [],
    answerDropped: () => {},
  });
  const server = createHttp({
    ask: () => {
      asked += 1;
      return ask();
    },
    notReady: () => [],
    discovery: sampleDiscovery,
    webhookKeySet: async () => Buffer.from('{"keys":[]}'),
    openApi: async () => ({ long: 'x'.repeat(1_000_000) }),
    log: () => {},
    metrics: noMetrics,
    load,
    limits: all,
    // Loopback addresses simulate several sources.
    sourceOf: ({ remoteAddress }) => remoteAddress ?? '',
  });
  servers.push(server);
  const port = await server.listen({ host: '127.0.0.1', port: 0 });
  return { port, load, asked: () => asked };
}

const attacker = '127.0.0.2';
const other = '127.0.0.3';

/** Opens a connection from an address; the whole 127.0.0.0/8 is this machine. */
function open(port: number, localAddress: string, text = ''): Socket {
  const socket = connect({ port, host: '127.0.0.1', localAddress });
  sockets.add(socket);
  socket.on('error', () => undefined);
  if (text !== '') socket.write(text);
  return socket;
}

const head = (headers: readonly string[], line = 'POST /public/v1/submit/x HTTP/1.1') =>
  `${[line, 'Host: test', ...headers].join('\r\n')}\r\n\r\n`;
const stamped = (...headers: readonly string[]) => head(['X-Stamp: a', ...headers]);

/** Returns status and body of the answer to a request on a new connection; status 0 without an answer. */
async function ask(port: number, localAddress: string, text: string) {
  const socket = open(port, localAddress, text);
  const started = Promise.withResolvers<string>();
  let received = '';
  socket.on('data', (data: Buffer) => {
    received += data.toString('latin1');
    if (received.includes('\r\n\r\n')) started.resolve(received);
  });
  socket.once('close', () => started.resolve(received));
  const answer = await started.promise;
  socket.destroy();
  return { status: Number(/^HTTP\/1\.1 (\d+)/.exec(answer)?.[1] ?? 0), text: answer };
}

const small = `${stamped('Content-Length: 2')}{}`;
const probe = head([], 'GET /health/ready HTTP/1.1');

/** Asserts that all requests of another source, and probes, are answered. */
async function assertOthersAreServed(port: number): Promise<void> {
  for (let i = 0; i < 40; i += 1) {
    assert.equal((await ask(port, other, small)).status, 200);
    assert.equal((await ask(port, other, probe)).status, 200);
  }
}

/** Returns true if a body of this length by an unknown key would be refused now. */
function isRefused(load: LoadLimiter, source: string, bytes: number): boolean {
  const account = load.openAccount(source);
  account.takeFromStrangers();
  try {
    account.hold(bytes);
    return false;
  } catch (error) {
    return error instanceof OverloadedError;
  } finally {
    account.close();
  }
}

const turn = () => new Promise<void>((resolve) => setImmediate(resolve));
async function until(isTrue: () => boolean): Promise<void> {
  while (!isTrue()) await turn();
}
const connected = (all: readonly Socket[]) =>
  until(() => all.every(({ connecting, destroyed }) => !connecting || destroyed));

describe('others are served while one sender', () => {
  const beginnings: readonly (readonly [string, number, string])[] = [
    ['announces 4 MiB and sends a byte', 200, `${stamped(`Content-Length: ${fourMiB}`)}a`],
    ['begins chunks', 200, `${stamped('Transfer-Encoding: chunked')}1\r\na\r\n`],
    [
      'expects to be told to go on',
      200,
      stamped(`Content-Length: ${fourMiB}`, 'Expect: 100-continue'),
    ],
    ['sends half of the headers', 200, 'POST /public/v1/submit/x HTTP/1.1\r\nHost: a\r\nX-Stamp: '],
    ['connects and says nothing', 200, ''],
    [
      'sends half a body with GET',
      200,
      head([`Content-Length: ${fourMiB}`], 'GET /openapi.json HTTP/1.1'),
    ],
    [
      'sends half a body with OPTIONS',
      200,
      `${head(['Content-Length: 4000'], 'OPTIONS /public/v1/submit/x HTTP/1.1')}a`,
    ],
    [
      'upgrades with half a body',
      200,
      `${stamped('Content-Length: 4000', 'Connection: Upgrade', 'Upgrade: websocket')}a`,
    ],
    ['begins a sign-up', 200, `${head(['Content-Length: 60000'], 'POST /v1/signup_v2 HTTP/1.1')}a`],
  ];
  for (const [name, count, text] of beginnings) {
    test(name, async () => {
      const { port } = await startServer();
      const held = Array.from({ length: count }, () => open(port, attacker, text));
      await connected(held);
      await assertOthersAreServed(port);
    });
  }

  test('holds as many bytes as allowed', async () => {
    const { port, load } = await startServer({ bodyMemoryBytes: 8 * 1024 * 1024 });
    const large = stamped(`Content-Length: ${fourMiB}`);
    open(port, attacker, `${large}${'a'.repeat(fourMiB - 1)}`);
    // Waits for the whole first body: while it grows, the limiter may refuse either of the two bodies.
    await until(() => isRefused(load, attacker, 2 * smallBodyBytes + 2));
    const second = `${large}${'a'.repeat(fourMiB)}`;
    assert.equal((await ask(port, attacker, second)).status, 503);
    await assertOthersAreServed(port);
  });

  test('sends more concurrent requests than allowed', async () => {
    const answer = Promise.withResolvers<Answer>();
    let isHeld = true;
    const { port, asked } = await startServer({ inFlightMaximum: 20 }, async () =>
      isHeld ? answer.promise : okAnswer,
    );
    for (let i = 0; i < 10; i += 1) open(port, attacker, small);
    await until(() => asked() === 10);
    assert.equal((await ask(port, attacker, small)).status, 503);
    isHeld = false;
    await assertOthersAreServed(port);
    answer.resolve(okAnswer);
  });

  test('does not read answers', async () => {
    const { port } = await startServer({ inFlightMaximum: 20 });
    const wish = head([], 'GET /openapi.json HTTP/1.1').repeat(20);
    const held = Array.from({ length: 60 }, () => open(port, attacker, wish).pause());
    await connected(held);
    await assertOthersAreServed(port);
  });

  test('sends requests without waiting for answers', async () => {
    const answer = Promise.withResolvers<Answer>();
    let isHeld = true;
    const { port, asked } = await startServer({ inFlightMaximum: 20 }, async () =>
      isHeld ? answer.promise : okAnswer,
    );
    open(port, attacker, small.repeat(5_000));
    await until(() => asked() === 1);
    isHeld = false;
    await assertOthersAreServed(port);
    assert.equal(asked(), 41);
    answer.resolve(okAnswer);
  });

  test('opens more connections than allowed', async () => {
    const { port } = await startServer({ connectionsMaximum: 100 });
    const held = Array.from({ length: 300 }, () => open(port, attacker));
    await connected(held);
    await assertOthersAreServed(port);
  });
});

describe('a sender is refused with', () => {
  test('408 once its body is slower than the minimum rate, and its connection ends', async (t) => {
    const limits = { bodyGraceMs: 5_000, bodyMinimumBytesPerSecond: 2 };
    const { port } = await startServer(limits);
    t.mock.timers.enable({ apis: ['setTimeout'] });
    let waitedMs = 0;
    let answer: Awaited<ReturnType<typeof ask>> | undefined;
    // 13 bytes are fast enough for six seconds at two bytes a second, and too slow for seven.
    const body = 'a'.repeat(13);
    void ask(port, other, `${stamped('Content-Length: 4000')}${body}`).then((given) => {
      answer = given;
    });
    while (answer === undefined) {
      t.mock.timers.tick(100);
      waitedMs += 100;
      for (let i = 0; i < 20; i += 1) await turn();
    }
    t.mock.timers.reset();
    assert.ok(waitedMs >= 12_000, String(waitedMs));
    const { status, text } = answer;
    assert.equal(status, 408);
    assert.match(text, /connection: close/i);
    assert.match(text, /bad request body: the client sends it too slowly/);
  });

  test('413 for a large body without a stamp, before any of it is read', async () => {
    const { port } = await startServer();
    const large = head(['Content-Length: 100000']);
    assert.match((await ask(port, other, large)).text, /^HTTP\/1.1 413 .*larger than 8192 bytes/s);
    const signUp = head(['Content-Length: 100000'], 'POST /v1/signup_v2 HTTP/1.1');
    assert.match((await ask(port, other, signUp)).text, /^HTTP\/1.1 413 .*larger than 65536/s);
    const nowhere = head(['X-Stamp: a', 'Content-Length: 100000'], 'POST /nowhere HTTP/1.1');
    assert.equal((await ask(port, other, nowhere)).status, 413);
  });

  test('400 for a body in very many pieces', async () => {
    const { port } = await startServer();
    const pieces = '1\r\na\r\n'.repeat(freePieces + 200);
    const text = `${stamped('Transfer-Encoding: chunked')}${pieces}0\r\n\r\n`;
    assert.match((await ask(port, other, text)).text, /^HTTP\/1.1 400 .*too many pieces/s);
    const few = `${stamped('Transfer-Encoding: chunked')}${'1\r\na\r\n'.repeat(1_000)}0\r\n\r\n`;
    assert.equal((await ask(port, other, few)).status, 200);
  });
});

describe('health', () => {
  test('is reported while all connections are taken, also to their owner', async () => {
    const { port } = await startServer({ connectionsMaximum: 20, sourceSharePercent: 100 });
    const held = Array.from({ length: 20 + 2 * probeConnections }, () => open(port, attacker));
    await connected(held);
    for (const address of [attacker, other]) {
      const health = await ask(port, address, probe);
      assert.match(health.text, /^HTTP\/1.1 200 .*connection: close/is);
      assert.equal((await ask(port, address, small)).status, 503);
    }
  });

  test('is reported while the enclave does not answer', async () => {
    const never = new Promise<Answer>(() => undefined);
    const { port, asked } = await startServer({ inFlightMaximum: 4 }, () => never);
    for (const address of [attacker, attacker, other]) open(port, address, small);
    await until(() => asked() === 3);
    assert.equal((await ask(port, other, small)).status, 503);
    assert.equal((await ask(port, other, probe)).status, 200);
  });
});

test('idle connections are closed for a new one', async () => {
  const { port } = await startServer({ connectionsMaximum: 20, sourceSharePercent: 100 });
  const idle = Array.from({ length: 20 }, () => open(port, attacker, probe));
  let answered = 0;
  for (const socket of idle) socket.once('data', () => answered++);
  await until(() => answered === 20);
  while ((await ask(port, other, small)).status !== 200);
  assert.ok(idle.some(({ closed }) => closed));
});

test('behind trusted proxies connections are not counted by their address', async () => {
  const { port } = await startServer({ connectionsMaximum: 20, trustedProxies: 1 });
  const held = Array.from({ length: 15 }, () => open(port, attacker));
  await connected(held);
  assert.equal((await ask(port, attacker, small)).status, 200);
});
