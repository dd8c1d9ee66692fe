// Compares docs/moving.md with the client that has all operations of the API family: the page must list each
// operation that an application of that client would miss here.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { activityOperations, queryOperations, voteOperations } from '../../src/operations/index.ts';
import { operationsOfFamily } from '../support/family_operations.ts';

const served = { ...activityOperations, ...voteOperations, ...queryOperations };

test('the operations that are not there are named, and none that is there', () => {
  const page = readFileSync(join(import.meta.dirname, '../../docs/moving.md'), 'utf8');
  const [, table = ''] = /^## Missing operations\n\n(\|.*?)\n\n/ms.exec(page) ?? [];
  const rows = table.split('\n').slice(2);
  const named = rows.flatMap((row) => {
    const [, operations = ''] = row.split('|');
    return [...operations.matchAll(/`(\w+)`/g)].map(([, name = '']) => name);
  });
  const missing = operationsOfFamily().filter((name) => !Object.hasOwn(served, name));
  assert.ok(missing.length > 0);
  assert.deepEqual(
    missing.filter((name) => !named.includes(name)),
    [],
  );
  assert.deepEqual(
    named.filter((name) => Object.hasOwn(served, name)),
    [],
  );
});
