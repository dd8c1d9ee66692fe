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

const codeOf = (id: string, expiresAtMs: number, organizationId = 'o') =>
  attempt({ organizationId, code: { id, expiresAtMs } });

test('memory is bounded: where one fills it, it tries no further code until others expire', () => {
  const tries = createRememberedTries(2);
  assert(tries.admit(codeOf('a', 1000)));
  assert(tries.admit(codeOf('b', 2000)));
  assert(!tries.admit(codeOf('c', 3000)));
  assert(tries.admit(codeOf('a', 1000)), 'a known one goes on');
  assert(tries.admit({ ...codeOf('c', 3000), now: 1000 }));
  assert(!tries.admit({ ...codeOf('d', 3000), now: 1000 }));
  // The clock was set back, and again there is a look for expired ones.
  assert(!tries.admit({ ...codeOf('d', 3000), now: 999 }));
  assert(tries.admit({ ...codeOf('d', 4000), now: 2000 }));
});

test('a source that fills the memory keeps no other source from trying codes, and loses its oldest entries', () => {
  const tries = createRememberedTries(4);
  for (const id of ['a', 'b', 'c', 'd']) assert(tries.admit(codeOf(id, 1000, 'much')));
  assert(!tries.admit(codeOf('e', 1000, 'much')));
  for (const id of ['a', 'b']) assert(tries.admit(codeOf(id, 1000, 'little')), id);
  // Both have two: neither takes from the other.
  assert(!tries.admit(codeOf('c', 1000, 'little')));
  assert(!tries.admit(codeOf('e', 1000, 'much')));
  assert(tries.admit(codeOf('a', 1000, 'third')), 'a third one has an even share');
  // What is not the oldest of the largest has its tries as before.
  for (const request of ['2', '3']) {
    assert(tries.admit({ ...codeOf('d', 1000, 'much'), request }), request);
  }
  assert(!tries.admit({ ...codeOf('d', 1000, 'much'), request: '4' }));
});
