// Hashes, MACs and key stretching. Every result is a separate array, so secrets can be wiped independently.

import { createHash, createHmac, hash, hkdfSync, pbkdf2Sync } from 'node:crypto';
import { blake2b } from '@noble/hashes/blake2.js';
import { secretBytes, wipe } from '../base/bytes.ts';
import type { Steps } from '../base/steps.ts';
import { assert } from '../errors/errors.ts';

const hkdfLengthLimit = 255 * 32;
const hkdfInfoLimit = 1024;
const empty = new Uint8Array(0);

/** SHA-256 (FIPS 180-4), 32 bytes. */
export function sha256(message: Uint8Array): Uint8Array {
  return bytesOfBuffer(hash('sha256', message, 'buffer'));
}

/**
 * SHA-256 with a result that is not secret. For short messages it takes a third of the time of `sha256`, but
 * the digest is also in a text, which cannot be wiped.
 */
export function publicSha256(message: Uint8Array): Uint8Array {
  const digest = hash('sha256', message, 'latin1');
  const bytes = new Uint8Array(digest.length);
  for (let i = 0; i < bytes.length; i += 1) bytes[i] = digest.charCodeAt(i);
  return bytes;
}

/** Returns the SHA-256 of a text in UTF-8 as hex. Neither may be secret. */
export function publicSha256Hex(text: string): string {
  return hash('sha256', text, 'hex');
}

/** SHA-512 (FIPS 180-4), 64 bytes. */
export function sha512(message: Uint8Array): Uint8Array {
  return bytesOfBuffer(hash('sha512', message, 'buffer'));
}

/** SHA3-256 (FIPS 202), 32 bytes; not the Keccak of Ethereum. */
export function sha3_256(message: Uint8Array): Uint8Array {
  return bytesOfBuffer(hash('sha3-256', message, 'buffer'));
}

/** Keccak-256 with the original padding, as Ethereum and Tron use it, 32 bytes. */
export function keccak256(message: Uint8Array): Uint8Array {
  return bytesOfBuffer(hash('keccak-256', message, 'buffer'));
}

/** Bytes that `hashInSteps` hashes in one step. */
const bytesOfStep = 512 * 1024;

/** Returns the hash of a message of any length, in steps. */
export function* hashInSteps(
  algorithm: 'sha256' | 'keccak-256',
  message: Uint8Array,
): Steps<Uint8Array> {
  const hasher = createHash(algorithm);
  for (let at = 0; at < message.length; at += bytesOfStep) {
    hasher.update(message.subarray(at, at + bytesOfStep));
    yield;
  }
  return bytesOfBuffer(hasher.digest());
}

/** RIPEMD-160, 20 bytes. */
export function ripemd160(message: Uint8Array): Uint8Array {
  return bytesOfBuffer(hash('ripemd160', message, 'buffer'));
}

/** BLAKE2b with an output of 256 bits (RFC 7693), unkeyed, 32 bytes. */
export function blake2b256(message: Uint8Array): Uint8Array {
  return blake2b(message, { dkLen: 32 });
}

/** HMAC-SHA-256 (RFC 2104), 32 bytes. */
export function hmacSha256(key: Uint8Array, message: Uint8Array): Uint8Array {
  if (key.length > sha256BlockBytes || message.length > shortMessageBytes) {
    return bytesOfBuffer(createHmac('sha256', key).update(message).digest());
  }
  for (let i = 0; i < sha256BlockBytes; i += 1) {
    const byte = key[i] ?? 0;
    innerInput[i] = byte ^ 0x36;
    outerInput[i] = byte ^ 0x5c;
  }
  innerInput.set(message, sha256BlockBytes);
  const length = sha256BlockBytes + message.length;
  const inner = hash('sha256', innerInput.subarray(0, length), 'buffer');
  outerInput.set(inner, sha256BlockBytes);
  const outer = bytesOfBuffer(hash('sha256', outerInput, 'buffer'));
  innerInput.fill(0, 0, length);
  wipe(outerInput, inner);
  return outer;
}

const sha256BlockBytes = 64;
/** For short messages, two hash calls take half as long as Node's HMAC object. */
const shortMessageBytes = 512;
const innerInput = secretBytes(sha256BlockBytes + shortMessageBytes);
const outerInput = secretBytes(sha256BlockBytes + 32);

/** HMAC-SHA-512 (RFC 2104), 64 bytes. */
export function hmacSha512(key: Uint8Array, message: Uint8Array): Uint8Array {
  return bytesOfBuffer(createHmac('sha512', key).update(message).digest());
}

/**
 * HKDF-SHA-256, extract and expand (RFC 5869). `length` is in bytes, at most 8160; `info` at most
 * 1024 bytes; without `salt` the extraction uses 32 zero bytes.
 */
export function hkdfSha256(
  key: Uint8Array,
  info: Uint8Array,
  length: number,
  salt: Uint8Array = empty,
): Uint8Array {
  assert(length <= hkdfLengthLimit, 'HKDF output fits 255 blocks');
  assert(info.length <= hkdfInfoLimit, 'HKDF info fits 1024 bytes');
  return new Uint8Array(hkdfSync('sha256', key, salt, info, length));
}

/** PBKDF2 with HMAC-SHA-512 (RFC 8018), `length` bytes. */
export function pbkdf2Sha512(
  password: Uint8Array,
  salt: Uint8Array,
  rounds: number,
  length: number,
): Uint8Array {
  return bytesOfBuffer(pbkdf2Sync(password, salt, rounds, length, 'sha512'));
}

function bytesOfBuffer(buffer: Buffer): Uint8Array {
  return new Uint8Array(buffer.buffer, buffer.byteOffset, buffer.byteLength);
}
