import assert from 'node:assert/strict';
import { test } from 'node:test';
import { equalBytes } from '../../src/core/base/bytes.ts';
import { hkdfSha256 } from '../../src/core/crypto/hashes.ts';
import { bytes } from './vector_files.ts';
import { checkAll, readWycheproof, type WycheproofTest } from './wycheproof_files.ts';

type HkdfTest = WycheproofTest & {
  ikm: string;
  salt: string;
  info: string;
  size: number;
  okm: string;
};
type HkdfGroup = { tests: HkdfTest[] };

test('hkdf_sha256 from Wycheproof', () => {
  const file = readWycheproof<HkdfGroup>('hkdf_sha256');
  checkAll<HkdfGroup, HkdfTest>(file, [], (_, { ikm, salt, info, size, okm, flags }) => {
    const derive = () => hkdfSha256(bytes(ikm), bytes(info), size, bytes(salt));
    if (flags.includes('SizeTooLarge')) {
      assert.throws(derive, /HKDF output fits 255 blocks/);
      return false;
    }
    return equalBytes(derive(), bytes(okm));
  });
});
