// Trust policies as C2SP's tlog-policy defines them: each witness counts once, and each line says one thing.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sha256 } from '@noble/hashes/sha2.js';
import { verifierKeyOf } from '../../../src/core/log/note.ts';
import { textOfVerifierKey } from '../../../src/core/log/note_writer.ts';
import { meetsQuorum, readPolicy } from '../../../src/core/log/trust_policy.ts';

const keyOf = (name: string, type: 'note' | 'cosignature') =>
  textOfVerifierKey(
    verifierKeyOf(sha256, { name, type, publicKey: sha256(new TextEncoder().encode(name)) }),
  );
const log = `log ${keyOf('example.org/log', 'note')}`;
const names = ['a', 'b', 'c'];
const witnesses = names.map((name) => `witness ${name} ${keyOf(name, 'cosignature')}`);
const policy = (...lines: readonly string[]) =>
  readPolicy(sha256, [log, ...witnesses, ...lines, ''].join('\n'));

test('a group of groups needs its witnesses, also with a comment, blanks and line ends of Windows', () => {
  const read = policy(
    '# two of three\r',
    ' \tgroup pair any a b\r',
    'group all-of-them 2 \t pair c \t',
    'quorum all-of-them\r',
  );
  assert.equal(meetsQuorum(read, new Set(['a', 'c'])), true);
  assert.equal(meetsQuorum(read, new Set(['a', 'b'])), false);
});

test('a witness or group is a member of one group only, so it counts once', () => {
  for (const lines of [
    ['group inner any a b', 'group outer 2 inner a', 'quorum outer'],
    ['group one any a', 'group two any a', 'group outer all one two', 'quorum outer'],
    ['group inner any a', 'group outer 2 inner inner', 'quorum outer'],
    ['group inner any a', 'group middle any inner', 'group outer 2 inner middle', 'quorum outer'],
  ]) {
    assert.throws(() => policy(...lines), /is a member already/, lines.join());
  }
});

test('a line with further words, other blanks, or another number than a decimal one is refused', () => {
  const refused: readonly (readonly [string, RegExp])[] = [
    // A terminal shows the end of this line over its beginning.
    ['quorum a\rquorum none', /line 5/],
    ['quorum none a', /too many words/],
    ['quorum none # of a', /too many words/],
    [`program ${'0'.repeat(64)} ${'1'.repeat(64)}`, /too many words/],
    [`${log} https://example.org more`, /too many words/],
    [`witness d ${keyOf('d', 'cosignature')} https://example.org more`, /too many words/],
    ['quorum\u00a0a', /is not a word of a policy/],
    ['quorum\u2028a', /is not a word of a policy/],
    ...['0x1', '1e0', '+1', '1.0', '', '0', '4'].map(
      (count) => [`group g ${count} a b c`, /a group needs/] as const,
    ),
  ];
  for (const [line, reason] of refused) {
    assert.throws(() => policy(line, 'quorum none'), reason, line);
  }
});
