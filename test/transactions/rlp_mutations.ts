// Writes lists of RLP in other spellings than the canonical one, and with other items.

import { concatBytes } from '../../src/core/base/bytes.ts';
import type { Random } from '../policy_reference/random.ts';

/** Bytes or a list; `long` makes the form of the length longer than needed. */
export type RlpTree =
  | { readonly bytes: Uint8Array; readonly long?: boolean }
  | { readonly items: readonly RlpTree[]; readonly long?: boolean };

/** Returns the bytes of a tree, which are canonical except for `long`. */
export function writeTree(tree: RlpTree): Uint8Array {
  if ('items' in tree) return framed(0xc0, concatBytes(...tree.items.map(writeTree)), tree.long);
  const [byte] = tree.bytes;
  const isOwnForm = tree.bytes.length === 1 && byte !== undefined && byte < 0x80;
  return isOwnForm && tree.long !== true ? tree.bytes : framed(0x80, tree.bytes, tree.long);
}

function framed(base: number, content: Uint8Array, long = false): Uint8Array {
  const { length } = content;
  if (length <= 55 && !long) return concatBytes(Uint8Array.of(base + length), content);
  if (length === 1 && base === 0x80) return concatBytes(Uint8Array.of(0x81), content);
  const digits = length.toString(16);
  const counted = Uint8Array.fromHex(
    digits.padStart(digits.length + (digits.length % 2) + (long ? 2 : 0), '0'),
  );
  return concatBytes(Uint8Array.of(base + 55 + counted.length), counted, content);
}

/** Returns the tree with one change at any depth. */
export function changeOneItem(tree: RlpTree, random: Random): RlpTree {
  if (!('items' in tree)) return otherBytes(tree.bytes, random);
  const { items } = tree;
  const at = random.below(Math.max(1, items.length));
  const item = items[at];
  if (item !== undefined && random.chance(0.8)) {
    return { ...tree, items: items.with(at, changeOneItem(item, random)) };
  }
  return random.pick<() => RlpTree>([
    () => ({ items: items.toSpliced(at, 0, ...items.slice(at, at + 1)) }),
    () => ({ items: items.toSpliced(at, 1) }),
    () => ({ items: items.toSpliced(at, 0, { bytes: random.pick(values) }) }),
    () => ({ items: items.toSpliced(at, 1, { items: [] }) }),
    () => ({ items, long: true }),
    () => ({ bytes: Uint8Array.of(random.below(256)) }),
  ])();
}

function otherBytes(bytes: Uint8Array, random: Random): RlpTree {
  return random.pick<() => RlpTree>([
    () => ({ bytes: random.pick(values) }),
    () => ({ bytes: random.pick(values) }),
    () => ({ bytes: bytes.slice(0, -1) }),
    () => ({ bytes: concatBytes(bytes, Uint8Array.of(random.below(256))) }),
    () => ({ bytes: concatBytes(Uint8Array.of(0), bytes) }),
    () => ({ bytes: bytes.map((byte) => (random.chance(0.2) ? random.below(256) : byte)) }),
    () => ({ bytes, long: true }),
    () => ({ items: [] }),
    () => ({ items: [{ bytes: Uint8Array.of(1) }, { bytes }, { bytes }] }),
  ])();
}

const values: readonly Uint8Array[] = [
  '',
  '00',
  '01',
  '02',
  '7f',
  '80',
  'ff',
  '1fffffffffffff',
  '20000000000000',
  'ffffffffffffffff',
  '010000000000000000',
  'ff'.repeat(32),
  '01'.repeat(33),
  '20c0000000000000000000000000000000000001',
].map((text) => Uint8Array.fromHex(text));
