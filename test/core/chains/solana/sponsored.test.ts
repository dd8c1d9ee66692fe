// Rewriting a transaction for a sponsor keeps the account of every index, and no index becomes the sponsor.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { solanaFormat } from '../../../../src/core/chains/solana/sign.ts';
import { sponsoredSolana } from '../../../../src/core/chains/solana/sponsored.ts';
import { UnreadableTransaction } from '../../../../src/core/chains/unreadable.ts';
import { account, build, type Parts } from './build.ts';

const sponsor = new Uint8Array(32).fill(99);
const hash = new Uint8Array(32).fill(77);

const rewritten = (parts: Parts) => {
  const before = solanaFormat.read(build(parts), account);
  const bytes = sponsoredSolana(before, sponsor, hash);
  return { before, after: solanaFormat.read(bytes, account) };
};

const calls: Parts = {
  keys: [1, 2, 3],
  header: { requiredSignatures: 2, readonlyUnsigned: 1 },
  instructions: [
    { program: 2, accounts: [0, 1, 0], data: 'aabb' },
    { program: 2, accounts: [], data: '' },
  ],
};

for (const version of ['LEGACY', 'V0', 'V1'] as const) {
  test(`a sponsor is inserted before the accounts of ${version}, and nothing else changes`, () => {
    const tables = [{ key: 7, writable: [4], readonly: [5] }];
    const { before, after } = rewritten(
      version === 'V0' ? { ...calls, version, tables } : { ...calls, version },
    );
    assert.deepEqual(after.keys, [sponsor, ...before.keys]);
    assert.deepEqual(after.header, { ...before.header, requiredSignatures: 3 });
    assert.deepEqual(after.lifetime, hash);
    assert.deepEqual(after.tables, before.tables);
    assert.equal(after.version, version);
    assert(after.signatures.every((each) => each.every((byte) => byte === 0)));
    const meant = ({ instructions, addresses }: typeof before) =>
      instructions.map(({ programIndex, accounts, data }) => ({
        program: addresses[programIndex],
        accounts: Array.from(accounts, (index) => addresses[index]),
        data,
      }));
    assert.deepEqual(meant(after), meant(before));
  });
}

test('no index overflows into the account of the sponsor', () => {
  const last = (count: number): Parts => ({
    version: 'V0',
    keys: [1, 2, 3],
    instructions: [{ program: 2, accounts: [count - 1] }],
    tables: [{ key: 7, writable: Array(count - 3).fill(4) }],
  });
  const [instruction] = rewritten(last(255)).after.instructions;
  assert.deepEqual(Array.from(instruction?.accounts ?? []), [255]);
  assert.throws(() => rewritten(last(256)), UnreadableTransaction);
});

test('version 1 leaves a place for the signature of the sponsor', () => {
  const signers = (count: number): Parts => ({
    version: 'V1',
    keys: Array.from({ length: 14 }, (_, i) => i + 1),
    header: { requiredSignatures: count },
  });
  assert.equal(rewritten(signers(11)).after.header.requiredSignatures, 12);
  assert.throws(() => rewritten(signers(12)), UnreadableTransaction);
});
