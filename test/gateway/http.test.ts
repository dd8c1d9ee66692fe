import assert from 'node:assert/strict';
import { once } from 'node:events';
import { request as httpRequest } from 'node:http';
import { connect } from 'node:net';
import { afterEach, describe, test } from 'node:test';
import { ServiceError } from '../../src/core/errors/errors.ts';
import { createHeldRequests } from '../../src/gateway/admission/held_requests.ts';
import {
  createLoadLimiter,
  type LoadLimiter,
  OverloadedError,
} from '../../src/gateway/admission/load_limiter.ts';
import { createNews } from '../../src/gateway/admission/news.ts';
import { createRateLimits, type RateLimits } from '../../src/gateway/admission/rate_limit.ts';
import { createHttp } from '../../src/gateway/http/http.ts';
import type { HttpOptions, HttpServer } from '../../src/gateway/http/options.ts';
import type { FinishedRequest } from '../../src/gateway/observability/metrics.ts';
import { noMetrics } from '../../src/gateway/observability/metrics.ts';
import type { AnswerOf, EnclaveMessages, RequestOf } from '../../src/ipc/messages.ts';
import { activityOf } from '../store/samples.ts';
import { sampleDiscovery } from './fake_enclave.ts';
import { testLimits } from './http_limits.ts';
import { manualClock } from './manual_clock.ts';

type Asked = RequestOf<EnclaveMessages['request']>;
type Answer = AnswerOf<EnclaveMessages['request']>;
type LogLine = { level: string; message: string; fields: Readonly<Record<string, unknown>> };

const okAnswer: Answer = {
  status: 200,
  body: Buffer.from('{"activity":{}}'),
  activityId: 'activity-1',
  organizationId: 'organization-1',
  errorCode: undefined,
  allowedOrigin: undefined,
};
const servers: HttpServer[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.drain(0);
});

async function startServer(
  ask: (request: Asked) => Promise<Answer> = async () => okAnswer,
  overrides: Partial<Omit<HttpOptions, 'limits'>> & {
    limits?: Partial<HttpOptions['limits']>;
  } = {},
) {
  const asked: Asked[] = [];
  const lines: LogLine[] = [];
  const finished: FinishedRequest[] = [];
  const { limits, ...rest } = overrides;
  const server = createHttp({
    ask: (request) => {
      asked.push(request);
      return ask(request);
    },
    notReady: () => [],
    discovery: sampleDiscovery,
    webhookKeySet: async () => Buffer.from('{"keys":[]}'),
    openApi: async () => ({ openapi: '3.1.0' }),
    log: (level, message, fields) => lines.push({ level, message, fields }),
    metrics: { ...noMetrics, requestFinished: (request) => finished.push(request) },
    ...rest,
    limits: {
      ...testLimits,
      inFlightMaximum: 100,
      trustedProxies: 0,
      ...limits,
    },
  });
  servers.push(server);
  const port = await server.listen({ host: '127.0.0.1', port: 0 });
  return { server, port, base: `http://127.0.0.1:${port}`, asked, lines, finished };
}

type Reply = { status: number; headers: Record<string, unknown>; body: Buffer };

/** Sends a plain request: only the given headers, without an automatic content type. */
async function send(
  port: number,
  {
    method = 'POST',
    path = '/public/v1/submit/sign_raw_payload',
    headers = {},
    body,
  }: {
    method?: string;
    path?: string;
    headers?: Record<string, string | string[]>;
    body?: string | Uint8Array;
  } = {},
): Promise<Reply> {
  const request = httpRequest({ port, host: '127.0.0.1', method, path, headers, agent: false });
  request.end(body);
  const [response] = await once(request, 'response');
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk);
  return {
    status: response.statusCode,
    headers: response.headers,
    body: Buffer.concat(chunks),
  };
}

/** Sends raw bytes; returns everything that was received until the connection ended. */
async function sendRaw(port: number, bytes: string): Promise<string> {
  const socket = connect({ port, host: '127.0.0.1' });
  socket.write(bytes);
  let received = '';
  for await (const chunk of socket) received += chunk;
  return received;
}

/** Returns true if this number of further bytes from this machine would be refused now. */
function isRefused(load: LoadLimiter, bytes: number): boolean {
  const account = load.openAccount('127.0.0.1/32');
  try {
    account.hold(bytes);
    return false;
  } catch (error) {
    return error instanceof OverloadedError;
  } finally {
    account.close();
  }
}

/** Returns a readable stamp, which these tests do not verify. */
function stampOf(publicKey: string): string {
  const stamp = { publicKey, scheme: 'SIGNATURE_SCHEME_TK_API_P256', signature: '30' };
  return Buffer.from(JSON.stringify(stamp)).toString('base64url');
}

/** Sends requests on one connection, each after the last answer; returns all that was received. */
async function sendInTurn(port: number, requests: readonly string[]): Promise<string> {
  const socket = connect({ port, host: '127.0.0.1' });
  const [first = '', ...rest] = requests;
  socket.write(first);
  let received = '';
  for await (const chunk of socket) {
    received += chunk;
    const next = rest.shift();
    if (next !== undefined) socket.write(next);
  }
  return received;
}

async function until(isTrue: () => boolean): Promise<void> {
  while (!isTrue()) await new Promise((resolve) => setImmediate(resolve));
}

