import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { wantsTimestampObjects, wireTimestamp } from '../../../src/core/base/compatibility.ts';

test('clients that identify themselves get Timestamp objects', () => {
  const wants = (clientVersion?: string, userAgent?: string) =>
    wantsTimestampObjects({ clientVersion, userAgent }, 'by-client');
  assert.equal(wants('@turnkey/http@6.6.0', undefined), true);
  assert.equal(wants('', 'curl/8.0'), true);
  assert.equal(wants(undefined, 'turnkey-rust-client/0.5.0'), true);
  assert.equal(wants(undefined, 'Mozilla/5.0 turnkey-rust-client/0.5.0'), false);
  assert.equal(wants(undefined, 'curl/8.0'), false);
  assert.equal(wants(), false);
});

test('all clients get Timestamp objects if the operator chooses them', () => {
  const nameless = { clientVersion: undefined, userAgent: undefined };
  assert.equal(wantsTimestampObjects(nameless, 'objects'), true);
});

test('a time is RFC 3339 in UTC with milliseconds, or seconds and nanos', () => {
  assert.equal(wireTimestamp(1_701_400_647_000, false), '2023-12-01T03:17:27.000Z');
  assert.deepEqual(wireTimestamp(1_701_400_647_000, true), { seconds: '1701400647', nanos: '0' });
  assert.deepEqual(wireTimestamp(1_701_400_647_012, true), {
    seconds: '1701400647',
    nanos: '12000000',
  });
  assert.equal(wireTimestamp(253_402_300_799_999, false), '9999-12-31T23:59:59.999Z');
  for (const outside of [-1, 0.5, 253_402_300_800_000]) {
    assert.throws(() => wireTimestamp(outside, false), /expected a time from 1970 to 9999/);
  }
});

test('both forms name the same millisecond', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 253_402_300_799_999 }), (ms) => {
      const spelled = wireTimestamp(ms, false);
      const object = wireTimestamp(ms, true);
      assert.ok(typeof spelled === 'string' && typeof object === 'object');
      assert.equal(Date.parse(spelled), ms);
      assert.equal(Number(object.seconds) * 1000 + Number(object.nanos) / 1_000_000, ms);
    }),
  );
});
