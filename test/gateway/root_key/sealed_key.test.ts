// Compares the sealed root key with other implementations of Argon2id and AES-GCM.

import assert from 'node:assert/strict';
import { argon2Sync, webcrypto } from 'node:crypto';
import { describe, test } from 'node:test';
import { argon2id } from '@noble/hashes/argon2.js';
import fc from 'fast-check';
import {
  type PassphraseCost,
  readSealedKey,
  sealRootKey,
} from '../../../src/gateway/root_key/sealed_key.ts';

const rootKey = Uint8Array.from({ length: 32 }, (_, i) => i * 7);
const passphrase = Buffer.from('correct horse battery staple');
/** The minimum cost, for fast tests. */
const cost: PassphraseCost = { memory: 19_456, passes: 1, lanes: 1 };
const random = (length: number) => Uint8Array.from({ length }, (_, i) => 255 - i);
const text = await sealRootKey(rootKey, passphrase, random, cost);

test('Argon2id of this Node matches RFC 9106 section 5.3', () => {
  const tag = argon2Sync('argon2id', {
    message: Buffer.alloc(32, 1),
    nonce: Buffer.alloc(16, 2),
    secret: Buffer.alloc(8, 3),
    associatedData: Buffer.alloc(12, 4),
    parallelism: 4,
    tagLength: 32,
    memory: 32,
    passes: 3,
  });
  const expected = '0d640df58d78766c08c037a34a8b53c9d01ef0452d75b65eb52520e96b01e659';
  assert.equal(tag.toString('hex'), expected);
});

describe('a sealed root key', () => {
  test('is five lines of text', () => {
    assert.match(
      text,
      /^keywright sealed root key, version 1\nargon2id memory=19456 passes=1 lanes=1\nsalt fffefdfcfbfaf9f8f7f6f5f4f3f2f1f0\nnonce fffefdfcfbfaf9f8f7f6f5f4\nsealed [0-9a-f]{96}\n$/,
    );
  });

  test('demands 256 MiB and three passes of each guess, unless its maker sets another cost', async () => {
    const costly = await sealRootKey(rootKey, passphrase, random);
    assert.match(costly, /^argon2id memory=262144 passes=3 lanes=4$/m);
    assert.deepEqual(await readSealedKey(costly)?.open(passphrase), rootKey);
  });

  test('is opened by other implementations of the algorithms in its header', async () => {
    const header = text.slice(0, text.lastIndexOf('sealed '));
    const derived = argon2id(passphrase, random(16), { t: 1, m: 19_456, p: 1, dkLen: 32 });
    const key = await webcrypto.subtle.importKey('raw', derived, 'AES-GCM', false, ['decrypt']);
    const opened = await webcrypto.subtle.decrypt(
      { name: 'AES-GCM', iv: random(12), additionalData: Buffer.from(header) },
      key,
      Buffer.from(text.slice(header.length + 'sealed '.length), 'hex'),
    );
    assert.deepEqual(new Uint8Array(opened), rootKey);
  });

  test('opens only with its passphrase', async () => {
    assert.deepEqual(await readSealedKey(text)?.open(passphrase), rootKey);
    for (const other of ['', 'correct horse battery staple ', 'Correct horse battery staple']) {
      assert.equal(await readSealedKey(text)?.open(Buffer.from(other)), undefined, other);
    }
  });

  test('is bound to each character: none can be changed, added or removed', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.nat({ max: text.length }),
        fc.constantFrom('insert', 'delete', 'replace'),
        fc.constantFrom(...'0123456789abcdefA \n='),
        async (at, how, character) => {
          const kept = how === 'insert' ? at : at + 1;
          const added = how === 'delete' ? '' : character;
          const changed = text.slice(0, at) + added + text.slice(kept);
          if (changed === text) return;
          assert.equal(await readSealedKey(changed)?.open(passphrase), undefined, changed);
        },
      ),
      { numRuns: 150 },
    );
  });

  test('requires no more work than the service can afford, and no less than is safe', () => {
    const withCost = (memory: number, passes: number, lanes: number) =>
      text.replace(/memory=.*/, `memory=${memory} passes=${passes} lanes=${lanes}`);
    assert.notEqual(readSealedKey(withCost(2_097_152, 32, 16)), undefined);
    for (const bad of [
      withCost(2_097_153, 1, 1),
      withCost(9_999_999, 1, 1),
      withCost(19_455, 1, 1),
      withCost(19_456, 33, 1),
      withCost(19_456, 0, 1),
      withCost(19_456, 1, 17),
    ]) {
      assert.equal(readSealedKey(bad), undefined, bad);
    }
  });

  test('of another version is refused', () => {
    assert.equal(readSealedKey(text.replace('version 1', 'version 2')), undefined);
    assert.equal(readSealedKey(`${text}\n`), undefined);
    assert.equal(readSealedKey(text.replaceAll('\n', '\r\n')), undefined);
  });
});