/** Asserts an error body in the form of errors.md section 1. */
function assertError(reply: Reply, status: number, grpc: number, clientCode: string): string {
  assert.equal(reply.status, status);
  assert.equal(reply.headers['content-type'], 'application/json');
  const body = JSON.parse(reply.body.toString());
  assert.equal(body.code, grpc);
  assert.equal(body.turnkeyErrorCode, clientCode);
  assert.equal(body.details.at(-1).turnkeyErrorCode, clientCode);
  assert.equal(typeof body.message, 'string');
  return body.message;
}

describe('requests', () => {
  test('the exact body and the authentication headers reach the enclave', async () => {
    const { port, asked } = await startServer();
    const body = Buffer.from('{"a" : 1,\n "é":"\u{1F511}"} \0\xff', 'latin1');
    const reply = await send(port, {
      headers: {
        'X-Stamp': ['first', 'second'],
        'x-STAMP-webauthn': '{"a":1}',
        'X-Stamp-Attested': 'third',
        'X-Session': 'fourth',
        'X-Other': 'stays here',
        Authorization: 'stays here',
        Cookie: 'stays here',
      },
      body,
    });
    assert.equal(reply.status, 200);
    assert.equal(reply.headers['content-type'], 'application/json');
    assert.equal(reply.body.toString(), '{"activity":{}}');
    assert.equal(asked[0]?.kind, 'submit');
    assert.equal(asked[0]?.operation, 'sign_raw_payload');
    assert.deepEqual(Buffer.from(asked[0]?.body ?? []), body);
    assert.deepEqual(asked[0]?.headers, [
      { name: 'x-stamp', value: 'first' },
      { name: 'x-stamp', value: 'second' },
      { name: 'x-stamp-webauthn', value: '{"a":1}' },
      { name: 'x-stamp-attested', value: 'third' },
      { name: 'x-session', value: 'fourth' },
    ]);
  });

  const contentTypes = ['application/json', 'text/plain; charset=x', 'a/b;;;', 'nonsense', ''];
  for (const contentType of [undefined, ...contentTypes]) {
    test(`a body is accepted with Content-Type ${JSON.stringify(contentType)}`, async () => {
      const { port, asked } = await startServer();
      const headers = contentType === undefined ? {} : { 'content-type': contentType };
      const reply = await send(port, { path: '/public/v1/query/whoami', headers, body: '{"a":1}' });
      assert.equal(reply.status, 200);
      assert.equal(asked[0]?.kind, 'query');
      assert.equal(Buffer.from(asked[0]?.body ?? []).toString(), '{"a":1}');
    });
  }

  test('a missing body counts as an empty body', async () => {
    const { port, asked } = await startServer();
    for (const headers of [{}, { 'content-type': 'application/json', 'content-length': '0' }]) {
      assert.equal((await send(port, { headers })).status, 200);
      assert.equal(asked.at(-1)?.body.length, 0);
    }
  });

  test('a header with the value true requests a dry run, and no other value does', async () => {
    const { port, asked } = await startServer();
    const submit = (value: string) =>
      send(port, { path: '/public/v1/submit/create_wallet', headers: { 'Dry-Run': value } });
    assert.equal((await submit('true')).status, 200);
    assert.equal((await submit('false')).status, 200);
    assert.deepEqual(
      asked.map((request) => request.kind),
      ['dry_run', 'no_dry_run'],
    );
    for (const value of ['True', '1', 'yes', '']) {
      const reply = await submit(value);
      assert.equal(reply.status, 400, value);
      assert.match(reply.body.toString(), /invalid header `Dry-Run`: expected `true` or `false`/);
    }
    assert.equal(asked.length, 2, 'nothing else reaches the enclave');
  });

  test('clients that identify themselves get Timestamp objects', async () => {
    const { port, asked } = await startServer();
    await send(port, { headers: { 'X-Client-Version': '@turnkey/http@6.6.0' } });
    await send(port, { headers: { 'User-Agent': 'turnkey-rust-client/1.0' } });
    await send(port, { headers: { 'User-Agent': 'curl/8' } });
    assert.deepEqual(
      asked.map((request) => request.timestampObjects),
      [true, true, false],
    );
  });

  test('with `activityTimes` all clients get Timestamp objects', async () => {
    const { port, asked } = await startServer(undefined, { activityTimes: 'objects' });
    await send(port, { headers: { 'User-Agent': 'curl/8' } });
    await send(port);
    assert.deepEqual(
      asked.map((request) => request.timestampObjects),
      [true, true],
    );
  });

  test('a well-formed request id is used, any other replaced', async () => {
    const { port, asked } = await startServer();
    const kept = await send(port, { headers: { 'X-Request-Id': 'abc-1.2_3' } });
    assert.equal(kept.headers['x-request-id'], 'abc-1.2_3');
    assert.equal(asked[0]?.requestId, 'abc-1.2_3');
    for (const id of ['a b', 'x'.repeat(129), '{"a":1}', '']) {
      const replaced = await send(port, { headers: { 'X-Request-Id': id } });
      assert.match(String(replaced.headers['x-request-id']), /^[0-9a-f]{8}-[0-9a-f-]{27}$/);
    }
  });

  test('an answer of the enclave is sent unchanged', async () => {
    const { port } = await startServer(async () => ({
      ...okAnswer,
      status: 403,
      body: Buffer.from('{"code":7}'),
      errorCode: 'not_permitted',
    }));
    const reply = await send(port);
    assert.equal(reply.status, 403);
    assert.equal(reply.body.toString(), '{"code":7}');
  });
});

