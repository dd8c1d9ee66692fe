import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ed25519 } from '@noble/curves/ed25519.js';
import { p256 } from '@noble/curves/nist.js';
import { schnorr, secp256k1 } from '@noble/curves/secp256k1.js';
import { type AddressFormatName, signatureSchemeOf } from '../../../src/core/address/index.ts';
import { base64url, concatBytes, hex, textOfUtf8, utf8 } from '../../../src/core/base/bytes.ts';
import {
  type CurveName,
  curveNames,
  type HashFunction,
  type PayloadEncoding,
} from '../../../src/core/base/enums.ts';
import { curves } from '../../../src/core/crypto/curves.ts';
import { keyAgreement } from '../../../src/core/crypto/key_agreement.ts';
import { orders } from '../../../src/core/crypto/scalars.ts';
import { entropyOfMnemonic, seedOfEntropy } from '../../../src/core/derivation/mnemonic.ts';
import { ServiceError } from '../../../src/core/errors/errors.ts';
import type { Keyring } from '../../../src/core/keys/keyring.ts';
import { createKeyring } from '../../../src/enclave/keys/keyring.ts';
import { createRootKeys } from '../../../src/enclave/keys/root_keys.ts';
import { createSealing, type Sealing } from '../../../src/enclave/keys/sealing.ts';
import {
  createSigningKeyCache,
  type SigningKeyCache,
} from '../../../src/enclave/keys/signing_key_cache.ts';
import { digestFor, signatureView } from '../../../src/operations/signing/digests.ts';
import { bytes, readVectors, undeclaredEmptyDomain } from '../../standards/vector_files.ts';
import { seededRandom, testRootKey } from '../../support/harness.ts';
import { noOrganizationKeys } from '../../support/organization_keys.ts';

type Request = {
  curve: CurveName;
  payload: string;
  encoding: PayloadEncoding;
  hashFunction: HashFunction;
};
type Accepted = Request & {
  id: string;
  addressFormat: AddressFormatName;
  privateKey: string;
  publicKey: string;
  verifyKey?: string;
  signedBytes: string;
  r: string;
  s: string;
  v: string;
  compare: 'exact' | 'verify';
};
const { signRawPayload, signRawPayloadInvalid } = readVectors<{
  signRawPayload: Accepted[];
  signRawPayloadInvalid: (Request & { reason: string })[];
}>('signing.json');
const { mnemonicToKey } = readVectors<{
  mnemonicToKey: { mnemonic: string; curve: CurveName; path: string; publicKey: string }[];
}>('derivation.json');

const organizationId = 'organization';
const pause = async (): Promise<void> => undefined;

// OP-SIGN-10, OP-SIGN-11, OP-SIGN-12
test('a private key signs every vector', async () => {
  const { keyring, wrapPrivateKey } = openKeyring();
  let compared = 0;
  for (const vector of signRawPayload) {
    const { id, curve, addressFormat, payload } = vector;
    const scheme = signatureSchemeOf(addressFormat, curve);
    const { signedBytes } =
      id === undeclaredEmptyDomain
        ? { signedBytes: bytes(vector.signedBytes) }
        : await digestFor({ scheme, curve }, payload, vector, 'payload', { pause });
    assert.equal(hex(signedBytes), vector.signedBytes, id);
    const secret = wrapPrivateKey(id, bytes(vector.privateKey));
    const key = { kind: 'private_key', privateKey: { id, secret, curve } } as const;
    const signature = signatureView(keyring.sign(key, scheme, signedBytes));
    if (vector.compare === 'exact') {
      compared += 1;
      assert.deepEqual(signature, { r: vector.r, s: vector.s, v: vector.v }, id);
    } else {
      assert.equal(signature.v, '00', id);
      const verifyKey = bytes(vector.verifyKey ?? '');
      assert.ok(schnorr.verify(bytes(signature.r + signature.s), signedBytes, verifyKey), id);
    }
  }
  assert.deepEqual([signRawPayload.length, compared], [127, 119]);
});

test('a payload that does not fit a key is refused before the key signs', async () => {
  assert.equal(signRawPayloadInvalid.length, 19);
  for (const vector of signRawPayloadInvalid) {
    const { curve, payload } = vector;
    const scheme = signatureSchemeOf('ADDRESS_FORMAT_COMPRESSED', curve);
    await assert.rejects(
      digestFor({ scheme, curve }, payload, vector, 'parameters.payload', { pause }),
      (error) => error instanceof ServiceError && error.code === 'field_invalid',
      vector.reason,
    );
  }
});

