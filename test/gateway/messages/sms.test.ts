import assert from 'node:assert/strict';
import { test } from 'node:test';
import { textOfUtf8 } from '../../../src/core/base/bytes.ts';
import { CarrierError } from '../../../src/gateway/messages/carrier.ts';
import { createSmsCarrier, type SendRequest } from '../../../src/gateway/messages/sms.ts';

type Answer = Awaited<ReturnType<SendRequest>>;

const message = { channel: 'sms', to: '+12025550123', text: 'Your "code" is\n123456' } as const;
const url = 'https://sms.example/v1/messages';
const { signal } = new AbortController();

function send(answer: Answer, token?: string) {
  const requests: Parameters<SendRequest>[0][] = [];
  const carrier = createSmsCarrier({ url, token }, async (request) => {
    requests.push(request);
    return answer;
  });
  return { requests, sent: carrier.send(message, signal) };
}

test('a text message is posted as JSON with the bearer token', async () => {
  const { requests, sent } = send({ status: 202 }, 'token of the operator');
  await sent;
  const [{ body, ...request } = assert.fail('nothing was sent')] = requests;
  assert.deepEqual(request, {
    url,
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      authorization: 'Bearer token of the operator',
    },
    timeoutMs: 10_000,
    maximumBytes: 65_536,
  });
  const { to, text } = message;
  assert.deepEqual(JSON.parse(textOfUtf8(body) ?? ''), { to, text });
});

test('without a token there is no authorization header', async () => {
  const { requests, sent } = send({ status: 200 });
  await sent;
  assert.deepEqual(requests[0]?.headers, { 'content-type': 'application/json' });
});

test('the answer of the provider decides if another attempt follows', async () => {
  const cases: readonly (readonly [Answer, string, boolean])[] = [
    [{ status: 500 }, 'status 500', false],
    [{ status: 503 }, 'status 503', false],
    [{ status: 429 }, 'status 429', false],
    [{ status: 408 }, 'status 408', false],
    [{ status: 400 }, 'status 400', true],
    [{ status: 401 }, 'status 401', true],
    [{ status: 301 }, 'status 301', true],
    [{ failure: 'timeout' }, 'timeout', false],
    [{ failure: 'refused_target' }, 'refused_target', true],
  ];
  for (const [answer, reason, isPermanent] of cases) {
    await assert.rejects(send(answer).sent, (error) => {
      assert.ok(error instanceof CarrierError);
      assert.deepEqual([error.reason, error.isPermanent], [reason, isPermanent]);
      return true;
    });
  }
});
