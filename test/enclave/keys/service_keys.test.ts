import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { base64url, bytesOfBase64url, hex, utf8 } from '../../../src/core/base/bytes.ts';
import { namesOf } from '../../../src/core/base/table.ts';
import { sha256 } from '../../../src/core/crypto/hashes.ts';
import { keyAgreement } from '../../../src/core/crypto/key_agreement.ts';
import { p256 } from '../../../src/core/crypto/p256.ts';
import { orders } from '../../../src/core/crypto/scalars.ts';
import { type ServiceKeyRole, serviceKeyRoles } from '../../../src/core/crypto/service_keys.ts';
import { verifyP256 } from '../../../src/core/crypto/verify.ts';
import { createRootKeys, type RootKeys } from '../../../src/enclave/keys/root_keys.ts';
import { createSealing } from '../../../src/enclave/keys/sealing.ts';
import {
  createServiceKeys,
  maximumTokenCharacters,
} from '../../../src/enclave/keys/service_keys.ts';
import { fixedServiceKeys } from '../../core/crypto/service_keys.test.ts';
import { seededRandom } from '../../support/harness.ts';

const roles: readonly ServiceKeyRole[] = namesOf(serviceKeyRoles);
const noRandom = () => assert.fail('nothing random is needed');

test('each role has its own key, equal after every start', () => {
  const publicKeys = roles.map((role) => hex(fixedServiceKeys().publicKey(role)));
  assert.equal(new Set(publicKeys).size, roles.length);
  const again = fixedServiceKeys();
  // In the reverse order, and twice.
  for (const role of roles.toReversed()) {
    again.publicKey(role);
    assert.equal(hex(again.publicKey(role)), publicKeys[roles.indexOf(role)]);
  }
  const others = fixedServiceKeys(43);
  for (const role of roles) assert.ok(!publicKeys.includes(hex(others.publicKey(role))));
  for (const publicKey of publicKeys) assert.match(publicKey, /^04[0-9a-f]{128}$/);
});

// Clients store these keys, so the derivation must never change. Computed independently, with another HKDF
// and curve.
test('the keys of a root key never change', () => {
  const keys = fixedServiceKeys();
  const known = Object.fromEntries(
    roles.map((role) => [role, hex(keys.publicKey(role)).slice(2, 18)]),
  );
  assert.deepEqual(known, {
    signer: 'd52dba7fc0d903cf',
    notarizer: '22e7d1dfe332cd1f',
    verifier: 'e511fa9038b39e3e',
    secret_receiver: '26a3abecc794321f',
    legacy_verifier: 'd7156ffa82d276ce',
    oidc_issuer: '80a7e1415b355aa7',
    archivist: '67cf750e52f00b20',
    attestation: 'f0c70ded8a27b975',
    key_orders: '65c4415730dbbbc6',
  });
});

test('signing roles sign with the key that they publish', () => {
  const keys = fixedServiceKeys();
  const message = new Uint8Array(100).fill(3);
  for (const role of roles) {
    if (role === 'secret_receiver') continue;
    const signature = keys.sign(role, sha256(message));
    assert.equal(signature.length, 64);
    const publicKey = p256.parsePublicKey(keys.publicKey(role));
    assert.ok(publicKey);
    assert.equal(verifyP256(publicKey, signature, message), true);
    assert.deepEqual(keys.sign(role, sha256(message)), signature);
  }
});

test('a key has only one use', () => {
  const keys = fixedServiceKeys();
  const asAny: { sign(role: string, digest: Uint8Array): Uint8Array } & {
    keyAgreement(role: string): unknown;
  } = keys;
  assert.throws(() => asAny.sign('secret_receiver', new Uint8Array(32)), /does not sign/);
  for (const role of roles) {
    if (role === 'secret_receiver') continue;
    assert.throws(() => asAny.keyAgreement(role), /does not agree/);
  }
});

test('the receiver of secrets and a sender agree on one secret', () => {
  const receiver = fixedServiceKeys().keyAgreement('secret_receiver');
  const sender = keyAgreement(new Uint8Array(32).fill(5));
  assert.deepEqual(
    receiver.sharedSecret(sender.publicKey),
    sender.sharedSecret(fixedServiceKeys().publicKey('secret_receiver')),
  );
});

