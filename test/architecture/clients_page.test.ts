// docs/clients.md against the client that has all operations of the API family: whoever comes with an
// application must find what it will miss here before it does.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { activityOperations, queryOperations, voteOperations } from '../../src/operations/index.ts';

const served = { ...activityOperations, ...voteOperations, ...queryOperations };

test('the operations that are not there are named, and no others', () => {
  const page = readFileSync(join(import.meta.dirname, '../../docs/clients.md'), 'utf8');
  const [, table = ''] = /`unknown operation`:\n\n(\|.*?)\n\n/s.exec(page) ?? [];
  const rows = table.split('\n').slice(2);
  // In brackets stands what takes its place.
  const named = rows.flatMap((row) =>
    [...row.replaceAll(/\(.*?\)/g, '').matchAll(/`(\w+)`/g)].map(([, name]) => name),
  );
  const missing = operationsOfClient().filter((name) => !Object.hasOwn(served, name));
  assert.ok(missing.length > 0);
  assert.deepEqual(named.toSorted(), missing.toSorted());
});

/** Last segments of the paths in the types of `@turnkey/http`. */
function operationsOfClient(): readonly string[] {
  const client = dirname(createRequire(import.meta.url).resolve('@turnkey/http'));
  const types = join(client, '__generated__/services/coordinator/public/v1/public_api.types.d.ts');
  const text = readFileSync(types, 'utf8');
  const names = text.matchAll(/"\/public\/v1\/(?:query|submit)\/(\w+)"/g);
  return [...new Set([...names].flatMap(([, name]) => name ?? []))];
}
