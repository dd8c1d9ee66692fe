import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findByName } from '../../src/cli/service/find.ts';
import { Failure } from '../../src/cli/words/failures.ts';

const all = [
  { id: '1', name: 'alice' },
  { id: '2', name: 'bob' },
  { id: '3', name: 'bob' },
  // The name of one is the id of another.
  { id: '4', name: '1' },
];

test('an id takes precedence over a name', () => {
  assert.equal(findByName('user', '1', all).name, 'alice');
  assert.equal(findByName('user', 'alice', all).id, '1');
});

test('an ambiguous name ends with 2 and lists the candidates', () => {
  assert.throws(
    () => findByName('user', 'bob', all),
    (error: unknown) =>
      error instanceof Failure &&
      error.exit === 'usage' &&
      error.message.endsWith('named bob: 2, 3'),
  );
});

test('an unknown name ends with 5 and the most similar name', () => {
  assert.throws(
    () => findByName('user', 'alise', all),
    (error: unknown) =>
      error instanceof Failure &&
      error.exit === 'not_found' &&
      error.next === 'Did you mean alice?',
  );
});
