import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { hex } from '../../../src/core/base/bytes.ts';
import { keyAgreement, newPrivateKey } from '../../../src/core/crypto/key_agreement.ts';
import { p256 } from '../../../src/core/crypto/p256.ts';

type Case = {
  tcId: number;
  comment: string;
  flags: string[];
  public: string;
  private: string;
  shared: string;
  result: 'valid' | 'invalid' | 'acceptable';
};
type File = { testGroups: { curve: string; tests: Case[] }[] };

const file: File = JSON.parse(
  readFileSync(
    new URL('../../vectors/wycheproof/ecdh_secp256r1_ecpoint_test.json', import.meta.url),
    'utf8',
  ),
);

/** The vectors write private keys as numbers of any length. */
function scalarOf(number: string): Uint8Array {
  const digits = number.replace(/^0+/, '').padStart(64, '0');
  return Uint8Array.fromHex(digits);
}

test('Wycheproof: ECDH on secp256r1 with points as they are sent', () => {
  const cases = file.testGroups.flatMap(({ tests }) => tests);
  const opened = { valid: 0, invalid: 0, acceptable: 0 };
  for (const { tcId, comment, result, shared, ...keys } of cases) {
    const agreement = keyAgreement(scalarOf(keys.private));
    const secret = agreement.sharedSecret(Uint8Array.fromHex(keys.public));
    const isKnown = secret !== undefined && hex(secret) === shared;
    if (secret !== undefined) assert.ok(isKnown, `${tcId} ${comment}`);
    if (result === 'valid') assert.ok(isKnown, `${tcId} ${comment}`);
    if (result === 'invalid') assert.equal(secret, undefined, `${tcId} ${comment}`);
    if (isKnown) opened[result] += 1;
  }
  assert.ok(opened.valid > 100, String(opened.valid));
  // The vectors call compressed points acceptable; clients may send them.
  const compressed = cases.filter(
    ({ flags, result }) => flags.includes('CompressedPoint') && result !== 'invalid',
  );
  assert.ok(compressed.length > 0);
  assert.ok(opened.acceptable + opened.valid >= compressed.length);
});

test('both sides compute one secret, with either form of a key', () => {
  const [a, b] = [new Uint8Array(32).fill(7), new Uint8Array(32).fill(9)];
  const secret = keyAgreement(a).sharedSecret(keyAgreement(b).publicKey);
  assert.ok(secret);
  assert.equal(secret.length, 32);
  assert.deepEqual(keyAgreement(b).sharedSecret(p256.publicKeyOf(a)), secret);
  assert.equal(hex(keyAgreement(a).publicKey), hex(p256.uncompressed(p256.publicKeyOf(a))));
});

test('the key is copied: wiping it afterwards changes nothing', () => {
  const key = new Uint8Array(32).fill(7);
  const other = keyAgreement(new Uint8Array(32).fill(9)).publicKey;
  const agreement = keyAgreement(key);
  const before = agreement.sharedSecret(other);
  key.fill(0);
  assert.deepEqual(agreement.sharedSecret(other), before);
});

test('random bytes out of range are skipped', () => {
  const drawn = [new Uint8Array(32), new Uint8Array(32).fill(0xff), new Uint8Array(32).fill(5)];
  const key = newPrivateKey((length) => {
    const next = drawn.shift();
    assert.ok(next);
    assert.equal(length, 32);
    return next;
  });
  assert.deepEqual(key, new Uint8Array(32).fill(5));
});