test('a wallet derives every vector, and its accounts sign with the derived keys', () => {
  const { keyring, wrapMnemonic } = openKeyring();
  assert.equal(mnemonicToKey.length, 117);
  for (const { mnemonic, curve, path, publicKey } of mnemonicToKey) {
    const wallet = { id: mnemonic, secret: wrapMnemonic(mnemonic, mnemonic) };
    assert.equal(hex(keyring.publicKeyAt(wallet, curve, path)), publicKey, path);
    const key = { kind: 'wallet_account', wallet, account: { curve, path } } as const;
    const scheme = signatureSchemeOf('ADDRESS_FORMAT_COMPRESSED', curve);
    const { r, s } = keyring.sign(key, scheme, digest);
    assert.ok(verifies[curve](concatBytes(r, s), digest, bytes(publicKey)), path);
  }
});

test('seeds and keys are new each time, and bound to their record', () => {
  const { keyring } = openKeyring();
  for (const wordCount of [12, 15, 18, 21, 24]) {
    const path = "m/44'/60'/0'/0/0";
    const one = keyring.createSeed('wallet', wordCount);
    const other = keyring.createSeed('wallet', wordCount);
    // Each secret has its own keyring, since derived keys are cached by wallet id.
    const publicKeys = [one, other].map((secret) =>
      hex(openKeyring().keyring.publicKeyAt({ id: 'wallet', secret }, 'CURVE_P256', path)),
    );
    assert.equal(new Set([one, other, ...publicKeys]).size, 4);
    const moved = { id: 'another wallet', secret: one };
    assert.throws(() => keyring.publicKeyAt(moved, 'CURVE_SECP256K1', path), /assertion failed/);
  }
  const made = keyring.createPrivateKey('key', 'CURVE_SECP256K1');
  assert.notDeepEqual(keyring.createPrivateKey('key', 'CURVE_SECP256K1'), made);
  const key = (id: string) => ({ id, secret: made.secret, curve: 'CURVE_SECP256K1' }) as const;
  const sign = (id: string) =>
    keyring.sign({ kind: 'private_key', privateKey: key(id) }, 'ecdsa', digest);
  const { r, s } = sign('key');
  assert.ok(verifies.CURVE_SECP256K1(concatBytes(r, s), digest, made.publicKey));
  assert.throws(() => sign('another key'), /assertion failed/);
});

test('all secrets that were opened or created are wiped', () => {
  const { keyring, seen, wrapMnemonic } = openKeyring();
  const wiped = (count: number) => {
    assert.equal(seen.length, count);
    assert.ok(seen.every((secret) => secret.length >= 16 && secret.every((byte) => byte === 0)));
  };
  keyring.createSeed('wallet', 12);
  wiped(2); // The generated entropy, and the plaintext that was sealed.
  const { secret } = keyring.createPrivateKey('key', 'CURVE_P256');
  wiped(4);
  const privateKey = { id: 'key', secret, curve: 'CURVE_P256' } as const;
  keyring.sign({ kind: 'private_key', privateKey }, 'ecdsa', digest);
  wiped(5);
  const mnemonic = mnemonicToKey[0]?.mnemonic ?? '';
  const wallet = { id: 'wallet', secret: wrapMnemonic('wallet', mnemonic) };
  keyring.publicKeyAt(wallet, 'CURVE_SECP256K1', 'm/0');
  wiped(6);
  // A key is also wiped if signing fails.
  const broken = { ...privateKey, curve: 'CURVE_SECP256K1' } as const;
  assert.throws(() =>
    keyring.sign({ kind: 'private_key', privateKey: broken }, 'ecdsa', digest.subarray(1)),
  );
  wiped(7);
});

test('an imported mnemonic opens its wallet, and can be exported with its passphrase', () => {
  const { keyring } = openKeyring();
  const path = "m/44'/60'/0'/0/0";
  for (const { mnemonic, curve, publicKey } of mnemonicToKey.filter((row) => row.path === path)) {
    const imported = keyring.importSeed('wallet', utf8(` ${mnemonic}\n`));
    assert.ok(imported);
    const wallet = { id: mnemonic, ...imported };
    // Bound to the wallet of the import.
    assert.throws(() => keyring.useSentence(wallet, () => 0), /assertion failed/);
    const own = { ...wallet, id: 'wallet' };
    assert.equal(hex(openKeyring().keyring.publicKeyAt(own, curve, path)), publicKey);
    assert.equal(keyring.useSentence(own, textOfUtf8), mnemonic);
  }
  const mnemonic = mnemonicToKey[0]?.mnemonic ?? '';
  const imported = keyring.importSeed('wallet', utf8(`${mnemonic}\n--PASS--\nTREZOR`));
  assert.ok(imported);
  assert.equal(imported.language, 'MNEMONIC_LANGUAGE_ENGLISH');
  const sentence = keyring.useSentence({ id: 'wallet', ...imported }, textOfUtf8);
  assert.equal(sentence, `${mnemonic}\nTREZOR`);
  assert.equal(keyring.importSeed('wallet', utf8(mnemonic.slice(1))), undefined);
});

