// SLIP-0010 on Ed25519 and P-256, including the retries for numbers out of range.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hex } from '../../src/core/base/bytes.ts';
import { curves } from '../../src/core/crypto/curves.ts';
import { derivePrivateKey, effectivePath } from '../../src/core/derivation/derive.ts';
import { canonicalPath, parsePath } from '../../src/core/derivation/path.ts';
import {
  ed25519Child,
  ed25519Master,
  p256Child,
  p256Master,
} from '../../src/core/derivation/slip10.ts';
import { bytes, readVectors } from './vector_files.ts';

type Node = { path: string; chainCode?: string; privateKey: string; publicKey: string };
type Section = { seed: string; curve: string; chains: Node[] };

const { slip10 } = readVectors<{ slip10: { published: Section[]; computed: Section[] } }>(
  'derivation.json',
);

const rows = [
  {
    standardName: 'ed25519',
    curve: 'CURVE_ED25519',
    master: ed25519Master,
    child: ed25519Child,
    sectionCount: 4,
  },
  {
    standardName: 'nist256p1',
    curve: 'CURVE_P256',
    master: p256Master,
    child: p256Child,
    sectionCount: 6,
  },
] as const;

for (const { standardName, curve, master, child, sectionCount } of rows) {
  test(`keys of SLIP-0010 on ${standardName}`, () => {
    const sections = [...slip10.published, ...slip10.computed].filter(
      (section) => section.curve === standardName,
    );
    assert.equal(sections.length, sectionCount);
    for (const { seed, chains } of sections) {
      for (const { path, chainCode, privateKey, publicKey } of chains) {
        const segments = parsePath(path);
        assert(segments !== undefined);
        const key = segments.reduce(child, master(bytes(seed)));
        assert.equal(hex(key.privateKey), privateKey);
        if (chainCode !== undefined) assert.equal(hex(key.chainCode), chainCode);
        assert.equal(hex(curves[curve].publicKeyOf(key.privateKey)), publicKey);
        assert.equal(hex(derivePrivateKey(curve, bytes(seed), segments)), privateKey);
      }
    }
  });
}

test('soft and hardened spellings of an Ed25519 path have one effective path', () => {
  const soft = parsePath("m/44'/784'/0'/0/0");
  assert(soft !== undefined);
  assert.equal(canonicalPath(effectivePath('CURVE_ED25519', soft)), "m/44'/784'/0'/0'/0'");
  assert.equal(canonicalPath(effectivePath('CURVE_P256', soft)), "m/44'/784'/0'/0/0");
});
