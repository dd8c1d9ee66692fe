import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createRememberedTries } from '../../../../src/core/auth/one_time_codes/remembered_tries.ts';

const attempt = (changes: object = {}) => ({
  organizationId: 'o',
  code: { id: 'c', expiresAtMs: 1000 },
  request: '1',
  now: 0,
  ...changes,
});

test('three requests try a code, and each may be repeated', () => {
  const tries = createRememberedTries();
  for (const request of ['1', '2', '3', '1', '3']) assert(tries.admit(attempt({ request })));
  for (const request of ['4', '5']) assert(!tries.admit(attempt({ request })));
  assert(tries.admit(attempt({ request: '2' })));
  // Another code, and another organization, have tries of their own.
  assert(tries.admit(attempt({ request: '4', code: { id: 'd', expiresAtMs: 1000 } })));
  assert(tries.admit(attempt({ request: '4', organizationId: 'p' })));
});

test('memory is bounded: where it is full no further code is tried until others expire', () => {
  const tries = createRememberedTries(2);
  const codeOf = (id: string, expiresAtMs: number) => attempt({ code: { id, expiresAtMs } });
  assert(tries.admit(codeOf('a', 100)));
  assert(tries.admit(codeOf('b', 200)));
  assert(!tries.admit(codeOf('c', 300)));
  assert(tries.admit(codeOf('a', 100)), 'a known one goes on');
  assert(tries.admit({ ...codeOf('c', 300), now: 100 }));
  assert(!tries.admit({ ...codeOf('d', 300), now: 100 }));
});