describe('refusals', () => {
  test('unknown paths', async () => {
    const { port, asked } = await startServer();
    const paths = ['/', '/public/v1/submit', '/public/v1/other/x', '/public/v1/submit/a/b', '/%zz'];
    for (const path of paths) {
      assertError(await send(port, { path, body: '{}' }), 404, 5, 'REQUEST_INVALID');
    }
    const long = await send(port, { path: `/${'a'.repeat(5_000)}?secret=1` });
    assert.ok(assertError(long, 404, 5, 'REQUEST_INVALID').length < 300);
    assert.equal(asked.length, 0);
  });

  test('wrong methods are refused', async () => {
    const { port } = await startServer();
    for (const method of ['GET', 'PUT', 'DELETE', 'PATCH', 'PROPFIND']) {
      const reply = await send(port, { method });
      const message = assertError(reply, 405, 12, 'REQUEST_INVALID');
      assert.equal(message, `\`${method}\` is not allowed here, use \`POST\``);
      assert.equal(reply.headers['allow'], 'POST');
    }
    const probe = await send(port, { path: '/health/live', body: '{}' });
    assertError(probe, 405, 12, 'REQUEST_INVALID');
    assert.equal((await send(port, { method: 'HEAD' })).status, 405);
  });

  test('bodies above the limit are refused, announced or not, on known paths or not', async () => {
    const { port, asked } = await startServer();
    for (const path of ['/public/v1/submit/x', '/nowhere']) {
      const announced = await send(port, { path, body: 'x'.repeat(1_001) });
      const message = assertError(announced, 413, 3, 'REQUEST_INVALID');
      assert.match(message, /larger than 1000 bytes/);
      const chunked = await send(port, {
        path,
        headers: { 'transfer-encoding': 'chunked' },
        body: 'x'.repeat(1_001),
      });
      assertError(chunked, 413, 3, 'REQUEST_INVALID');
    }
    assert.equal((await send(port, { body: 'x'.repeat(1_000) })).status, 200);
    assert.equal(asked.length, 1);
  });

  const malformed: Record<string, [string, number]> = {
    'what is no HTTP': ['hello\r\n\r\n', 400],
    'an unknown method': ['FETCH / HTTP/1.1\r\nHost: a\r\n\r\n', 400],
    'two lengths': ['POST / HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab', 400],
    'a length and chunks': [
      'POST / HTTP/1.1\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
      400,
    ],
    'headers that are too large': [`GET / HTTP/1.1\r\nX-Stamp: ${'a'.repeat(20_000)}\r\n\r\n`, 431],
  };
  for (const [name, [bytes, status]] of Object.entries(malformed)) {
    test(`${name}: a JSON error and the end of the connection`, async () => {
      const { port } = await startServer();
      const received = await sendRaw(port, bytes);
      assert.match(received, new RegExp(`^HTTP/1.1 ${status} `));
      assert.match(received, /\r\nContent-Type: application\/json\r\n/);
      assert.match(received, /\r\nX-Request-Id: [0-9a-f-]{36}\r\n/);
      const body = JSON.parse(received.slice(received.indexOf('\r\n\r\n')));
      assert.equal(body.code, 3);
      assert.equal(body.turnkeyErrorCode, 'REQUEST_INVALID');
    });
  }

  test('a missing Host and an unknown expectation are not answered by Node', async () => {
    const { port } = await startServer();
    const path = '/public/v1/submit/a';
    const received = await sendRaw(
      port,
      `POST ${path} HTTP/1.1\r\nExpect: a-miracle\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`,
    );
    assert.match(received, /^HTTP\/1.1 200 /);
  });

  test('slow clients are disconnected', async () => {
    const limits = { headersTimeoutMs: 100, requestTimeoutMs: 200 };
    const { port } = await startServer(undefined, { limits });
    const [slowHeaders, slowBody] = await Promise.all([
      sendRaw(port, 'POST /public/v1/submit/a HTTP/1.1\r\n'),
      sendRaw(port, 'POST /public/v1/submit/a HTTP/1.1\r\nContent-Length: 10\r\n\r\nabc'),
    ]);
    assert.match(slowHeaders, /^HTTP\/1.1 408 .*"code":3/s);
    assert.match(slowBody, /^HTTP\/1.1 408 .*"code":3/s);
  });

  const untaken = ['GET /%zz', 'GET /unknown', 'OPTIONS /public/v1/submit/a', 'GET /health/live'];
  for (const line of untaken) {
    test(`a client that reads no answers to ${line} is disconnected`, async () => {
      const { port } = await startServer(undefined, { limits: { requestTimeoutMs: 200 } });
      const closed = Promise.withResolvers<void>();
      const socket = connect({ port, host: '127.0.0.1' }).pause();
      socket.on('error', () => undefined).once('close', () => closed.resolve());
      // More than the server reads ahead, so the client sees the end while it writes.
      socket.write(`${line} HTTP/1.1\r\nHost: a\r\n\r\n`.repeat(500_000));
      await closed.promise;
    });
  }

  test('a path that cannot be decoded is logged and counted', async () => {
    const { port, lines, finished } = await startServer();
    assert.equal((await send(port, { path: '/%zz' })).status, 404);
    await until(() => finished.length === 1);
    assert.deepEqual(lines[0]?.fields['errorCode'], 'operation_unknown');
    assert.equal(finished[0]?.kind, 'other');
  });

  test('errors on the way to the enclave are reported with their status', async () => {
    const thrown = new Map<string, Error>([
      ['enclave', new ServiceError('enclave_unavailable')],
      ['overloaded', new ServiceError('overloaded')],
      ['bug', new Error('the secret reason')],
      ['internal', new ServiceError('internal', { supportId: 'elsewhere' })],
    ]);
    const { port, lines } = await startServer(async ({ operation }) => {
      throw thrown.get(operation) ?? new Error('not foreseen');
    });
    const path = '/public/v1/submit/';
    const enclave = await send(port, { path: `${path}enclave` });
    assertError(enclave, 503, 14, 'INTERNAL');
    assert.equal(enclave.headers['retry-after'], '1');
    const overloaded = await send(port, { path: `${path}overloaded` });
    assertError(overloaded, 503, 14, 'RATE_LIMIT_EXCEEDED');
    for (const operation of ['bug', 'internal']) {
      const reply = await send(port, { path: path + operation, headers: { 'X-Request-Id': 'id' } });
      const message = assertError(reply, 500, 13, 'INTERNAL');
      assert.equal(message, 'internal server error (id)');
      assert.equal(reply.headers['retry-after'], undefined);
    }
    const failures = lines.filter(({ message }) => message === 'a request failed');
    assert.equal(failures.length, 1);
    assert.match(String(failures[0]?.fields['detail']), /the secret reason/);
  });
});

