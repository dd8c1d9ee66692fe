// Malformed HTTP over raw sockets to the real service: every client can read an answer or sees the
// connection end, and the service continues.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { utf8 } from '../../src/core/base/bytes.ts';
import { serviceOfThisFile } from '../e2e/service.ts';
import { stampOf } from '../support/harness.ts';
import { type Case, framingCases, requestBuilder } from './framing_cases.ts';
import { abandon, exchange, hold, type RawAnswer, rawBytes, sendAndEnd } from './raw_http.ts';

// Longer than a request of megabytes takes on a busy machine.
const headersTimeoutMs = 5_000;
const requestTimeoutMs = 10_000;
const service = await serviceOfThisFile({
  KEYWRIGHT_HEADERS_TIMEOUT_MS: String(headersTimeoutMs),
  KEYWRIGHT_REQUEST_TIMEOUT_MS: String(requestTimeoutMs),
});
const port = Number(new URL(service.baseUrl).port);
const { organizationId, apiPublicKey, apiPrivateKey } = service.credentials;
const key = { privateKey: Uint8Array.fromHex(apiPrivateKey), publicKey: apiPublicKey };
const bodyLimitBytes = 4 * 1024 * 1024;

const body = utf8(JSON.stringify({ organizationId }));
const build = requestBuilder(body, `X-Stamp: ${stampOf(body, key).value}`);
const { stamp, request, chunk, chunked, withHeaders } = build;
const { fine, refused, cutShort } = framingCases(build);
const padded = (bytes: number) => utf8(new TextDecoder().decode(body).padEnd(bytes, ' '));
const large = (bytes: number) => {
  const long = padded(bytes);
  return { long, stamp: `X-Stamp: ${stampOf(long, key).value}` };
};

test('a well-formed request is answered', async () => {
  await checkCases(fine);
});

test('a malformed request is refused in JSON, and the next request is answered', async () => {
  await checkCases(refused);
  assert.equal(await activityCount(), 0);
});

test('a truncated request is refused', async () => {
  for (const [name, bytes, ...statuses] of cutShort) {
    assertAnswers(name, await sendAndEnd(port, bytes), statuses);
    await checkAlive(name);
  }
});

test('of pipelined requests the first is answered, and the connection ends', async () => {
  const ids = Array.from({ length: 100 }, (_, i) => `in-a-row-${i}`);
  const inARow = rawBytes(...ids.map((id) => withHeaders(`X-Request-Id: ${id}`)));
  const [answer, ...others] = await exchange(port, inARow, 1);
  assert.equal(answer?.headers.get('x-request-id'), ids[0]);
  assert.equal(answer?.headers.get('connection'), 'close');
  assert.deepEqual(others, []);
});

test('no part of a request becomes a response header', async () => {
  for (const id of ['a\tb', 'a b', 'é', 'x'.repeat(200), '']) {
    const [answer] = await exchange(port, withHeaders(`X-Request-Id: ${id}`), 1);
    assert.match(answer?.headers.get('x-request-id') ?? '', /^[0-9a-f-]{36}$/);
  }
});

test('a body is read up to its limit, with a length or in chunks', async () => {
  const most = large(bodyLimitBytes);
  const more = large(bodyLimitBytes + 1);
  const announced = ({ long, stamp: own }: typeof most) =>
    request({ headers: [own, `Content-Length: ${long.length}`], body: long });
  const inChunks = ({ long, stamp: own }: typeof most) =>
    request({
      headers: [own, 'Transfer-Encoding: chunked'],
      body: rawBytes(
        chunk(long.subarray(0, 1_000_000)),
        chunk(long.subarray(1_000_000)),
        '0\r\n\r\n',
      ),
    });
  for (const make of [announced, inChunks]) {
    await checkCases([['at the limit', make(most), 200]]);
    const [answer, ...others] = await exchange(port, make(more), 1);
    // The connection may break before the answer arrives, since the rest of the body is not read.
    if (answer !== undefined) assertError(answer, 413, 'above the limit');
    assert.deepEqual(others, []);
  }
});

test('a slow client is disconnected, and delays no other client', async () => {
  const drip = { milliseconds: 200, bytes: rawBytes('a') };
  const half = request().subarray(0, -5);
  const cases: readonly [string, Promise<readonly RawAnswer[]>, ...number[]][] = [
    ['no headers', hold(port, rawBytes('POST /public'), undefined), 408],
    ['headers by the byte', hold(port, rawBytes('POST / HTTP/1.1\r\nA: '), drip), 408],
    ['half a body', hold(port, half, undefined), 408],
    [
      'a body by the byte',
      hold(port, request({ headers: [stamp, 'Content-Length: 100000'] }), drip),
      408,
    ],
    ['chunks that do not come', hold(port, chunked(chunk(body)), undefined), 408],
    ['half a second request at once', hold(port, rawBytes(request(), half), undefined), 200],
  ];
  let isOver = false;
  const meanwhile = (async () => {
    while (!isOver) {
      await checkAlive('slow clients');
      await pause(20);
    }
  })();
  for (const [name, answers, ...statuses] of cases) assertAnswers(name, await answers, statuses);
  isOver = true;
  await meanwhile;
});

test('a client that disconnects leaves nothing behind', async () => {
  const whole = request();
  const cuts = Array.from({ length: 40 }, (_, i) => Math.floor((whole.length * (i + 1)) / 40));
  await Promise.all(cuts.map((cut) => abandon(port, whole.subarray(0, cut))));
  await Promise.all(cuts.map(() => abandon(port, rawBytes(whole, whole, whole))));
  await checkAlive('abandoned requests');
});

async function checkCases(cases: readonly Case[]): Promise<void> {
  const wrong: unknown[] = [];
  for (const [name, bytes, ...statuses] of cases) {
    try {
      assertAnswers(name, await exchange(port, bytes, statuses.length), statuses);
    } catch (error) {
      wrong.push([name, error instanceof Error ? error.message : error]);
    }
    await checkAlive(name);
  }
  assert.deepEqual(wrong, []);
}

function assertAnswers(
  name: string,
  answers: readonly RawAnswer[],
  statuses: readonly number[],
): void {
  assert.deepEqual(
    answers.map(({ status }) => status),
    statuses,
    `${name}: ${JSON.stringify(answers)}`,
  );
  for (const answer of answers) {
    if (answer.status >= 400) assertError(answer, answer.status, name);
    else if (answer.status === 200) {
      assert.equal(JSON.parse(answer.body).organizationId, organizationId, name);
    }
  }
}

function assertError({ status, headers, body: text }: RawAnswer, expected: number, name: string) {
  assert.equal(status, expected, name);
  assert.equal(headers.get('content-type'), 'application/json', name);
  const error = JSON.parse(text);
  assert.equal(typeof error.code, 'number', name);
  assert.equal(typeof error.message, 'string', name);
  assert.ok(Array.isArray(error.details), name);
  assert.ok(error.message.length < 1_000, name);
}

/** Checks health, and sends a request on a new connection. */
async function checkAlive(after: string): Promise<void> {
  const health = await fetch(`${service.baseUrl}/health/ready`);
  assert.equal(health.status, 200, after);
  await health.arrayBuffer();
}

async function activityCount(): Promise<number> {
  const list = utf8(JSON.stringify({ organizationId }));
  const response = await fetch(`${service.baseUrl}/public/v1/query/list_activities`, {
    method: 'POST',
    headers: { 'X-Stamp': stampOf(list, key).value },
    body: Buffer.from(list),
  });
  const { activities } = await response.json();
  return activities.length;
}
