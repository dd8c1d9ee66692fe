// Tests each row of "What a signature commits to" (docs/policy-language.md): a changed byte that changes a
// fact must change every signed digest.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import type { TransactionType } from '../../../src/core/base/enums.ts';
import { ServiceError } from '../../../src/core/errors/errors.ts';
import { SpelledText } from '../../../src/core/policy/language/values.ts';
import { readTransaction } from '../../../src/core/transactions/kinds.ts';
import {
  accountOf,
  readVectors,
  type TransactionVector,
} from '../../support/transaction_vectors.ts';

const page = readFileSync(new URL('../../../docs/policy-language.md', import.meta.url), 'utf8');
const [, section = ''] = page.split('### What a signature commits to');
const rows = (section.split('\n### ')[0] ?? '')
  .split('\n')
  .filter((line) => line.startsWith('| `'))
  .flatMap((line) => {
    const [, names = '', kind = ''] = line
      .split(' | ')
      .flatMap((cell, i) => (i === 0 ? ['', cell] : [cell]));
    return [...names.matchAll(/`([^`]+)`/g)].map(([, name = '']) => ({ name, kind: kind.trim() }));
  });

/** Returns the row of a fact: the longest name that its path starts with. */
function rowOf(path: string) {
  const fitting = rows.filter(({ name }) => path === name || path.startsWith(`${name}.`));
  return fitting.toSorted((a, b) => b.name.length - a.name.length)[0];
}

type Facts = ReadonlyMap<string, string>;

/** Collects the texts of all facts by path, with items of lists together. */
function flattened(value: unknown, path: string, found: Map<string, string>): Map<string, string> {
  if (Array.isArray(value)) {
    found.set(path, `${found.get(path) ?? ''}[${value.length}]`);
    for (const item of value) flattened(item, path, found);
  } else if (value instanceof SpelledText) {
    found.set(path, `${found.get(path) ?? ''}${value.spelled};`);
  } else if (
    value instanceof Map ||
    (typeof value === 'object' && value !== null && !('caseless' in value))
  ) {
    const entries = value instanceof Map ? [...value] : Object.entries(value);
    for (const [name, member] of entries) {
      if (member !== undefined) flattened(member, path === '' ? name : `${path}.${name}`, found);
    }
  } else {
    const text =
      typeof value === 'object' && value !== null && 'caseless' in value ? value.caseless : value;
    found.set(path, `${found.get(path) ?? ''}${String(text)};`);
  }
  return found;
}

type Vector = TransactionVector & { readonly type: TransactionType };

function read(vector: Vector, bytes: Uint8Array) {
  try {
    const found = readTransaction(vector.type, bytes.toHex(), accountOf(vector));
    const facts: Facts = flattened(found.facts(new Map()), '', new Map());
    return { facts, digests: found.signedBytes.map((each) => each.toHex()) };
  } catch (error) {
    if (error instanceof ServiceError) return undefined;
    throw error;
  }
}

type Read = NonNullable<ReturnType<typeof read>>;

/** Facts that changed in some transaction, each time with all digests. */
const committed = new Set<string>();
const seen = new Set<string>();
const escaped: string[] = [];
/** Records the facts in which two transactions differ, separately if one digest is equal. */
function compare(a: Read, b: Read, what: string): void {
  const isSigned = a.digests.every((digest) => !b.digests.includes(digest));
  for (const path of new Set([...a.facts.keys(), ...b.facts.keys()])) {
    if (a.facts.get(path) === b.facts.get(path)) continue;
    if (isSigned) committed.add(path);
    else escaped.push(`${what}: ${path}`);
  }
}

/** Longer transactions contain no further facts. */
const maximumBytes = 700;

for (const chain of ['ethereum', 'solana', 'solana-v1', 'bitcoin', 'tron', 'tempo']) {
  test(`${chain}: no fact changes unless every digest does`, () => {
    const names = new Set<string>();
    const originals: (Read & { readonly signWith: string })[] = [];
    for (const vector of readVectors<Vector>(chain)) {
      const bytes = Uint8Array.fromHex(vector.unsignedTransaction.replace(/^0x/, ''));
      const original = read(vector, bytes);
      assert.ok(original !== undefined, vector.name);
      // Two transactions with different facts have no digest in common.
      const { signWith } = vector;
      for (const other of originals) {
        if (other.signWith === signWith) compare(other, original, vector.name);
      }
      originals.push({ ...original, signWith });
      if (bytes.length > maximumBytes) continue;
      const shape = [...original.facts.keys()].filter((path) => !names.has(path));
      for (const path of original.facts.keys()) seen.add(path);
      // Only vectors with new facts are mutated.
      if (shape.length === 0) continue;
      for (const path of shape) names.add(path);
      for (let i = 0; i < bytes.length; i += 1) {
        for (const mask of [0x01, 0x80]) {
          const changed = read(vector, bytes.with(i, (bytes[i] ?? 0) ^ mask));
          if (changed === undefined) continue;
          compare(original, changed, `${vector.name}, byte ${i}`);
        }
      }
    }
    assert.deepEqual(escaped, []);
  });
}

test('every fact of a transaction has a row', () => {
  assert.deepEqual(
    [...seen].filter((path) => rowOf(path) === undefined),
    [],
  );
});

/** Rows that other files test: payloads other than transactions, and facts of stored interfaces. */
const elsewhere: Readonly<Record<string, string>> = {
  'eth.eip_712.primary_type': 'test/core/payload/eip712.test.ts',
  'eth.eip_712.domain': 'test/core/payload/eip712.test.ts',
  'eth.eip_712.message': 'test/core/payload/eip712.test.ts',
  'eth.eip_7702_authorization': 'test/core/payload/eip7702.test.ts',
  'eth.tx.function_signature': 'test/core/transactions/ethereum_facts.test.ts',
  'eth.tx.contract_call_args': 'test/core/transactions/ethereum_facts.test.ts',
  'solana.tx.instructions.parsed_instruction_data': 'test/core/transactions/solana_facts.test.ts',
};

/** Facts that are constant for an account, or without an interface. */
const constant: readonly string[] = ['eth.tx.from', 'eth.tx.function_name', 'tempo.tx.from'];

for (const { name, kind } of rows) {
  test(`${name}: ${kind}`, () => {
    assert.match(
      kind,
      /^(committed|proven|word of an author|committed or proven, else the word of the caller)$/,
    );
    const isChanged = [...committed].some((path) => path === name || path.startsWith(`${name}.`));
    const isElsewhere = elsewhere[name] !== undefined;
    if (isElsewhere) readFileSync(new URL(`../../../${elsewhere[name]}`, import.meta.url));
    assert.equal(isChanged, !isElsewhere && !constant.includes(name));
    if (constant.includes(name)) assert.ok(seen.has(name));
  });
}