describe('bounds', () => {
  test('requests in flight', async () => {
    const release = Promise.withResolvers<Answer>();
    const arrived = Promise.withResolvers<void>();
    const { port } = await startServer(
      () => {
        arrived.resolve();
        return release.promise;
      },
      { limits: { inFlightMaximum: 1 } },
    );
    const first = send(port);
    await arrived.promise;
    const second = await send(port);
    assertError(second, 503, 14, 'RATE_LIMIT_EXCEEDED');
    assert.equal(second.headers['retry-after'], '1');
    assert.equal((await send(port, { method: 'GET', path: '/health/live' })).status, 200);
    release.resolve(okAnswer);
    assert.equal((await first).status, 200);
    assert.equal((await send(port)).status, 200);
  });

  test('a call is refused before the framework sees it like behind it', async () => {
    const release = Promise.withResolvers<Answer>();
    const rateLimits = createRateLimits(
      {
        rateLimitOrganizationPerSecond: 0,
        rateLimitSourcePerSecond: 8,
        authProxyRateLimitSourcePerSecond: 4,
        rateLimitLocal: true,
        trustedProxies: 0,
      },
      () => 0,
      () => undefined,
    );
    const { port, asked, lines } = await startServer(() => release.promise, {
      rateLimits,
      limits: { inFlightMaximum: 1 },
    });
    const first = send(port);
    await until(() => asked.length === 1);
    const headers = { 'x-request-id': 'mine' };
    // Only the framework resolves this spelling to the path.
    const spelled = '/public/v1/%73ubmit/sign_raw_payload';
    const early = await send(port, { headers, body: 'x'.repeat(100_000) });
    const behind = await send(port, { headers, path: spelled, body: 'x'.repeat(100_000) });
    const tooMany = [];
    for (const path of ['/v1/otp_init', '/public/v1/query/whoami']) {
      while ((await send(port, { path })).status !== 429);
      tooMany.push(await send(port, { path }));
    }
    const onOneConnection = await sendInTurn(port, [
      'POST /public/v1/submit/a HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nfirst',
      'GET /health/live HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n',
    ]);
    assert.match(onOneConnection, /^HTTP\/1.1 429 .*HTTP\/1.1 200 /s);
    release.resolve(okAnswer);
    await first;
    await until(() => lines.filter(({ fields }) => fields['requestId'] === 'mine').length === 2);

    const comparable = ({ headers: { date, 'ratelimit-remaining': left, ...rest } }: Reply) => rest;
    assert.deepEqual(comparable(early), comparable(behind));
    assert.deepEqual(early.body, behind.body);
    assert.deepEqual(
      [early, behind].map((reply) => [reply.status, reply.headers['ratelimit-remaining']]),
      [
        [503, '6'],
        [503, '5'],
      ],
    );
    for (const reply of tooMany) {
      assertError(reply, 429, 8, 'RATE_LIMIT_EXCEEDED');
      assert.equal(reply.headers['ratelimit-remaining'], '0');
      assert.equal(reply.headers['x-rate-limit-request-remote-addr'], '127.0.0.1');
    }
    const logged = lines
      .filter(({ fields }) => fields['requestId'] === 'mine')
      .map(({ fields: { durationMs, ...rest } }) => rest);
    assert.equal(logged.length, 2);
    assert.deepEqual(logged[0], logged[1]);
    assert.equal(logged[0]?.['errorCode'], 'overloaded');
    assert.equal(logged[0]?.['source'], '127.0.0.1');
  });

  test('a request of a disconnected client is cancelled, and then frees its place', async () => {
    const answers: PromiseWithResolvers<Answer>[] = [];
    const cancelled: number[] = [];
    const { port, asked, finished } = await startServer(
      () => {
        const answer = Promise.withResolvers<Answer>();
        answers.push(answer);
        return answer.promise;
      },
      { limits: { inFlightMaximum: 1 }, cancel: (id) => cancelled.push(id) },
    );
    const socket = connect({ port, host: '127.0.0.1' });
    socket.write('POST /public/v1/submit/a HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n');
    await until(() => asked.length === 1);
    socket.destroy();
    await until(() => cancelled.length === 1);
    assert.deepEqual(cancelled, [asked[0]?.cancelId]);
    assert.equal((await send(port)).status, 503, 'the enclave has not said that it is over');
    answers[0]?.resolve({ ...okAnswer, status: 503, errorCode: 'not_begun' });
    await until(() => finished.some(({ status }) => status === 499));
    const next = send(port);
    await until(() => answers.length === 2);
    answers[1]?.resolve(okAnswer);
    assert.equal((await next).status, 200);
    assert.equal(cancelled.length, 1, 'what was answered is not cancelled');
  });

  test('a client that disconnects before its whole body arrived causes no request to the enclave', async () => {
    const { port, asked, finished } = await startServer();
    const socket = connect({ port, host: '127.0.0.1' });
    socket.write('POST /public/v1/submit/a HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\nabc');
    socket.end();
    await until(() => finished.length === 1);
    assert.equal(asked.length, 0);
  });

  test('a request has a deadline and a number of its own', async () => {
    const { port, asked } = await startServer(undefined, { limits: { requestDeadlineMs: 500 } });
    const before = Date.now();
    await send(port);
    await send(port);
    const [first, second] = asked;
    const deadlineMs = first?.deadlineAtMs ?? 0;
    assert.ok(deadlineMs >= before + 500 && deadlineMs <= Date.now() + 500);
    assert.notEqual(first?.cancelId, second?.cancelId);
  });

  test('callers that do not read their answers are disconnected, and free their places', async (t) => {
    // More than the buffers of a connection hold.
    const large = new Uint8Array(32 * 1024 * 1024);
    const ask = async ({ operation }: Asked): Promise<Answer> =>
      operation === 'large' ? { ...okAnswer, body: large } : okAnswer;
    const { port, finished } = await startServer(ask, {
      limits: { inFlightMaximum: 1, bodyLimitBytes: large.length, requestTimeoutMs: 30_000 },
    });
    t.mock.timers.enable({ apis: ['setTimeout'] });
    const socket = connect({ port, host: '127.0.0.1' });
    socket.write('POST /public/v1/submit/large HTTP/1.1\r\nContent-Length: 0\r\n\r\n');
    socket.pause();
    while (finished.length === 0) {
      t.mock.timers.tick(30_000);
      await new Promise((resolve) => setImmediate(resolve));
    }
    t.mock.timers.reset();
    assert.deepEqual(
      finished.map(({ status }) => status),
      [499],
    );
    assert.equal((await send(port)).status, 200);
    socket.destroy();
  });

  test('an answer that the operating system accepts at once has no deadline', async (t) => {
    const requestTimeoutMs = 31_337;
    const { port } = await startServer(undefined, { limits: { requestTimeoutMs } });
    const timers = t.mock.method(globalThis, 'setTimeout').mock;
    assert.equal((await send(port)).status, 200);
    const deadlines = timers.calls.filter(({ arguments: [, ms] }) => ms === requestTimeoutMs);
    assert.deepEqual(deadlines, []);
  });

  test('memory of bodies counts arrived bytes, not announced ones', async () => {
    const stamp = { 'X-Stamp': 'a' };
    // Room for one whole body and a byte of each other.
    const bodyMemoryBytes = 100_019;
    const limits = { bodyLimitBytes: 100_000, bodyMemoryBytes, sourceSharePercent: 100 };
    const load = createLoadLimiter(
      { ...testLimits, ...limits },
      { clock: () => performance.now(), uses: [], answerDropped: () => {} },
    );
    const knownKeys = {
      note: () => {},
      has: () => true,
      noteRefusal: () => {},
      isTrusted: () => true,
    };
    const { port } = await startServer(undefined, { limits, load, knownKeys });
    const head = 'POST /public/v1/submit/a HTTP/1.1\r\nHost: a\r\nX-Stamp: a\r\n';
    const idle = Array.from({ length: 20 }, () => {
      const socket = connect({ port, host: '127.0.0.1' });
      socket.write(`${head}Content-Length: 100000\r\n\r\na`);
      return socket;
    });
    for (let i = 0; i < 20; i += 1) {
      const reply = await send(port, { headers: stamp, body: 'x'.repeat(10_000) });
      assert.equal(reply.status, 200);
    }
    idle[0]?.write('x'.repeat(99_998));
    await until(() => isRefused(load, 2));
    const reply = await send(port, { headers: stamp, body: 'x'.repeat(10_000) });
    assertError(reply, 503, 14, 'RATE_LIMIT_EXCEEDED');
    for (const socket of idle) socket.destroy();
    await until(() => !isRefused(load, 50_000));
    assert.equal((await send(port, { headers: stamp, body: 'x'.repeat(50_000) })).status, 200);
  });
});

