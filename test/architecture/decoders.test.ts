// Compares the examiners with strict types with the list of operations. Otherwise only their suite, which
// takes long, would find a query without a type.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { queryOperations } from '../../src/operations/index.ts';
import { undecodable } from '../clients/decoding.ts';
import { operationsOfFamily } from '../support/family_operations.ts';

test('every query of the API family has a type that decodes it, or a reason why none does', () => {
  const path = join(import.meta.dirname, '../clients/rust/src/bin/decode.rs');
  const arms = readFileSync(path, 'utf8').matchAll(/^ {4}"(\w+)" =>/gm);
  const decoded = [...arms].map(([, name = '']) => name);
  const served = operationsOfFamily().filter((name) => Object.hasOwn(queryOperations, name));
  const missing = served.filter((name) => !decoded.includes(name) && !undecodable.includes(name));
  assert.deepEqual(missing, []);
  assert.deepEqual(decoded, decoded.toSorted());
});
