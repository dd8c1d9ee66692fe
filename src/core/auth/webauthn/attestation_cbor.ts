// Reads the outer object of an attestation (Web Authentication Level 3, section 6.5.4). The client writes it,
// not the authenticator, so it may be any well-formed CBOR (RFC 8949): long forms of lengths, strings and
// maps of indefinite length. The COSE key inside `authData` must be canonical.

import { concatBytes, textOfUtf8 } from '../../base/bytes.ts';

/** The members of an attestation object that the service reads. */
type AttestationMembers = {
  readonly fmt: string | undefined;
  /** True if the member is a map. Its content is not read. */
  readonly hasStatement: boolean;
  readonly authData: Uint8Array | undefined;
};

/** Maximum nesting of items, including indefinite items. */
const maximumDepth = 16;
const maximumMembers = 16;

/** Returns the members of one well-formed map with unique text keys; undefined for other bytes. */
export function readAttestationMembers(bytes: Uint8Array): AttestationMembers | undefined {
  const cursor: CborCursor = { bytes, offset: 0 };
  try {
    const members = readMembers(cursor);
    if (cursor.offset !== bytes.length) return undefined;
    const [format, statement, data] = ['fmt', 'attStmt', 'authData'].map((name) =>
      members.get(name),
    );
    return {
      fmt: format && textOf(format),
      hasStatement: statement?.major === majors.map,
      authData: data && stringOf(data, majors.bytes),
    };
  } catch (error) {
    if (error === malformed) return undefined;
    throw error;
  }
}

type CborCursor = { readonly bytes: Uint8Array; offset: number };
type Item = { readonly major: number; readonly bytes: Uint8Array };
/** `argument` is undefined for an indefinite length. */
type Head = { readonly major: number; readonly argument: number | undefined };

const malformed = new Error('no well-formed CBOR');
const majors = { bytes: 2, text: 3, array: 4, map: 5, tag: 6, simple: 7 } as const;
const breakByte = 0xff;

function readMembers(cursor: CborCursor): ReadonlyMap<string, Item> {
  const { major, argument } = headOf(cursor);
  if (major !== majors.map) throw malformed;
  const members = new Map<string, Item>();
  while (argument === undefined ? !takesBreak(cursor) : members.size < argument) {
    const key = textOf(itemOf(cursor, 1));
    if (key === undefined || members.has(key) || members.size === maximumMembers) throw malformed;
    members.set(key, itemOf(cursor, 1));
  }
  return members;
}

/** Skips one item and returns its bytes. */
function itemOf(cursor: CborCursor, depth: number): Item {
  if (depth > maximumDepth) throw malformed;
  const start = cursor.offset;
  const { major, argument } = headOf(cursor);
  if (major === majors.bytes || major === majors.text) {
    if (argument === undefined) {
      while (!takesBreak(cursor)) skipChunk(cursor, major);
    } else advance(cursor, argument);
  } else if (major === majors.array || major === majors.map) {
    const perEntry = major === majors.map ? 2 : 1;
    for (let i = 0; argument === undefined ? !takesBreak(cursor) : i < argument; i += 1) {
      for (let part = 0; part < perEntry; part += 1) itemOf(cursor, depth + 1);
    }
  } else if (argument === undefined) throw malformed;
  else if (major === majors.tag) itemOf(cursor, depth + 1);
  return { major, bytes: cursor.bytes.subarray(start, cursor.offset) };
}

function skipChunk(cursor: CborCursor, major: number): void {
  const head = headOf(cursor);
  if (head.major !== major || head.argument === undefined) throw malformed;
  advance(cursor, head.argument);
}

function headOf(cursor: CborCursor): Head {
  const [first = 0] = advance(cursor, 1);
  const major = first >> 5;
  const information = first & 0x1f;
  if (information < 24) return { major, argument: information };
  // 28 to 30 are reserved, 31 announces an indefinite length.
  if (information === 31) return { major, argument: undefined };
  if (information > 27) throw malformed;
  const digits = advance(cursor, 2 ** (information - 24));
  return { major, argument: digits.reduce((value, byte) => value * 256 + byte, 0) };
}

function takesBreak(cursor: CborCursor): boolean {
  if (cursor.bytes[cursor.offset] !== breakByte) return false;
  cursor.offset += 1;
  return true;
}

function advance(cursor: CborCursor, length: number): Uint8Array {
  const { bytes, offset } = cursor;
  if (length > bytes.length - offset) throw malformed;
  cursor.offset = offset + length;
  return bytes.subarray(offset, cursor.offset);
}

function textOf(item: Item): string | undefined {
  const bytes = stringOf(item, majors.text);
  return bytes && textOfUtf8(bytes);
}

/** Returns the content of a string with its chunks joined; undefined for another kind of item. */
function stringOf({ major, bytes }: Item, wanted: number): Uint8Array | undefined {
  if (major !== wanted) return undefined;
  const cursor: CborCursor = { bytes, offset: 0 };
  const { argument } = headOf(cursor);
  if (argument !== undefined) return advance(cursor, argument);
  const chunks: Uint8Array[] = [];
  while (!takesBreak(cursor)) {
    const chunk = headOf(cursor);
    chunks.push(advance(cursor, chunk.argument ?? 0));
  }
  return concatBytes(...chunks);
}
