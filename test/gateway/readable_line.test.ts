import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readableLine } from '../../src/gateway/observability/readable_line.ts';

const time = '2026-11-28T16:29:50.351Z';

test('a line has the time, the level, the message and its fields', () => {
  assert.equal(
    readableLine({ level: 'warn', time, dropped: 3, msg: 'lines of the log were dropped' }),
    '16:29:50.351 WARN  lines of the log were dropped dropped=3\n',
  );
});

test('a request shows its operation, status and milliseconds first', () => {
  const request = {
    level: 'info',
    time,
    requestId: 'r',
    kind: 'submit',
    operation: 'sign_raw_payload',
    status: 403,
    durationMs: 3.249,
    source: '127.0.0.1',
    organizationId: 'o',
    errorCode: 'not_permitted',
    userId: 'u',
    msg: 'request',
  };
  assert.equal(
    readableLine(request),
    '16:29:50.351 INFO  sign_raw_payload 403 3.2 ms ' +
      'errorCode=not_permitted userId=u organizationId=o source=127.0.0.1\n',
  );
  assert.match(readableLine({ ...request, operation: 'unknown' }), /INFO {2}submit 403 /);
});

test('a value with line ends, controls or blanks is quoted, so it cannot forge a line', () => {
  const detail = 'x\n16:00:00.000 INFO  ready\u001b[2J\u202e';
  const line = readableLine({ level: 'error', time, detail, msg: 'a request failed' });
  assert.equal(line.split('\n').length, 2);
  assert.match(line, /^[\x20-\x7e]+\n$/);
});
