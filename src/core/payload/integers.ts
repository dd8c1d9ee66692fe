// Integers as clients write them in JSON, and their bytes for chains.

import { assert } from '../errors/errors.ts';
import { kindOf, refusePayload } from './refusal.ts';

/** An inclusive range with the name it has in messages. */
export type IntegerRange = { readonly name: string; readonly min: bigint; readonly max: bigint };

/** An integer, and its form in JSON: a number or a string. */
type WrittenInteger = { readonly value: bigint; readonly written: 'number' | 'string' };

/** Returns the range of Solidity's `uint<bits>`. */
export function unsignedRange(bits: number): IntegerRange {
  return { name: `uint${bits}`, min: 0n, max: 2n ** BigInt(bits) - 1n };
}

/** Returns the range of Solidity's `int<bits>`. */
export function signedRange(bits: number): IntegerRange {
  const half = 2n ** BigInt(bits - 1);
  return { name: `int${bits}`, min: -half, max: half - 1n };
}

/**
 * Parses an integer from a JSON number, a decimal string (`-12`) or a hexadecimal string (`0x0c`, never
 * negative or two's complement). Rejects numbers beyond 2^53 - 1, which JSON parsers round; they must be
 * strings.
 */
export function readInteger(value: unknown, range: IntegerRange, path: string): WrittenInteger {
  const integer = integerOf(value, path);
  if (integer.value < range.min || integer.value > range.max) {
    refusePayload(path, `out of range for ${range.name}`);
  }
  return integer;
}

/** Returns an integer as `size` big-endian bytes, in two's complement if negative. */
export function integerBytes(value: bigint, size: number): Uint8Array {
  const unsigned = BigInt.asUintN(size * 8, value);
  assert(
    unsigned === value || BigInt.asIntN(size * 8, value) === value,
    `an integer fits in ${size} bytes`,
  );
  return Uint8Array.fromHex(unsigned.toString(16).padStart(size * 2, '0'));
}

// 256 bits are at most 78 decimal or 64 hexadecimal digits; no longer text is converted.
const decimal = /^-?[0-9]{1,78}$/;
const hexadecimal = /^0x[0-9a-fA-F]{1,64}$/;

function integerOf(value: unknown, path: string): WrittenInteger {
  if (typeof value === 'number') {
    if (!Number.isInteger(value)) refusePayload(path, 'expected an integer, got a fraction');
    if (!Number.isSafeInteger(value)) {
      refusePayload(
        path,
        'a JSON number beyond 2^53 - 1 loses digits, expected the integer as a string',
      );
    }
    return { value: BigInt(value), written: 'number' };
  }
  if (typeof value !== 'string') {
    refusePayload(path, `expected an integer, got ${kindOf(value)}`);
  }
  if (!decimal.test(value) && !hexadecimal.test(value)) {
    refusePayload(
      path,
      'expected an integer of at most 256 bits as decimal digits or as `0x` and hexadecimal digits',
    );
  }
  return { value: BigInt(value), written: 'string' };
}