describe('memory of large bodies', () => {
  const headers = { 'X-Stamp': stampOf('02'.padEnd(66, 'a')) };
  const asker = { organizationId: 'o', userId: 'u', credentialId: 'c' };
  const limits = { bodyLimitBytes: 100_000, bodyMemoryBytes: 1_000_000 };

  test('is for keys that the enclave has authenticated; unknown keys share a small part', async () => {
    const load = createLoadLimiter(
      { ...testLimits, ...limits },
      { clock: () => 0, uses: [], answerDropped: () => {} },
    );
    const reasons: string[] = [];
    const { port } = await startServer(async () => ({ ...okAnswer, asker }), {
      limits,
      load,
      metrics: { ...noMetrics, admissionRefused: (reason) => reasons.push(reason) },
    });
    // A stranger of another source has used up the part of one source.
    const strangers = load.openAccount('192.0.2.1/32');
    strangers.takeFromStrangers();
    strangers.hold(100_000);
    const large = { headers, body: 'x'.repeat(90_000) };
    assertError(await send(port, large), 503, 14, 'RATE_LIMIT_EXCEEDED');
    assert.deepEqual(reasons, ['unknown_keys']);
    assert.equal((await send(port, { headers, body: '{}' })).status, 200);
    assert.equal((await send(port, large)).status, 200);
    const byAnother = { ...large, headers: { 'X-Stamp': stampOf('02'.padEnd(66, 'b')) } };
    assert.equal((await send(port, byAnother)).status, 503);
    strangers.close();
    assert.equal((await send(port, byAnother)).status, 200, 'a first request of a key');
  });

  test('is not used by answers that many requests share', async () => {
    const charged: number[] = [];
    const load = createLoadLimiter(
      { ...testLimits, ...limits },
      { clock: () => 0, uses: [], answerDropped: () => {} },
    );
    const openAccount: typeof load.openAccount = (source) => {
      const account = load.openAccount(source);
      return {
        ...account,
        holdAnswer: (bytes, drop) => {
          charged.push(bytes);
          account.holdAnswer(bytes, drop);
        },
      };
    };
    const { port } = await startServer(undefined, { limits, load: { ...load, openAccount } });
    for (const path of ['/openapi.json', '/.well-known/openid-configuration']) {
      assert.equal((await send(port, { method: 'GET', path })).status, 200);
    }
    await send(port, { headers });
    assert.deepEqual(charged, [0, 0, okAnswer.body.length]);
  });
});

