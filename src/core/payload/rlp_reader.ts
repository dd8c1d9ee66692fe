// The strict reader of Recursive Length Prefix (Ethereum yellow paper, appendix B), which accepts only
// canonical encodings. It reads one level at a time, so that the caller bounds the depth.

/** The position of an item: its content begins at `start` and ends before `end`. */
export type RlpSlice = {
  readonly source: Uint8Array;
  readonly isList: boolean;
  readonly start: number;
  readonly end: number;
};

/** Rejects bytes with the expected form; `index` is the position of the wrong item in its list, from 0. */
export type RefuseRlp = (problem: string, index?: number) => never;

/** Reads a single item that spans all of the bytes. */
export function readRlp(source: Uint8Array, refuse: RefuseRlp): RlpSlice {
  const item = readItemAt(source, 0, source.length, refuse);
  const surplus = source.length - item.end;
  return surplus === 0 ? item : refuse(`expected nothing after it, got ${bytesText(surplus)}`);
}

/** Splits a list into at most `maximum` items, without reading them. */
export function readRlpItems(
  list: RlpSlice,
  maximum: number,
  refuse: RefuseRlp,
): readonly RlpSlice[] {
  if (!list.isList) refuse(`expected a list, got ${bytesText(list.end - list.start)}`);
  const items: RlpSlice[] = [];
  for (let at = list.start; at < list.end; ) {
    const index = items.length;
    if (index === maximum) refuse(`expected at most ${maximum} items`);
    const item = readItemAt(list.source, at, list.end, (problem) => refuse(problem, index));
    items.push(item);
    at = item.end;
  }
  return items;
}

/** Returns the bytes of an item that is not a list, as a view. */
export function rlpBytes(item: RlpSlice, refuse: RefuseRlp): Uint8Array {
  if (item.isList) refuse('expected bytes, got a list');
  return item.source.subarray(item.start, item.end);
}

/** Returns the unsigned integer of at most `maximumBytes` bytes in an item. */
export function rlpUnsigned(item: RlpSlice, maximumBytes: number, refuse: RefuseRlp): bigint {
  const bytes = rlpBytes(item, refuse);
  if (bytes.length > maximumBytes) {
    refuse(
      `expected an integer of at most ${bytesText(maximumBytes)}, got ${bytesText(bytes.length)}`,
    );
  }
  if (bytes[0] === 0) refuse('expected an integer without leading zeros');
  return bytes.length === 0 ? 0n : BigInt(`0x${bytes.toHex()}`);
}

/** Reads the item at `at`, which must end before `limit`. */
function readItemAt(source: Uint8Array, at: number, limit: number, refuse: RefuseRlp): RlpSlice {
  const first = source[at];
  if (first === undefined || at >= limit) return refuse('expected an item, got no bytes');
  if (first < 0x80) return { source, isList: false, start: at, end: at + 1 };
  const isList = first >= 0xc0;
  const base = isList ? 0xc0 : 0x80;
  const short = first - base;
  const lengthBytes = Math.max(0, short - 55);
  const start = at + 1 + lengthBytes;
  const length = lengthBytes === 0 ? short : longLength(source, at + 1, start, limit, refuse);
  if (length > limit - start) {
    refuse(`expected ${bytesText(length)} after its length, got ${Math.max(0, limit - start)}`);
  }
  if (!isList && length === 1 && (source[start] ?? 0) < 0x80) {
    refuse('expected a byte below 80 to stand for itself');
  }
  return { source, isList, start, end: start + length };
}

/** A length of 56 or more, big-endian without leading zeros. */
function longLength(
  source: Uint8Array,
  start: number,
  end: number,
  limit: number,
  refuse: RefuseRlp,
): number {
  if (end > limit) refuse(`expected a length of ${bytesText(end - start)}, got ${limit - start}`);
  if (source[start] === 0) refuse('expected a length without leading zeros');
  let length = 0;
  // Eight bytes may exceed exact numbers, but are then above any limit.
  for (let i = start; i < end; i += 1) length = length * 256 + (source[i] ?? 0);
  return length > 55 ? length : refuse(`expected the short form for ${bytesText(length)}`);
}

const bytesText = (count: number): string => (count === 1 ? '1 byte' : `${count} bytes`);
