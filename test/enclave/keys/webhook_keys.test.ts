import assert from 'node:assert/strict';
import { verify } from 'node:crypto';
import { test } from 'node:test';
import { hex } from '../../../src/core/base/bytes.ts';
import { createRootKeys } from '../../../src/enclave/keys/root_keys.ts';
import { createWebhookKeys } from '../../../src/enclave/keys/webhook_keys.ts';
import { testRootKey } from '../../support/harness.ts';

const keys = createWebhookKeys(createRootKeys(testRootKey()));

test('each epoch has its own key, with which Node verifies its signatures', () => {
  const message = Uint8Array.of(1, 2, 3);
  const publicKeys = [1, 2].map((epoch) => {
    const x = Buffer.from(keys.publicKey(epoch)).toString('base64url');
    const key = { key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' } as const;
    assert.ok(verify(null, message, key, keys.sign(epoch, message)));
    return hex(keys.publicKey(epoch));
  });
  assert.equal(new Set(publicKeys).size, 2);
  assert.notEqual(keys.keyId(1), keys.keyId(2));
  assert.equal(hex(keys.publicKey(1)), publicKeys[0]);
});

test('an epoch is a whole number from 1', () => {
  for (const epoch of [0, -1, 1.5, 2 ** 53, Number.NaN]) {
    assert.throws(() => keys.keyId(epoch), /epochs are counted from 1/);
  }
});

test('the public key of an epoch is derived once, and cached', () => {
  const root = createRootKeys(testRootKey());
  const asked: string[] = [];
  const keys = createWebhookKeys({
    ...root,
    key: (purpose, owner) => {
      asked.push(owner);
      return root.key(purpose, owner);
    },
  });
  for (const epoch of [1, 2, 1, 2]) {
    keys.publicKey(epoch);
    keys.keyId(epoch);
  }
  assert.deepEqual(asked, ['1', '2']);
});