describe('drain', () => {
  test('requests in progress finish, and their connections end', async () => {
    const release = Promise.withResolvers<Answer>();
    const arrived = Promise.withResolvers<void>();
    const { server, port } = await startServer(() => {
      arrived.resolve();
      return release.promise;
    });
    const socket = connect({ port, host: '127.0.0.1' });
    socket.write('POST /public/v1/submit/a HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n');
    await arrived.promise;
    const drained = server.drain(60_000);
    release.resolve(okAnswer);
    let received = '';
    for await (const chunk of socket) received += chunk;
    assert.match(received, /^HTTP\/1.1 200 OK.*connection: close/is);
    await drained;
    await assert.rejects(send(port), { code: 'ECONNREFUSED' });
  });

  test('a request on an open connection is refused with draining', async () => {
    const release = Promise.withResolvers<Answer>();
    const arrived = Promise.withResolvers<void>();
    const { server, port } = await startServer(() => {
      arrived.resolve();
      return release.promise;
    });
    const socket = connect({ port, host: '127.0.0.1' });
    socket.write('POST /public/v1/submit/a HTTP/1.1\r\nHost: a\r\n');
    const first = send(port);
    await arrived.promise;
    const drained = server.drain(60_000);
    socket.write('Content-Length: 0\r\n\r\n');
    let received = '';
    for await (const chunk of socket) received += chunk;
    assert.match(received, /^HTTP\/1.1 503 .*connection: close.*"code":14.*shutting down/is);
    release.resolve(okAnswer);
    assert.equal((await first).status, 200);
    await drained;
  });

  test('a request that does not finish in time is terminated', async () => {
    const arrived = Promise.withResolvers<void>();
    const { server, port } = await startServer(() => {
      arrived.resolve();
      return new Promise(() => {});
    });
    const request = assert.rejects(send(port), { code: 'ECONNRESET' });
    await arrived.promise;
    await server.drain(1);
    await request;
  });
});

