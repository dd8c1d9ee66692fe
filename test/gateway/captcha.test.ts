import assert from 'node:assert/strict';
import { test } from 'node:test';
import { textOfUtf8, utf8 } from '../../src/core/base/bytes.ts';
import { createCaptchaCheck } from '../../src/gateway/outbound/captcha.ts';
import type { Outbound } from '../../src/gateway/outbound/outbound.ts';
import type { OutboundRequest } from '../../src/gateway/outbound/request.ts';

const url = 'https://captcha.example/siteverify';

function provider(answer: Awaited<ReturnType<Outbound['send']>>) {
  const sent: OutboundRequest[] = [];
  const failures: string[] = [];
  const send: Outbound['send'] = async (request) => {
    sent.push(request);
    return answer;
  };
  const verify = createCaptchaCheck({ url, secret: 's3cret' }, send, (why) => failures.push(why));
  return { verify, sent, failures };
}

const answered = (body: string, status = 200) => ({ status, headers: {}, body: utf8(body) });

test('the answer of the provider about a token is used', async () => {
  const { verify, sent, failures } = provider(answered('{"success":true,"hostname":"x"}'));
  assert.equal(await verify('token & more', '203.0.113.7'), true);
  const [request] = sent;
  assert.equal(request?.url, url);
  assert.equal(request?.method, 'POST');
  const type = request?.headers?.['content-type'];
  assert.equal(type, 'application/x-www-form-urlencoded');
  const form = new URLSearchParams(textOfUtf8(request?.body ?? new Uint8Array(0)) ?? '');
  assert.deepEqual(Object.fromEntries(form), {
    secret: 's3cret',
    response: 'token & more',
    remoteip: '203.0.113.7',
  });
  const refusing = provider(answered('{"success":false,"error-codes":["timeout-or-duplicate"]}'));
  assert.equal(await refusing.verify('token', ''), false);
  assert.deepEqual([...failures, ...refusing.failures], []);
});

test('without an answer no captcha counts as solved, and the failure is reported', async () => {
  for (const [answer, failure] of [
    [{ failure: 'timeout', detail: '' }, 'timeout'],
    [answered('{"success":true}', 500), undefined],
    [answered('<html>', 502), 'status 502'],
    [answered('{"success":"yes"}'), 'status 200'],
    [answered('null'), 'status 200'],
  ] as const) {
    const { verify, failures } = provider(answer);
    assert.equal(await verify('token', ''), false);
    assert.deepEqual(failures, failure === undefined ? [] : [failure]);
  }
});

test('without a provider no captcha is solved, and oversized tokens are not sent', async () => {
  const { verify, sent } = provider(answered('{"success":true}'));
  assert.equal(await verify('x'.repeat(8_193), ''), false);
  assert.deepEqual(sent, []);
  const none = createCaptchaCheck(
    { url: undefined, secret: undefined },
    async () => answered('{"success":true}'),
    () => {},
  );
  assert.equal(await none('token', ''), false);
});
