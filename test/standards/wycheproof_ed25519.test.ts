// AUTH-09: the Ed25519 keys with which requests are signed.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { verifyEd25519, verifyEd25519InPool } from '../../src/core/crypto/verify.ts';
import { bytes } from './vector_files.ts';
import { checkAll, readWycheproof, type WycheproofTest } from './wycheproof_files.ts';

type Ed25519Test = WycheproofTest & { msg: string; sig: string };
type Ed25519Group = { publicKey: { pk: string }; tests: Ed25519Test[] };

const file = readWycheproof<Ed25519Group>('ed25519');

test('ed25519 from Wycheproof', () => {
  checkAll<Ed25519Group, Ed25519Test>(file, [], (group, { msg, sig }) =>
    verifyEd25519(bytes(group.publicKey.pk), bytes(sig), bytes(msg)),
  );
});

test('the thread pool verifies Ed25519 like the main thread', async () => {
  for (const { publicKey, tests } of file.testGroups) {
    for (const { tcId, msg, sig, result } of tests) {
      const isValid = await verifyEd25519InPool(bytes(publicKey.pk), bytes(sig), bytes(msg));
      assert.equal(isValid, result === 'valid', `test ${tcId}`);
    }
  }
});
