// Splits PSBTs into maps of entries and a transaction, changes them, and joins them in correct and wrong
// spellings. Shares no code with the reader.

import { concatBytes } from '../../src/core/base/bytes.ts';
import type { Random } from '../policy_reference/random.ts';

export type Entry = { readonly key: Uint8Array; readonly value: Uint8Array };
export type Maps = readonly (readonly Entry[])[];

const magic = Uint8Array.of(0x70, 0x73, 0x62, 0x74, 0xff);

/** Returns all maps of a well-formed PSBT: the global one, then those of inputs and outputs. */
export function takeMapsApart(psbt: Uint8Array): Maps {
  const maps: Entry[][] = [];
  let map: Entry[] = [];
  let offset = magic.length;
  const take = (): Uint8Array => {
    const { size, bytes } = sizeAt(psbt, offset);
    offset += bytes + size;
    return psbt.slice(offset - size, offset);
  };
  while (offset < psbt.length) {
    const key = take();
    if (key.length === 0) {
      maps.push(map);
      map = [];
    } else {
      map.push({ key, value: take() });
    }
  }
  return maps;
}

/** Returns the PSBT of maps; with `random`, some lengths are longer than needed. */
export function putMapsTogether(maps: Maps, random?: Random): Uint8Array {
  const sized = (bytes: Uint8Array) => {
    const isLong = random?.chance(0.002) ?? false;
    return concatBytes(compactSize(bytes.length, isLong), bytes);
  };
  const written = maps.map((map) =>
    concatBytes(...map.flatMap(({ key, value }) => [sized(key), sized(value)]), Uint8Array.of(0)),
  );
  return concatBytes(magic, ...written);
}

/** Returns the PSBT with the entries of each map in a fixed order. */
export function sortedPsbt(psbt: Uint8Array): string {
  const maps = takeMapsApart(psbt);
  return maps
    .map((map) => map.map(({ key, value }) => `${key.toHex()}=${value.toHex()}`).toSorted())
    .join('|');
}

/** Makes one to three changes to the structure: entries, keys, values, or the transaction. */
export function changePsbt(psbt: Uint8Array, random: Random): Uint8Array {
  let maps = takeMapsApart(psbt);
  for (let left = random.below(3); left >= 0; left -= 1) maps = changedMaps(maps, random);
  const bytes = putMapsTogether(maps, random);
  return random.chance(0.01) ? concatBytes(bytes, Uint8Array.of(random.below(256))) : bytes;
}

function changedMaps(maps: Maps, random: Random): Maps {
  const at = random.below(maps.length);
  const map = maps[at] ?? [];
  if (random.chance(0.02)) return random.chance(0.5) ? maps.toSpliced(at, 1) : [...maps, []];
  if (at === 0 && random.chance(0.7)) {
    return maps.with(
      0,
      map.map((entry) =>
        entry.key[0] === 0 ? { ...entry, value: changedTransaction(entry.value, random) } : entry,
      ),
    );
  }
  return maps.with(at, changedMap(map, at === 0, random));
}

function changedMap(map: readonly Entry[], isGlobal: boolean, random: Random): readonly Entry[] {
  if (map.length === 0 || random.chance(0.4)) {
    const added = addedEntry(isGlobal, random);
    return map.toSpliced(random.below(map.length + 1), 0, added);
  }
  const at = random.below(map.length);
  const entry = map[at];
  if (entry === undefined) return map;
  const { key, value } = entry;
  switch (random.below(7)) {
    case 0:
      return map.toSpliced(at, 1);
    case 1:
      return map.toSpliced(at, 0, entry);
    case 2:
      return map.toReversed();
    case 3:
      return map.with(at, { key: concatBytes(key, Uint8Array.of(random.below(256))), value });
    case 4:
      return map.with(at, { key, value: withByte(value, random) });
    case 5:
      return map.with(at, { key, value: value.slice(0, random.below(value.length + 1)) });
    default:
      return map.with(at, { key, value: concatBytes(value, Uint8Array.of(random.below(256))) });
  }
}

const publicKey = Uint8Array.fromHex(
  '0279be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798',
);
const xOnly = publicKey.slice(1);

/** Returns a field that signers do not need; most are well-formed. */
function addedEntry(isGlobal: boolean, random: Random): Entry {
  const some = (length: number) => Uint8Array.from({ length }, () => random.below(256));
  const path = concatBytes(some(4), some(4 * random.below(4)));
  const choices: readonly (() => Entry)[] = [
    () => entry([random.pick([0x21, 0x50, 0xee])], some(random.below(3)), some(random.below(5))),
    () => entry([0xfd, 0x00, 0x01], some(2), some(3)),
    () => entry([0xfc, 2, 1, 2, random.below(9)], some(random.below(3)), some(random.below(9))),
    () => entry([random.pick([0x02, 0x06])], publicKey, path),
    () => entry([random.pick([0x07, 0x16])], xOnly, concatBytes(Uint8Array.of(0), path)),
    () => entry([random.pick([0x05, 0x17])], [], xOnly),
    () => entry([random.pick([0x00, 0x01, 0x04])], [], some(random.below(4))),
    () => entry([0x03], [], Uint8Array.of(random.pick([0, 1, 1, 2, 129]), 0, 0, 0)),
    () => entry([random.below(0x22)], some(random.pick([0, 0, 20, 32])), some(random.below(40))),
    () => entry([0x06], [], concatBytes(Uint8Array.of(0, 0xc0, 1, random.below(256)))),
    () => entry([0xfb], [], Uint8Array.of(random.pick([0, 0, 2]), 0, 0, 0)),
  ];
  return random.pick(isGlobal ? choices.toSpliced(3, 4) : choices)();
}

function entry(type: readonly number[], rest: Iterable<number>, value: Uint8Array): Entry {
  return { key: Uint8Array.from([...type, ...rest]), value };
}

/** Returns the transaction with another number, script or count. */
function changedTransaction(bytes: Uint8Array, random: Random): Uint8Array {
  switch (random.below(4)) {
    case 0:
      return withByte(bytes, random);
    case 1:
      // The version is at the start and the locktime at the end.
      return random.chance(0.5)
        ? concatBytes(Uint8Array.of(random.below(4), 0, 0, 0), bytes.slice(4))
        : concatBytes(bytes.slice(0, -4), Uint8Array.of(random.below(256), 0, 0, random.below(64)));
    case 2:
      return bytes.slice(0, random.below(bytes.length + 1));
    default: {
      const at = random.below(bytes.length);
      return concatBytes(bytes.slice(0, at), bytes.slice(at + 1));
    }
  }
}

function withByte(bytes: Uint8Array, random: Random): Uint8Array {
  if (bytes.length === 0) return Uint8Array.of(random.below(256));
  const at = random.below(bytes.length);
  return bytes.with(at, random.below(256));
}

function compactSize(size: number, isLong: boolean): Uint8Array {
  if (size < 0xfd && !isLong) return Uint8Array.of(size);
  return Uint8Array.of(0xfd, size & 0xff, size >> 8);
}

function sizeAt(bytes: Uint8Array, at: number): { size: number; bytes: number } {
  const first = bytes[at] ?? 0;
  if (first < 0xfd) return { size: first, bytes: 1 };
  const width = first === 0xfd ? 2 : first === 0xfe ? 4 : 8;
  let size = 0;
  for (let i = width; i > 0; i -= 1) size = size * 256 + (bytes[at + i] ?? 0);
  return { size, bytes: 1 + width };
}
