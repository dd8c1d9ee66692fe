// Replaces `src/core/crypto/hashes.ts`, which needs `node:crypto`. Contains the hashes that the transaction
// decoders use.

import { blake2b } from '@noble/hashes/blake2.js';
import { ripemd160 as nobleRipemd160 } from '@noble/hashes/legacy.js';
import { sha256 as nobleSha256, sha512 as nobleSha512 } from '@noble/hashes/sha2.js';
import { keccak_256, sha3_256 as nobleSha3 } from '@noble/hashes/sha3.js';

type Hash = (message: Uint8Array) => Uint8Array;

export const sha256: Hash = (message) => nobleSha256(message);
export const sha512: Hash = (message) => nobleSha512(message);
export const sha3_256: Hash = (message) => nobleSha3(message);
export const keccak256: Hash = (message) => keccak_256(message);
export const ripemd160: Hash = (message) => nobleRipemd160(message);
export const blake2b256: Hash = (message) => blake2b(message, { dkLen: 32 });