test('a derived number out of range is skipped', () => {
  const asked: string[] = [];
  const rootKeys: RootKeys = {
    ...createRootKeys(new Uint8Array(32)),
    key: (purpose, owner) => {
      asked.push(`${purpose} ${owner}`);
      if (owner === 'signer/0') return orders.p256;
      return owner === 'signer/1' ? new Uint8Array(32) : new Uint8Array(32).fill(7);
    },
  };
  const keys = createServiceKeys(rootKeys, noRandom);
  const expected = keyAgreement(new Uint8Array(32).fill(7)).publicKey;
  assert.deepEqual(keys.publicKey('signer'), expected);
  assert.deepEqual(asked, ['service_key signer/0', 'service_key signer/1', 'service_key signer/2']);
});

test('the key of a role is derived once, and cached', () => {
  let asked = 0;
  const root = createRootKeys(new Uint8Array(32).fill(42));
  const key: RootKeys['key'] = (...which) => {
    asked += 1;
    return root.key(...which);
  };
  const keys = createServiceKeys({ ...root, key }, noRandom);
  for (let time = 0; time < 3; time++) keys.publicKey('signer');
  assert.equal(asked, 1);
});

test('closing wipes all keys, and copies that were returned stay', () => {
  const root = createRootKeys(new Uint8Array(32).fill(42));
  const keys = createServiceKeys(root, noRandom);
  const publicKey = keys.publicKey('signer');
  publicKey.fill(0);
  assert.deepEqual(keys.publicKey('signer'), fixedServiceKeys().publicKey('signer'));
  keys.close();
  assert.throws(() => keys.sign('signer', new Uint8Array(32)), /closed/);
  root.close();
  assert.throws(() => createServiceKeys(root, noRandom).publicKey('signer'), /closed/);
});

test('a sealed token opens to its content, and reveals nothing', () => {
  const keys = fixedServiceKeys();
  const payloads = fc.dictionary(
    fc.string({ maxLength: 20 }),
    fc.oneof(fc.string({ unit: 'grapheme', maxLength: 40 }), fc.integer(), fc.boolean()),
    { maxKeys: 8 },
  );
  fc.assert(
    fc.property(payloads, (payload) => {
      const token = keys.sealToken(payload);
      assert.match(token, /^[A-Za-z0-9_-]+$/);
      assert.deepEqual(fixedServiceKeys().openToken(token), JSON.parse(JSON.stringify(payload)));
    }),
    { numRuns: 100 },
  );
  const secret = 'a name that is not shown';
  const token = bytesOfBase64url(keys.sealToken({ secret }));
  assert.ok(token && !Buffer.from(token).includes(secret));
});

test('any other text is refused as a token', () => {
  const keys = fixedServiceKeys();
  const token = keys.sealToken({ userId: 'somebody', expiresAtSeconds: 1 });
  for (let place = 0; place < token.length; place += 1) {
    const other = token[place] === 'A' ? 'B' : 'A';
    const altered = `${token.slice(0, place)}${other}${token.slice(place + 1)}`;
    assert.equal(keys.openToken(altered), undefined, String(place));
    assert.equal(keys.openToken(token.slice(0, place)), undefined);
  }
  assert.equal(keys.openToken(`${token}=`), undefined);
  assert.equal(keys.openToken(` ${token}`), undefined);
  assert.equal(keys.openToken(`${token}A`), undefined);
  assert.equal(keys.openToken('A'.repeat(maximumTokenCharacters + 1)), undefined);
  assert.equal(fixedServiceKeys(43).openToken(token), undefined);
  assert.equal(keys.openToken(base64url(new Uint8Array(64))), undefined);
});

test('a token has at most 4,096 characters, sealed and opened', () => {
  const root = createRootKeys(new Uint8Array(32).fill(42));
  const keys = createServiceKeys(root, seededRandom('tokens'));
  const payloadOf = (token: number) => {
    // Base64url uses four characters for three bytes; 33 bytes are header, nonce and tag.
    const bytes = (token * 3) / 4 - 33;
    return { long: 'x'.repeat(bytes - '{"long":""}'.length) };
  };
  const longest = payloadOf(maximumTokenCharacters);
  const token = keys.sealToken(longest);
  assert.equal(token.length, maximumTokenCharacters);
  assert.deepEqual(keys.openToken(token), longest);
  const tooLong = payloadOf(maximumTokenCharacters + 4);
  assert.throws(() => keys.sealToken(tooLong), /keeps its bound/);
  const place = { organizationId: '', kind: 'session_token', id: '', version: 1 };
  const sealing = createSealing('session_token', root, seededRandom('longer tokens'));
  const sealed = (payload: object) => base64url(sealing.seal(place, utf8(JSON.stringify(payload))));
  assert.deepEqual(keys.openToken(sealed(longest)), longest);
  assert.equal(keys.openToken(sealed(tooLong)), undefined);
});
