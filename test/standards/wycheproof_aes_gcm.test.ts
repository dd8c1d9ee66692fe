import assert from 'node:assert/strict';
import { test } from 'node:test';
import { concatBytes, equalBytes } from '../../src/core/base/bytes.ts';
import { open, seal } from '../../src/core/crypto/aead.ts';
import { bytes } from './vector_files.ts';
import { checkAll, readWycheproof, type WycheproofTest } from './wycheproof_files.ts';

type GcmTest = WycheproofTest & {
  key: string;
  iv: string;
  aad: string;
  msg: string;
  ct: string;
  tag: string;
};
type GcmGroup = { ivSize: number; keySize: number; tagSize: number; tests: GcmTest[] };

const file = readWycheproof<GcmGroup>('aes_gcm');
const isOurs = ({ ivSize, keySize, tagSize }: GcmGroup) =>
  ivSize === 96 && keySize === 256 && tagSize === 128;

test('aes_gcm from Wycheproof, keys of 256 and nonces of 96 bits', () => {
  const testGroups = file.testGroups.filter(isOurs);
  const numberOfTests = testGroups.flatMap(({ tests }) => tests).length;
  assert(numberOfTests > 50);
  checkAll<GcmGroup, GcmTest>({ numberOfTests, testGroups }, [], (_, each) => {
    const [key, nonce, associatedData] = [bytes(each.key), bytes(each.iv), bytes(each.aad)];
    const sealed = concatBytes(bytes(each.ct), bytes(each.tag));
    const plaintext = open(key, nonce, sealed, associatedData);
    const isSame = equalBytes(seal(key, nonce, bytes(each.msg), associatedData), sealed);
    assert.equal(isSame, plaintext !== undefined);
    return plaintext !== undefined && equalBytes(plaintext, bytes(each.msg));
  });
});

test('aes_gcm from Wycheproof, other sizes are refused', () => {
  for (const { tests } of file.testGroups.filter((group) => !isOurs(group))) {
    for (const { tcId, key, iv, aad, msg, ct, tag } of tests) {
      const sealed = concatBytes(bytes(ct), bytes(tag));
      const because = { message: /an AES-256 key has 32 bytes|a GCM nonce has 12 bytes/ };
      assert.throws(() => open(bytes(key), bytes(iv), sealed, bytes(aad)), because, `${tcId}`);
      assert.throws(() => seal(bytes(key), bytes(iv), bytes(msg), bytes(aad)), because, `${tcId}`);
    }
  }
});