test('the mnemonic of a new wallet gives the same keys in other software', () => {
  const { keyring } = openKeyring();
  const path = 'm/0';
  for (const wordCount of [12, 24]) {
    const id = `wallet ${wordCount}`;
    const wallet = { id, secret: keyring.createSeed(id, wordCount) };
    const publicKey = hex(keyring.publicKeyAt(wallet, 'CURVE_ED25519', path));
    const imported = keyring.useSentence(wallet, (sentence) => {
      assert.equal(textOfUtf8(sentence)?.split(' ').length, wordCount);
      return keyring.importSeed('again', sentence);
    });
    assert.ok(imported);
    const again = { id: 'again', ...imported };
    assert.equal(hex(openKeyring().keyring.publicKeyAt(again, 'CURVE_ED25519', path)), publicKey);
  }
});

test('the keyring stores a valid private key unchanged', () => {
  const { keyring } = openKeyring();
  const key = new Uint8Array(32).fill(5);
  for (const curve of curveNames) {
    const imported = keyring.importPrivateKey('key', curve, key);
    assert.ok(imported);
    const privateKey = { id: 'key', secret: imported.secret, curve };
    const signingKey = { kind: 'private_key', privateKey } as const;
    assert.equal(keyring.usePrivateKey(signingKey, hex), hex(key));
    const { r, s } = keyring.sign(
      signingKey,
      curve === 'CURVE_ED25519' ? 'eddsa' : 'ecdsa',
      digest,
    );
    assert.ok(verifies[curve](concatBytes(r, s), digest, imported.publicKey), curve);
    for (const length of [0, 31, 33, 64]) {
      assert.equal(
        keyring.importPrivateKey('key', curve, new Uint8Array(length).fill(5)),
        undefined,
      );
    }
    const isZeroKey = keyring.importPrivateKey('key', curve, new Uint8Array(32)) !== undefined;
    assert.equal(isZeroKey, curve === 'CURVE_ED25519');
  }
});

test('the key of an account is returned as a copy', () => {
  const { keyring, wrapMnemonic } = openKeyring();
  const { mnemonic, curve, path, publicKey } = mnemonicToKey[0] ?? assert.fail();
  const wallet = { id: 'wallet', secret: wrapMnemonic('wallet', mnemonic) };
  const key = { kind: 'wallet_account', wallet, account: { curve, path } } as const;
  const handedOut = keyring.usePrivateKey(key, (privateKey) => {
    assert.equal(hex(curves[curve].publicKeyOf(privateKey)), publicKey);
    return privateKey;
  });
  assert.ok(handedOut.every((byte) => byte === 0));
  assert.equal(hex(keyring.publicKeyAt(wallet, curve, path)), publicKey);
  const { r, s } = keyring.sign(key, signatureSchemeOf('ADDRESS_FORMAT_COMPRESSED', curve), digest);
  assert.ok(verifies[curve](concatBytes(r, s), digest, bytes(publicKey)));
});

test('stored keys open only in their record, and for their purpose', () => {
  const { keyring } = openKeyring();
  const { secret, publicKey } = keyring.createHeldKey('import_target', 'target');
  assert.equal(publicKey.length, 65);
  const record = { id: 'target', secret };
  const opened = keyring.useHeldKey('import_target', record, (key) => keyAgreement(key).publicKey);
  assert.deepEqual(opened, publicKey);
  assert.notDeepEqual(keyring.createHeldKey('import_target', 'target').publicKey, publicKey);
  const use = () => 0;
  assert.throws(() => keyring.useHeldKey('otp_target', record, use), /assertion failed/);
  const moved = { ...record, id: 'another' };
  assert.throws(() => keyring.useHeldKey('import_target', moved, use), /assertion failed/);
  const privateKey = { id: 'target', secret, curve: 'CURVE_P256' } as const;
  const asKey = { kind: 'private_key', privateKey } as const;
  assert.throws(() => keyring.sign(asKey, 'ecdsa', digest), /assertion failed/);
});

