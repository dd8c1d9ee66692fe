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

test('three requests may try a code, and each may be repeated', () => {
  const tries = createRememberedTries();
  for (const request of ['1', '2', '3', '1', '3']) assert(tries.admit(attempt({ request })));
  for (const request of ['4', '5']) assert(!tries.admit(attempt({ request })));
  assert(tries.admit(attempt({ request: '2' })));
  // Another code and another organization have their own attempts.
  assert(tries.admit(attempt({ request: '4', code: { id: 'd', expiresAtMs: 1000 } })));
  assert(tries.admit(attempt({ request: '4', organizationId: 'p' })));
});

const codeOf = (id: string, expiresAtMs: number, organizationId = 'o') =>
  attempt({ organizationId, code: { id, expiresAtMs } });

test('memory is bounded: expired codes are evicted first, then the oldest', () => {
  const tries = createRememberedTries(2);
  const again = (id: string, request: string) => ({ ...codeOf(id, 3000), request, now: 1000 });
  for (const request of ['1', '2', '3']) assert(tries.admit({ ...codeOf('a', 3000), request }));
  assert(tries.admit(codeOf('b', 1000)));
  assert(tries.admit(again('c', '1')), 'another one has expired');
  assert(!tries.admit(again('a', '4')));
  assert(tries.admit(again('d', '1')), 'the oldest is forgotten');
  assert(tries.admit(again('a', '4')));
});

test('the memory sweeps expired codes once a second, and after the clock was set back', () => {
  const tries = createRememberedTries(2);
  const at = (now: number, id: string, expiresAtMs: number) => ({
    ...codeOf(id, expiresAtMs),
    now,
  });
  for (const request of ['1', '2', '3']) assert(tries.admit({ ...codeOf('a', 9000), request }));
  assert(tries.admit(at(0, 'b', 500)));
  assert(tries.admit(at(1000, 'c', 999)));
  assert(tries.admit(at(999, 'd', 9000)), 'the third one has expired');
  assert(!tries.admit({ ...codeOf('a', 9000), request: '4' }));
});

test('a source that fills the memory stops no other source, and loses its own oldest entries', () => {
  const tries = createRememberedTries(4);
  for (const id of ['a', 'b', 'c', 'd']) assert(tries.admit(codeOf(id, 1000, 'much')));
  for (const request of ['2', '3']) {
    assert(tries.admit({ ...codeOf('d', 1000, 'much'), request }), request);
  }
  for (const id of ['a', 'b']) assert(tries.admit(codeOf(id, 1000, 'little')), id);
  for (const request of ['2', '3']) {
    assert(tries.admit({ ...codeOf('b', 1000, 'little'), request }), request);
  }
  assert(tries.admit(codeOf('a', 1000, 'third')), 'a third one has an even share');
  // All other codes keep their counts.
  for (const [id, organization] of [
    ['d', 'much'],
    ['b', 'little'],
  ] as const) {
    assert(!tries.admit({ ...codeOf(id, 1000, organization), request: '4' }), organization);
  }
});

test('many small sources do not block a larger one: it loses its own oldest entry', () => {
  const tries = createRememberedTries(4);
  for (const id of ['a', 'b']) assert(tries.admit(codeOf(id, 1000, 'large')));
  for (const small of ['p', 'q']) assert(tries.admit(codeOf('a', 1000, small)));
  assert(tries.admit(codeOf('c', 1000, 'large')));
  for (const small of ['p', 'q']) {
    const requests = ['2', '3', '4'].map((request) => ({ ...codeOf('a', 1000, small), request }));
    assert.deepEqual(requests.map(tries.admit), [true, true, false], small);
  }
});
