// The compiled library: its bytes, its imports, and its results compared with another build.

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import {
  ContextFlag,
  instantiateSecp256k1Wasm,
} from '@bitauth/libauth/build/lib/bin/secp256k1/secp256k1-wasm.js';
import fc from 'fast-check';
import { concatBytes, utf8 } from '../../../src/core/base/bytes.ts';
import { sha256 } from '../../../src/core/crypto/hashes.ts';
import { createLibrary, newPlace } from '../../../src/core/crypto/libsecp256k1.ts';
import { libsecp256k1Base64 } from '../../../src/core/crypto/libsecp256k1_module.ts';
import { deterministicScalars } from '../../../src/core/crypto/rfc6979.ts';
import { orders } from '../../../src/core/crypto/scalars.ts';
import { secp256k1 } from '../../../src/core/crypto/secp256k1.ts';
import { importOver } from './library_copies.ts';

const bytes = Uint8Array.fromBase64(libsecp256k1Base64);
const compiled = new WebAssembly.Module(bytes);

test('the bytes match the digest in the source', () => {
  const path = new URL('../../../src/core/crypto/libsecp256k1_module.ts', import.meta.url);
  const [, stated] = /SHA-256: (\w+)/.exec(readFileSync(path, 'utf8')) ?? [];
  assert.equal(createHash('sha256').update(bytes).digest('hex'), stated);
});

test('the library imports nothing, and its memory has one size', () => {
  assert.deepEqual(WebAssembly.Module.imports(compiled), []);
  const { heap } = createLibrary(new Uint8Array(32).fill(3));
  assert.equal(heap.length, 262_144);
  const { memory } = new WebAssembly.Instance(compiled).exports;
  assert(memory instanceof WebAssembly.Memory);
  assert.throws(() => memory.grow(1), RangeError);
});

test('the library exports the functions that its type names', () => {
  const source = readFileSync(
    new URL('../../../src/core/crypto/libsecp256k1.ts', import.meta.url),
    'utf8',
  );
  const named = [...source.matchAll(/^ {4}\| '(secp256k1_\w+)'/gm)].map(([, name]) => name);
  const exported = WebAssembly.Module.exports(compiled).map(({ name }) => name);
  const others = ['__heap_base', '_initialize', 'memory'];
  assert.deepEqual([...named, ...others].toSorted(), exported.toSorted());
});

test('a misuse throws', () => {
  const { calls, context } = createLibrary(new Uint8Array(32).fill(3));
  assert.throws(() => calls.secp256k1_ec_pubkey_create(context, 0, 0), WebAssembly.RuntimeError);
});

test('copies with other seeds give the same points', () => {
  const key = new Uint8Array(32).fill(7);
  const [privateKey, publicKey] = [newPlace(32), newPlace(64)];
  const points = [1, 2].map((value) => {
    const { calls, context, heap } = createLibrary(new Uint8Array(32).fill(value));
    heap.set(key, privateKey);
    assert.equal(calls.secp256k1_ec_pubkey_create(context, publicKey, privateKey), 1);
    return {
      point: heap.slice(publicKey, publicKey + 64),
      state: heap.slice(context, context + 184),
    };
  });
  assert.deepEqual(points[0]?.point, points[1]?.point);
  assert.notDeepEqual(points[0]?.state, points[1]?.state);
});

test('signatures and keys equal those of the libauth build, byte for byte', async () => {
  const other = await instantiateSecp256k1Wasm();
  const context = other.contextCreate(ContextFlag.SIGN);
  const [key, digest, signature, compact, id] = [32, 32, 65, 64, 4].map(other.malloc);
  assert(key && digest && signature && compact && id);
  const bytes32 = fc.uint8Array({ minLength: 32, maxLength: 32 });
  fc.assert(
    fc.property(bytes32.filter(secp256k1.isPrivateKey), bytes32, (privateKey, message) => {
      other.heapU8.set(privateKey, key);
      other.heapU8.set(message, digest);
      assert.equal(other.signRecoverable(context, signature, digest, key), 1);
      other.recoverableSignatureSerialize(context, compact, id, signature);
      const { r, s, v } = secp256k1.sign(privateKey, message);
      assert.deepEqual(concatBytes(r, s), other.heapU8.slice(compact, compact + 64));
      assert.equal(v, other.heapU8[id]);
    }),
    { numRuns: 300 },
  );
});

test('no copy keeps a private key or a nonce in its memory', async () => {
  const heaps: Uint8Array[] = [];
  const modules = await importOver(({ heap }) => heaps.push(heap));
  const key = sha256(utf8('a private key'));
  const digest = sha256(utf8('a digest'));
  const [nonce] = deterministicScalars(key, digest, orders.secp256k1, 1);
  assert(nonce);
  modules.secp256k1.publicKeyOf(key);
  modules.secp256k1.sign(key, digest);
  const { r } = modules.signSchnorr(key, digest);
  const published = [digest, r];
  assert.equal(heaps.length, 2);
  for (const [copy, heap] of heaps.map((each) => Buffer.from(each)).entries()) {
    for (const secret of [key, nonce]) {
      // The library stores numbers with the lowest byte first.
      for (const form of [secret, secret.toReversed()]) {
        for (const part of [form.subarray(0, 12), form.subarray(16, 28)]) {
          assert.equal(heap.indexOf(part), -1);
        }
      }
    }
    assert(heap.includes(published[copy] ?? key), 'a published number is found');
  }
});