test('stored texts open only in their record, and for their purpose', () => {
  const { keyring } = openKeyring();
  const text = new Uint8Array(64 * 1024).fill(7);
  const record = { id: 'secret', secret: keyring.keepText('secret', text) };
  assert.ok(
    text.every((byte) => byte === 7),
    'it is the caller who wipes it',
  );
  const handedOut = keyring.useText(record, (opened) => {
    assert.deepEqual(opened, text);
    return opened;
  });
  assert.equal(handedOut.length, text.length);
  assert.ok(handedOut.every((byte) => byte === 0));
  assert.notEqual(keyring.keepText('secret', text), record.secret);
  const use = () => 0;
  assert.throws(() => keyring.useText({ ...record, id: 'another' }, use), /assertion failed/);
  assert.throws(() => keyring.useHeldKey('import_target', record, use), /assertion failed/);
});

test('imported, stored and exported secrets are wiped', () => {
  const { keyring, seen, wrapMnemonic } = openKeyring();
  const mnemonic = mnemonicToKey[0]?.mnemonic ?? '';
  const wallet = { id: 'wallet', secret: wrapMnemonic('wallet', mnemonic) };
  const handedOut: Uint8Array[] = [];
  const keep = (secret: Uint8Array) => handedOut.push(secret);
  keyring.useSentence(wallet, keep);
  const imported = keyring.importSeed('wallet', utf8(`${mnemonic}\npassphrase`));
  assert.ok(imported);
  keyring.useSentence({ id: 'wallet', ...imported }, keep);
  const account = { curve: 'CURVE_SECP256K1', path: 'm/0' } as const;
  keyring.usePrivateKey({ kind: 'wallet_account', wallet, account }, keep);
  const held = keyring.createHeldKey('otp_target', 'code');
  keyring.useHeldKey('otp_target', { id: 'code', ...held }, keep);
  assert.throws(() =>
    keyring.useHeldKey('otp_target', { id: 'code', ...held }, (key) => {
      keep(key);
      throw new Error('in use');
    }),
  );
  assert.equal(handedOut.length, 5);
  for (const secret of [...seen, ...handedOut]) {
    assert.ok(secret.length >= 32 && secret.every((byte) => byte === 0));
  }
});

test('the cache of signing keys is bounded, and wipes evicted keys', () => {
  const kept: Uint8Array[] = [];
  const inner = createSigningKeyCache(2);
  const cache: SigningKeyCache = {
    ...inner,
    set: (name, key) => {
      kept.push(key);
      inner.set(name, key);
    },
  };
  const { keyring, seen, wrapMnemonic } = openKeyring(cache);
  const wallet = { id: 'wallet', secret: wrapMnemonic('wallet', mnemonicToKey[0]?.mnemonic ?? '') };
  const publicKey = (path: string) => hex(keyring.publicKeyAt(wallet, 'CURVE_SECP256K1', path));
  const isWiped = () => kept.map((key) => key.every((byte) => byte === 0));

  const first = publicKey('m/0');
  publicKey('m/1');
  assert.equal(publicKey('m/0'), first);
  assert.equal(seen.length, 2, 'a key in the cache is not derived again');
  publicKey('m/2');
  assert.deepEqual(isWiped(), [false, true, false], 'the key unused for longest left');
  publicKey('m/1');
  assert.deepEqual(isWiped(), [true, true, false, false]);
  assert.equal(publicKey('m/0'), first, 'what left is derived anew');
  inner.clear();
  assert.ok(isWiped().every((wiped) => wiped));
});

