import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { classifyResponse } from '../../../src/gateway/webhooks/classify_response.ts';

const now = Date.UTC(2026, 0, 1);
const body = new Uint8Array(0);
const rules = { retriesTooManyRequests: false };

// Every status has a verdict.
describe('ERR-02: verdicts on any status of a receiver', () => {
  for (const status of [200, 201, 202, 204, 299]) {
    test(`${status} is a delivery`, () => {
      const verdict = classifyResponse({ status, headers: {}, body }, rules, now);
      assert.deepEqual(verdict, { result: 'delivered', outcome: 'delivered', status });
    });
  }
  for (const status of [300, 301, 302, 307, 308, 400, 401, 403, 404, 410, 422, 429, 499]) {
    test(`${status} is final`, () => {
      const headers = { 'retry-after': '5' };
      assert.equal(classifyResponse({ status, headers, body }, rules, now).result, 'failed');
    });
  }
  for (const status of [500, 502, 503, 504, 599, 199, 101]) {
    test(`${status} is tried again`, () => {
      assert.equal(classifyResponse({ status, headers: {}, body }, rules, now).result, 'later');
    });
  }
  for (const failure of [
    'timeout',
    'network',
    'too_large',
    'name_not_found',
    'refused_target',
  ] as const) {
    test(`${failure} is tried again`, () => {
      const verdict = classifyResponse({ failure, detail: '' }, rules, now);
      assert.deepEqual(verdict, { result: 'later', outcome: failure, status: undefined });
    });
  }
});

describe('429 with Retry-After is honoured', () => {
  const waits: readonly (readonly [string | undefined, number | undefined])[] = [
    ['120', 120_000],
    ['0', 1_000],
    ['999999999', 24 * 60 * 60 * 1000],
    [new Date(now + 30_000).toUTCString(), 30_000],
    [new Date(now - 30_000).toUTCString(), 1_000],
    ['soon', undefined],
    ['-5', 1_000],
    ['', undefined],
    [undefined, undefined],
  ];
  for (const [value, expected] of waits) {
    test(`Retry-After: ${value}`, () => {
      const headers = { 'retry-after': value };
      const honouring = { retriesTooManyRequests: true };
      const verdict = classifyResponse({ status: 429, headers, body }, honouring, now);
      assert.equal(verdict.result, 'later');
      assert.equal(verdict.retryAfterMs, expected);
    });
  }
});
