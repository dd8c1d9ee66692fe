// ECDSA signatures as ASN.1 DER: SEQUENCE { r INTEGER, s INTEGER } (RFC 3279 section 2.2.3).

import { concatBytes } from '../base/bytes.ts';
import { assert } from '../errors/errors.ts';

const sequenceTag = 0x30;
const integerTag = 0x02;
/** Maximum content with a length of one byte. A signature of two 32-byte numbers has at most 70 bytes. */
const contentLimit = 127;

/** The two numbers of an ECDSA signature, 32 bytes each, big-endian. */
export type EcdsaNumbers = { r: Uint8Array; s: Uint8Array };

/** Like `compactSignatureOfDer`, with the two numbers in arrays of their own. */
export function ecdsaSignatureOfDer(der: Uint8Array): EcdsaNumbers | undefined {
  const compact = compactSignatureOfDer(der);
  return compact && { r: compact.slice(0, 32), s: compact.slice(32) };
}

/**
 * Parses a DER signature as r ‖ s in 64 bytes; undefined for other bytes. Strict except for superfluous
 * leading zeros of an INTEGER, because widely used clients always write 32 bytes. Rejects contents above 127
 * bytes, zero, and numbers above 32 bytes; verification checks the ranges.
 */
export function compactSignatureOfDer(der: Uint8Array): Uint8Array | undefined {
  const sequence = elementAt(der, 0, sequenceTag);
  if (sequence === undefined || sequence.end !== der.length) return undefined;
  const r = elementAt(der, sequence.start, integerTag);
  if (r === undefined) return undefined;
  const s = elementAt(der, r.end, integerTag);
  if (s === undefined || s.end !== der.length) return undefined;
  const compact = new Uint8Array(64);
  const isRead = copyInteger(der, r, compact, 32) && copyInteger(der, s, compact, 64);
  return isRead ? compact : undefined;
}

/** Returns the strict DER of a signature whose numbers have 32 bytes and are not zero. */
export function derOfEcdsaSignature({ r, s }: EcdsaNumbers): Uint8Array {
  const content = concatBytes(integerOfNumber(r), integerOfNumber(s));
  return concatBytes(Uint8Array.of(sequenceTag, content.length), content);
}

type Content = { readonly start: number; readonly end: number };

/** Returns the range of the content of the element at `offset`. */
function elementAt(bytes: Uint8Array, offset: number, tag: number): Content | undefined {
  const length = bytes[offset + 1];
  // A byte above the limit starts a longer form of the length, which would exceed the limit.
  if (bytes[offset] !== tag || length === undefined || length > contentLimit) return undefined;
  const start = offset + 2;
  const end = start + length;
  return end <= bytes.length ? { start, end } : undefined;
}

/**
 * Copies an INTEGER of at most 32 bytes, so that it ends at `to`. Returns false for other contents. Reads in
 * place: a view of a short array would move its bytes out of the heap.
 */
function copyInteger(
  der: Uint8Array,
  { start, end }: Content,
  target: Uint8Array,
  to: number,
): boolean {
  const isNegative = start === end || Number(der[start]) >= 0x80;
  if (isNegative) return false;
  let at = start;
  while (at < end && der[at] === 0) at += 1;
  if (at === end || end - at > 32) return false;
  for (let place = to - (end - at); at < end; place += 1, at += 1) target[place] = Number(der[at]);
  return true;
}

function integerOfNumber(number: Uint8Array): Uint8Array {
  assert(number.length === 32, 'a number of a signature has 32 bytes');
  const significant = withoutLeadingZeros(number);
  const first = significant[0];
  assert(first !== undefined, 'a number of a signature is not zero');
  // A set top bit would make the number negative.
  const content = first >= 0x80 ? concatBytes(Uint8Array.of(0), significant) : significant;
  return concatBytes(Uint8Array.of(integerTag, content.length), content);
}

function withoutLeadingZeros(bytes: Uint8Array): Uint8Array {
  const start = bytes.findIndex((byte) => byte !== 0);
  return bytes.subarray(start === -1 ? bytes.length : start);
}