describe('beside the API', () => {
  test('health', async () => {
    const reasons: string[] = ['the enclave is not running'];
    const { port } = await startServer(undefined, { notReady: () => reasons });
    const live = await send(port, { method: 'GET', path: '/health/live' });
    assert.equal(live.status, 200);
    const waiting = await send(port, { method: 'GET', path: '/health/ready' });
    assert.equal(waiting.status, 503);
    assert.equal(waiting.headers['content-type'], 'application/json');
    assert.deepEqual(JSON.parse(waiting.body.toString()).reasons, reasons);
    reasons.length = 0;
    assert.equal((await send(port, { method: 'GET', path: '/health/ready' })).status, 200);
    assert.equal((await send(port, { method: 'HEAD', path: '/health/ready' })).status, 200);
  });

  test('the OpenAPI document is generated once, at the first request', async () => {
    let made = 0;
    const openApi = async () => {
      made += 1;
      return { openapi: '3.1.0' };
    };
    const { port } = await startServer(undefined, { openApi });
    assert.equal(made, 0);
    for (let i = 0; i < 2; i += 1) {
      const reply = await send(port, { method: 'GET', path: '/openapi.json' });
      assert.equal(reply.headers['content-type'], 'application/json');
      assert.deepEqual(JSON.parse(reply.body.toString()), { openapi: '3.1.0' });
    }
    assert.equal(made, 1);
  });

  test('pages of other origins may send every header with a meaning', async () => {
    const { port } = await startServer();
    const headers = {
      Origin: 'https://a.example',
      'Access-Control-Request-Method': 'POST',
      'Access-Control-Request-Headers': 'content-type,x-client-version,x-stamp-webauthn',
    };
    for (const kind of ['submit', 'query']) {
      const path = `/public/v1/${kind}/anything`;
      const preflight = await send(port, { method: 'OPTIONS', path, headers });
      assert.equal(preflight.status, 204);
      assert.equal(preflight.headers['access-control-allow-origin'], '*');
      assert.equal(preflight.headers['access-control-allow-methods'], 'POST');
      assert.deepEqual(
        String(preflight.headers['access-control-allow-headers']).toLowerCase().split(', ').sort(),
        [
          'content-type',
          'dry-run',
          'prefer',
          'traceparent',
          'x-client-version',
          'x-request-id',
          'x-session',
          'x-stamp',
          'x-stamp-attested',
          'x-stamp-webauthn',
        ],
      );
      assert.match(String(preflight.headers['access-control-max-age']), /^[0-9]+$/);
      // Browsers send no credentials by themselves here, so credentials stay disallowed.
      assert.equal(preflight.headers['access-control-allow-credentials'], undefined);
    }
  });

  test('pages of other origins read answers, refusals and errors', async () => {
    const { port } = await startServer(async ({ operation }) => {
      if (operation === 'broken') throw new Error('unforeseen');
      return operation === 'refused' ? { ...okAnswer, status: 401 } : okAnswer;
    });
    const headers = { Origin: 'https://a.example' };
    for (const [status, options] of [
      [200, {}],
      [401, { path: '/public/v1/submit/refused' }],
      [500, { path: '/public/v1/submit/broken' }],
      [404, { path: '/public/v1/nothing' }],
      [405, { method: 'GET', path: '/public/v1/query/whoami' }],
      [413, { headers: { ...headers, 'content-length': '99999999999' } }],
    ] as const) {
      const answer = await send(port, { headers, ...options });
      assert.equal(answer.status, status);
      assert.equal(answer.headers['access-control-allow-origin'], '*', String(status));
      const exposed = String(answer.headers['access-control-expose-headers']);
      assert.deepEqual(exposed.split(', '), [
        'X-Request-Id',
        'RateLimit-Limit',
        'RateLimit-Remaining',
        'Retry-After',
        'Preference-Applied',
      ]);
    }
  });

  test('one line and one count per request contain nothing invented by a caller', async () => {
    const refused: Readonly<Record<string, Partial<Answer>>> = {
      invented: { status: 404, activityId: undefined, errorCode: 'operation_unknown' },
      // A fenced copy refuses a request before it looks for the operation.
      invented_too: { status: 503, activityId: undefined, errorCode: 'fenced' },
      invented_again: { status: 429, activityId: undefined, errorCode: 'rate_limited' },
    };
    const { port, lines, finished } = await startServer(async ({ operation }) => ({
      ...okAnswer,
      ...refused[operation],
    }));
    const headers = { 'X-Stamp': 'stamp-of-the-caller' };
    await send(port, { path: '/public/v1/submit/real?secret', headers, body: 'body-of-it' });
    await send(port, { path: '/public/v1/submit/invented', headers, body: 'body-of-it' });
    await send(port, { path: '/public/v1/submit/invented_too', headers, body: 'body-of-it' });
    await send(port, { path: '/public/v1/submit/invented_again', headers, body: 'body-of-it' });
    await send(port, { path: '/invented', body: 'body-of-it' });
    await send(port, { path: '/public/v1/submit/real', body: 'x'.repeat(2_000) });
    // Other spellings of the same path.
    await send(port, { path: '/%70ublic/v1/submit/re%61l' });
    await send(port, { path: 'http://elsewhere/public/v1/submit/real' });
    while (finished.length < 8) await new Promise((resolve) => setImmediate(resolve));
    const shown = lines.map(({ fields }) => [
      fields['kind'],
      fields['operation'],
      fields['status'],
      fields['activityId'],
      fields['organizationId'],
      fields['errorCode'],
    ]);
    assert.deepEqual(shown, [
      ['submit', 'real', 200, 'activity-1', 'organization-1', undefined],
      ['submit', 'unknown', 404, undefined, 'organization-1', 'operation_unknown'],
      ['submit', 'unknown', 503, undefined, 'organization-1', 'fenced'],
      ['submit', 'unknown', 429, undefined, 'organization-1', 'rate_limited'],
      ['other', 'unknown', 404, undefined, undefined, 'operation_unknown'],
      ['submit', 'real', 413, undefined, undefined, 'body_too_large'],
      ['submit', 'real', 200, 'activity-1', 'organization-1', undefined],
      ['submit', 'real', 200, 'activity-1', 'organization-1', undefined],
    ]);
    assert.doesNotMatch(JSON.stringify(lines), /invented|stamp-of|body-of|secret/);
    assert.deepEqual(
      finished.map(({ kind, operation, status }) => [kind, operation, status]),
      shown.map((row) => row.slice(0, 3)),
    );
    for (const { durationMs } of finished) assert.ok(durationMs > 0);
  });
});

