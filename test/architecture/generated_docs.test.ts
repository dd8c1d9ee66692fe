import assert from 'node:assert/strict';
import { test } from 'node:test';
import { staleDocuments } from '../../tools/generate_docs.ts';

test('the generated documents say what the tables say', () => {
  assert.deepEqual(staleDocuments(), [], 'run `npm run docs` and commit what it writes');
});
