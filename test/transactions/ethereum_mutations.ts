// Changes the structure of RLP: changes, removes or repeats an item, or spells it differently.

import { RLP } from '@ethereumjs/rlp';
import type { Random } from '../policy_reference/random.ts';

/** An item; `spelling` is the form of its length, where 0 is the correct one. */
type Node = { readonly value: Uint8Array | readonly Node[]; readonly spelling: number };

/** Returns the bytes with one to three changes. */
export function changeRlp(bytes: Uint8Array, random: Random): Uint8Array {
  let node = nodeOf(RLP.decode(bytes) as Decoded);
  for (let left = random.below(3); left >= 0; left -= 1) node = changed(node, random);
  return written(node);
}

type Decoded = Uint8Array | Decoded[];

function nodeOf(value: Decoded): Node {
  return { value: value instanceof Uint8Array ? value : value.map(nodeOf), spelling: 0 };
}

function changed(node: Node, random: Random): Node {
  const { value } = node;
  if (!(value instanceof Uint8Array)) {
    // Most changes are deeper, because an item is chosen by descending at random.
    if (value.length > 0 && random.chance(0.85)) {
      const at = random.below(value.length);
      return { ...node, value: value.map((item, i) => (i === at ? changed(item, random) : item)) };
    }
    return random.chance(0.2)
      ? respelled(node, random)
      : { ...node, value: changedList(value, random) };
  }
  return random.chance(0.12)
    ? respelled(node, random)
    : { ...node, value: changedBytes(value, random) };
}

function changedList(items: readonly Node[], random: Random): readonly Node[] {
  const at = random.below(items.length + 1);
  const before = items.slice(0, at);
  const after = items.slice(at);
  const other = items[random.below(Math.max(1, items.length))];
  return random.pick<() => readonly Node[]>([
    () => [...before, ...after.slice(1)],
    () => [...before, ...after.slice(0, 1), ...after],
    () => [...before, { value: new Uint8Array(), spelling: 0 }, ...after],
    () => [...before, { value: [], spelling: 0 }, ...after],
    () => (other === undefined ? items : [...before, other, ...after.slice(1)]),
    () => [],
  ])();
}

function changedBytes(bytes: Uint8Array, random: Random): Uint8Array | readonly Node[] {
  const any = (length: number) => Uint8Array.from({ length }, () => random.below(256));
  const at = random.below(Math.max(1, bytes.length));
  return random.pick<() => Uint8Array | readonly Node[]>([
    () => bytes.map((byte, i) => (i === at ? byte ^ (1 + random.below(255)) : byte)),
    () => Uint8Array.of(0, ...bytes),
    () => Uint8Array.of(...bytes, random.below(256)),
    () => bytes.subarray(1),
    () => new Uint8Array(),
    () => any(1),
    () => any(random.pick([7, 8, 9, 16, 17])),
    () => any(random.pick([20, 31, 32, 33, 55, 56, 57])),
    () => new Uint8Array(random.pick([1, 8, 20, 32])),
    () => new Uint8Array(random.pick([8, 32])).fill(255),
    () => new Uint8Array(300).fill(random.below(256)),
    () => [],
    () => [{ value: bytes, spelling: 0 }],
  ])();
}

function respelled(node: Node, random: Random): Node {
  return { ...node, spelling: 1 + random.below(3) };
}

function written({ value, spelling }: Node): Uint8Array {
  const isBytes = value instanceof Uint8Array;
  const body = isBytes ? value : joined(value.map(written));
  const base = isBytes ? 0x80 : 0xc0;
  const [first] = body;
  const isSingle = isBytes && body.length === 1 && first !== undefined && first < 0x80;
  if (isSingle && spelling === 0) return body;
  // 1: a prefix before a single byte, or the long form of a short length. 2: leading zeros. 3: truncated.
  const isShort = body.length <= 55 && (spelling === 0 || (spelling === 1 && isSingle));
  if (isShort) return joined([Uint8Array.of(base + body.length), body]);
  const digits = body.length.toString(16);
  const length = Uint8Array.fromHex(digits.padStart(digits.length + (digits.length % 2), '0'));
  const padded = spelling === 2 ? Uint8Array.of(0, ...length) : length;
  const prefix = joined([Uint8Array.of(base + 55 + padded.length), padded]);
  return joined([prefix, spelling === 3 ? body.subarray(0, -1) : body]);
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  return new Uint8Array(Buffer.concat(parts));
}