describe('callers who wait', () => {
  const found = (hasNews: boolean): Answer => ({
    ...okAnswer,
    body: Buffer.from(JSON.stringify({ hasNews })),
    news: { kind: 'activities', id: 'organization-1', hasNews },
  });
  const path = '/public/v1/query/list_activities';
  const change = {
    activities: [activityOf(1, { organizationId: 'organization-1' })],
    events: [],
  };

  /** Starts a server that holds answers, with a stopped clock. */
  async function startWaiting(
    ask: () => Answer,
    limits: Partial<HttpOptions['limits']> = {},
    rateLimits?: RateLimits,
  ) {
    const time = manualClock();
    const news = createNews({ clock: time.clock });
    let count = 0;
    const held = createHeldRequests({
      news,
      clock: time.clock,
      sourceSharePercent: 100,
      heldChanged: (now) => {
        count = now;
      },
    });
    const started = await startServer(async () => ask(), {
      held,
      limits,
      ...(rateLimits === undefined ? {} : { rateLimits }),
    });
    return { ...started, time, news, held: () => count };
  }

  test('are answered when there is news, and use no place of running requests', async () => {
    let hasNews = false;
    const { port, time, news, held, asked, lines } = await startWaiting(() => found(hasNews), {
      inFlightMaximum: 1,
    });
    const waiting: Promise<Reply>[] = [];
    for (const count of [1, 2, 3]) {
      waiting.push(send(port, { path, headers: { prefer: 'wait=25' }, body: '{}' }));
      await until(() => held() === count);
    }
    const other = await send(port, { path, body: '{}' });
    assert.equal(other.status, 200);
    assert.equal(other.headers['preference-applied'], undefined);
    hasNews = true;
    await time.advance(4_000);
    news.committed(change);
    // Only one has the place at a time; the others are decided again after a pause.
    void time.advance(30_000);
    for (const reply of await Promise.all(waiting)) {
      assert.equal(reply.headers['preference-applied'], 'wait');
      assert.equal(reply.body.toString(), '{"hasNews":true}');
    }
    assert.equal(held(), 0);
    const deadlines = asked.map(({ deadlineAtMs = 0 }) => deadlineAtMs);
    assert.ok(deadlines.every((atMs) => atMs > 0));
    const heldMs = lines.filter(({ fields }) => fields['heldMs'] === 4_000);
    assert.ok(heldMs.length >= 1);
    assert.ok(lines.every(({ fields }) => Number(fields['durationMs'] ?? 0) < 4_000));
  });

  test('pay for each decision of their request, and wait on without credit', async () => {
    const organizationId = '019b76da-a800-7a00-8000-00000000000a';
    const off = { rateLimitSourcePerSecond: 0, authProxyRateLimitSourcePerSecond: 0 };
    const settings = { ...off, rateLimitOrganizationPerSecond: 3 };
    const rateLimits = createRateLimits(
      { ...settings, rateLimitLocal: true, trustedProxies: 0 },
      // No credit returns while the test runs.
      () => 0,
      () => undefined,
    );
    const { port, time, news, held, asked } = await startWaiting(
      () => ({ ...found(false), organizationId }),
      {},
      rateLimits,
    );
    const body = JSON.stringify({ organizationId });
    const waiting = send(port, { path, headers: { prefer: 'wait=25' }, body });
    await until(() => held() === 1);
    for (let i = 0; i < 24; i += 1) {
      news.committed(change);
      await time.advance(1_000);
    }
    assert.equal(asked.length, 3);
    assert.equal(held(), 1);
    assert.equal((await send(port, { path, body })).status, 429);
    await time.advance(1_000);
    const { status, headers } = await waiting;
    assert.deepEqual([status, headers['ratelimit-remaining']], [429, '0']);
    assert.equal(held(), 0);
  });

  test('free their place when they disconnect', async () => {
    const { port, held } = await startWaiting(() => found(false));
    const request = httpRequest({
      port,
      host: '127.0.0.1',
      method: 'POST',
      path,
      agent: false,
      headers: { prefer: 'wait=25' },
    });
    request.on('error', () => undefined);
    request.end('{}');
    await until(() => held() === 1);
    request.destroy();
    await until(() => held() === 0);
  });

  test('are answered when the service stops', async () => {
    const { port, server, held } = await startWaiting(() => found(false));
    const reply = send(port, { path, headers: { prefer: 'wait=25' }, body: '{}' });
    await until(() => held() === 1);
    await server.drain(60_000);
    assert.equal((await reply).body.toString(), '{"hasNews":false}');
  });

  test('must prefer to wait, and send a query that can wait', async () => {
    const cases: readonly (readonly [string, boolean])[] = [
      ['wait=25', true],
      ['WAIT = "3"', true],
      ['respond-async, wait=10; why=not', true],
      ['wait=0', false],
      ['wait=-1', false],
      ['wait', false],
      ['wait=soon', false],
      ['waiting=25', false],
    ];
    for (const [prefer, isHonored] of cases) {
      const { port } = await startWaiting(() => found(true));
      const reply = await send(port, { path, headers: { prefer }, body: '{}' });
      assert.equal(reply.headers['preference-applied'], isHonored ? 'wait' : undefined, prefer);
    }
    const { port } = await startWaiting(() => okAnswer);
    const reply = await send(port, { path, headers: { prefer: 'wait=25' }, body: '{}' });
    assert.equal(reply.headers['preference-applied'], undefined);
  });
});