test('keys of deleted wallets are wiped, and do not return', () => {
  const cache = createSigningKeyCache();
  const kept: Uint8Array[] = [];
  const { keyring, wrapMnemonic } = openKeyring({
    ...cache,
    set: (name, key) => {
      kept.push(key);
      cache.set(name, key);
    },
  });
  const wallet = (id: string) => ({
    id,
    secret: wrapMnemonic(id, mnemonicToKey[0]?.mnemonic ?? ''),
  });
  const account = { curve: 'CURVE_SECP256K1', path: 'm/0' } as const;
  const sign = (id: string) =>
    keyring.sign({ kind: 'wallet_account', wallet: wallet(id), account }, 'ecdsa', digest);
  const isWiped = () => kept.map((key) => key.every((byte) => byte === 0));
  const signatures = ['one', 'ones', 'two'].map(sign);
  cache.dropWallet('another organization', 'one');
  assert.deepEqual(isWiped(), [false, false, false]);
  cache.dropDeletedWallet(organizationId, 'one');
  assert.deepEqual(isWiped(), [true, false, false]);

  // A request that already runs still gets its signature, whose commit will conflict.
  assert.deepEqual(sign('one'), signatures[0]);
  keyring.publicKeyAt(wallet('one'), account.curve, account.path);
  keyring.usePrivateKey({ kind: 'wallet_account', wallet: wallet('one'), account }, (key) =>
    assert(key.some((byte) => byte !== 0)),
  );
  assert.deepEqual(isWiped(), [true, false, false, true, true, true]);

  cache.dropWallet(organizationId, 'ones');
  assert.deepEqual(isWiped(), [true, true, false, true, true, true]);
  assert.deepEqual(sign('ones'), signatures[1], 'the keys of a wallet that changed are made anew');
  assert.equal(isWiped()[6], false);
  cache.dropOrganization('another organization');
  assert.equal(isWiped()[2], false);
  cache.dropOrganization(organizationId);
  assert(isWiped().every((wiped) => wiped));
  assert.deepEqual(sign('two'), signatures[2]);
});

const digest = new Uint8Array(32).fill(9);

const verifies: Readonly<
  Record<CurveName, (signature: Uint8Array, message: Uint8Array, key: Uint8Array) => boolean>
> = {
  CURVE_SECP256K1: (signature, message, key) =>
    secp256k1.verify(signature, message, key, { prehash: false }),
  CURVE_P256: (signature, message, key) => p256.verify(signature, message, key, { prehash: false }),
  CURVE_ED25519: (signature, message, key) => ed25519.verify(signature, message, key),
};

for (const curve of ['CURVE_SECP256K1', 'CURVE_P256'] as const) {
  test(`random bytes that are not a valid private key of ${curve} are replaced`, () => {
    const order = orders[curve === 'CURVE_P256' ? 'p256' : 'secp256k1'];
    const drawn = [order, new Uint8Array(32), new Uint8Array(32).fill(7)];
    const wrapping = createSealing('wrap', createRootKeys(testRootKey()), seededRandom('drawn'));
    const keyring = createKeyring({
      organizationId,
      wrapping,
      random: () => Uint8Array.from(drawn.shift() ?? assert.fail()),
      cache: createSigningKeyCache(),
      ...noOrganizationKeys(),
    });
    const { publicKey } = keyring.createPrivateKey('id', curve);
    assert.deepEqual(publicKey, curves[curve].publicKeyOf(new Uint8Array(32).fill(7)));
    assert.deepEqual(drawn, []);
  });
}

/** Opens a keyring that records all plaintext secrets: generated, passed for sealing, or opened. */
function openKeyring(cache = createSigningKeyCache()): {
  keyring: Keyring;
  seen: Uint8Array[];
  wrapPrivateKey: (id: string, key: Uint8Array) => string;
  wrapMnemonic: (walletId: string, mnemonic: string) => string;
} {
  const seen: Uint8Array[] = [];
  const record = <Sealed extends Uint8Array | string | undefined>(secret: Sealed): Sealed => {
    assert.notEqual(typeof secret, 'string', 'a secret is no text');
    if (secret instanceof Uint8Array) seen.push(secret);
    return secret;
  };
  const random = seededRandom('keyring');
  const wrapping = createSealing('wrap', createRootKeys(testRootKey()), random);
  const recording: Sealing = {
    seal: (place, plaintext) => wrapping.seal(place, record(plaintext)),
    sealInSteps: () => assert.fail('a secret is no text'),
    open: (place, sealed) => record(wrapping.open(place, sealed)),
  };
  const wrap = (kind: string, id: string, secret: Uint8Array) =>
    base64url(wrapping.seal({ organizationId, kind, id, version: 1 }, secret));
  return {
    keyring: createKeyring({
      organizationId,
      wrapping: recording,
      random: (length) => record(random(length)),
      cache,
      ...noOrganizationKeys(),
    }),
    seen,
    wrapPrivateKey: (id, key) => wrap('private_key_secret', id, key),
    wrapMnemonic: (id, mnemonic) => {
      const entropy = entropyOfMnemonic(utf8(mnemonic));
      assert(entropy !== undefined);
      return wrap('wallet_secret', id, concatBytes(seedOfEntropy(entropy), entropy));
    },
  };
}
