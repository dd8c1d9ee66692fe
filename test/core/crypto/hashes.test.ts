import assert from 'node:assert/strict';
import { test } from 'node:test';
import { blake2b as nobleBlake2b } from '@noble/hashes/blake2.js';
import { hkdf as nobleHkdf } from '@noble/hashes/hkdf.js';
import { hmac as nobleHmac } from '@noble/hashes/hmac.js';
import { ripemd160 as nobleRipemd160 } from '@noble/hashes/legacy.js';
import { pbkdf2 as noblePbkdf2 } from '@noble/hashes/pbkdf2.js';
import { sha256 as nobleSha256, sha512 as nobleSha512 } from '@noble/hashes/sha2.js';
import { sha3_256 as nobleSha3 } from '@noble/hashes/sha3.js';
import fc from 'fast-check';
import { hex, utf8 } from '../../../src/core/base/bytes.ts';
import {
  blake2b256,
  hkdfSha256,
  hmacSha256,
  hmacSha512,
  keccak256,
  pbkdf2Sha512,
  publicSha256,
  publicSha256Hex,
  ripemd160,
  sha3_256,
  sha256,
  sha512,
} from '../../../src/core/crypto/hashes.ts';

const runs = { numRuns: 200 };

// FIPS 180-4, FIPS 202, RIPEMD-160 and Keccak publish `abc` and the empty message.
const published = [
  {
    of: sha256,
    text: 'abc',
    digest: 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
  },
  {
    of: sha256,
    text: '',
    digest: 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
  },
  {
    of: sha3_256,
    text: 'abc',
    digest: '3a985da74fe225b2045c172d6bd390bd855f086e3e9d525b46bfe24511431532',
  },
  {
    of: keccak256,
    text: '',
    digest: 'c5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470',
  },
  {
    of: keccak256,
    text: 'abc',
    digest: '4e03657aea45a94fc7d47ba826c8d667c0d1e6e33a64a036ec44f58fa12d6c45',
  },
  { of: ripemd160, text: 'abc', digest: '8eb208f7e05d987a9b044a8e98c6b087f15a0bfc' },
];

test('digests equal those in the standards', () => {
  for (const { of, text, digest } of published) assert.equal(hex(of(utf8(text))), digest);
  assert.match(hex(sha512(utf8('abc'))), /^ddaf35a193617abacc417349ae204131.*2a9ac94fa54ca49f$/);
});

test('hashes agree with another implementation', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), (message) => {
      assert.deepEqual(sha256(message), nobleSha256(message));
      assert.deepEqual(sha512(message), nobleSha512(message));
      assert.deepEqual(sha3_256(message), nobleSha3(message));
      assert.deepEqual(ripemd160(message), nobleRipemd160(message));
      assert.deepEqual(blake2b256(message), nobleBlake2b(message, { dkLen: 32 }));
    }),
    runs,
  );
});

test('keyed functions agree with another implementation', () => {
  const bytes = fc.uint8Array({ maxLength: 100 });
  fc.assert(
    fc.property(bytes, bytes, fc.integer({ min: 1, max: 100 }), (key, message, length) => {
      assert.deepEqual(hmacSha256(key, message), nobleHmac(nobleSha256, key, message));
      assert.deepEqual(hmacSha512(key, message), nobleHmac(nobleSha512, key, message));
      const okm = nobleHkdf(nobleSha256, key, undefined, message, length);
      assert.deepEqual(hkdfSha256(key, message, length), okm);
      const stretched = noblePbkdf2(nobleSha512, key, message, { c: 2, dkLen: length });
      assert.deepEqual(pbkdf2Sha512(key, message, 2, length), stretched);
    }),
    runs,
  );
});

test('an HMAC agrees with another implementation around the block length', () => {
  for (const keyLength of [0, 1, 63, 64, 65, 128]) {
    for (const length of [0, 1, 55, 56, 64, 511, 512, 513, 2_000]) {
      const key = new Uint8Array(keyLength).fill(0xa5);
      const message = new Uint8Array(length).fill(0x5a);
      assert.deepEqual(hmacSha256(key, message), nobleHmac(nobleSha256, key, message));
    }
  }
});

test('a result has its own memory, so it can be wiped', () => {
  const input = utf8('secret');
  const results = [
    ...[sha256, sha512, sha3_256, keccak256, ripemd160, blake2b256].map((of) => of(input)),
    hmacSha256(input, input),
    hmacSha512(input, input),
    hkdfSha256(input, input, 42),
    pbkdf2Sha512(input, input, 1, 64),
  ];
  for (const result of results) {
    assert.equal(Object.getPrototypeOf(result), Uint8Array.prototype);
    assert.equal(result.buffer.byteLength, result.length);
  }
});

test('HKDF refuses too much information', () => {
  assert.throws(() => hkdfSha256(utf8('key'), new Uint8Array(1025), 32), /fits 1024 bytes/);
  assert.equal(hkdfSha256(utf8('key'), new Uint8Array(1024), 32).length, 32);
});

test('digests of what is not secret are the digests of SHA-256', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), (message) => {
      const digest = publicSha256(message);
      assert.deepEqual(digest, sha256(message));
      assert.ok(digest.buffer.byteLength === 32 && digest.byteOffset === 0, 'a separate array');
    }),
    runs,
  );
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      assert.equal(publicSha256Hex(text), hex(sha256(utf8(text))));
    }),
    runs,
  );
});
