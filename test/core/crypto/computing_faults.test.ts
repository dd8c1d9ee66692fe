// A wrong signature together with the right one of the same digest reveals the private key, so no wrong
// signature is released. The faults are injected into the libraries below the code under test.

import assert from 'node:assert/strict';
import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';
import { mock, test } from 'node:test';
import { ed25519 } from '../../../src/core/crypto/ed25519.ts';
import { p256 } from '../../../src/core/crypto/p256.ts';
import { type CurveModules, importOver } from './library_copies.ts';

const key = new Uint8Array(32).fill(5);
const digest = new Uint8Array(32).fill(9);
const isRefused = /a signature is right before it is released/;

type Spoil = (memory: Uint8Array, input: readonly number[]) => void;
const flip = (bytes: Uint8Array, index: number) => {
  bytes[index] = Number(bytes[index]) ^ 1;
};

/**
 * Layout of a recoverable signature in the library: r and s (32 bytes each, lowest byte first), then the
 * parity.
 */
const wrongSecp256k1: Readonly<Record<string, { readonly name: string; readonly spoil: Spoil }>> = {
  r: {
    name: 'secp256k1_ecdsa_sign_recoverable',
    spoil: (memory, [, signature = 0]) => flip(memory, signature + 3),
  },
  s: {
    name: 'secp256k1_ecdsa_sign_recoverable',
    spoil: (memory, [, signature = 0]) => flip(memory, signature + 40),
  },
  'the parity': {
    name: 'secp256k1_ecdsa_sign_recoverable',
    spoil: (memory, [, signature = 0]) => flip(memory, signature + 64),
  },
};
const wrongSchnorr: typeof wrongSecp256k1 = {
  'the product of key and challenge': {
    name: 'secp256k1_ec_seckey_tweak_mul',
    spoil: (memory, [, product = 0]) => flip(memory, product + 31),
  },
  s: {
    name: 'secp256k1_ec_seckey_tweak_add',
    spoil: (memory, [, sum = 0]) => flip(memory, sum + 31),
  },
};

for (const [part, { name, spoil }] of Object.entries(wrongSecp256k1)) {
  test(`secp256k1: a signature with a wrong ${part} is not released`, async () => {
    const { secp256k1, spoilNext } = await overFaultyLibrary(name, spoil);
    const right = secp256k1.sign(key, digest);
    spoilNext(1);
    assert.throws(() => secp256k1.sign(key, digest), isRefused);
    assert.deepEqual(secp256k1.sign(key, digest), right);
  });
}

test('secp256k1: a damaged table of multiples does not agree with itself', async () => {
  // A damaged table gives the same wrong R each time, so one copy alone cannot detect it.
  const damaged = await overFaultyLibrary(
    'secp256k1_ec_pubkey_create',
    (memory, [, point = 0]) => flip(memory, point),
    (copy) => copy === 0,
  );
  damaged.spoilNext(Number.POSITIVE_INFINITY);
  assert.throws(() => damaged.signSchnorr(key, digest), isRefused);
});

for (const [part, { name, spoil }] of Object.entries(wrongSchnorr)) {
  test(`Schnorr: a signature with a wrong ${part} is not released`, async () => {
    const { signSchnorr, spoilNext } = await overFaultyLibrary(name, spoil);
    const right = signSchnorr(key, digest);
    spoilNext(1);
    assert.throws(() => signSchnorr(key, digest), isRefused);
    assert.deepEqual(signSchnorr(key, digest), right);
  });
}

test('P-256: a signature with a wrong nonce point is not released', () => {
  const right = p256.sign(key, digest);
  const { createECDH } = crypto;
  let isWrong = true;
  withWrong('createECDH', (...input) => {
    const pair = Reflect.apply(createECDH, crypto, input);
    return {
      setPrivateKey: (privateKey: Uint8Array) => pair.setPrivateKey(privateKey),
      getPublicKey: (...form: Parameters<typeof pair.getPublicKey>) => {
        const point = pair.getPublicKey(...form);
        if (isWrong) flip(point as unknown as Uint8Array, 5);
        isWrong = false;
        return point;
      },
    };
  })(() => assert.throws(() => p256.sign(key, digest), isRefused));
  assert.equal(isWrong, false);
  assert.deepEqual(p256.sign(key, digest), right);
});

test('P-256: a signature is not released where the hash that gives the nonce ends otherwise', () => {
  // The nonce and its blinding derive from HMAC. A change between the two is detected by the numbers.
  const right = p256.sign(key, digest);
  const { createECDH } = crypto;
  withWrong('createECDH', (...input) => {
    const pair = Reflect.apply(createECDH, crypto, input);
    return {
      // The point belongs to another nonce than the one in s.
      setPrivateKey: (privateKey: Uint8Array) => {
        const other = Uint8Array.from(privateKey);
        flip(other, 20);
        pair.setPrivateKey(other);
      },
      getPublicKey: (...form: Parameters<typeof pair.getPublicKey>) => pair.getPublicKey(...form),
    };
  })(() => assert.throws(() => p256.sign(key, digest), isRefused));
  assert.deepEqual(p256.sign(key, digest), right);
});

for (const [half, index] of [
  ['first', 3],
  ['second', 40],
] as const) {
  test(`Ed25519: a signature with a wrong ${half} half is not released`, () => {
    const right = ed25519.sign(key, digest);
    const { sign } = crypto;
    withWrong('sign', (...input) => {
      const signature: Uint8Array = Reflect.apply(sign, crypto, input);
      flip(signature, index);
      return signature;
    })(() => assert.throws(() => ed25519.sign(key, digest), isRefused));
    assert.deepEqual(ed25519.sign(key, digest), right);
  });
}

/** Returns a function that runs code while a function of node:crypto is replaced. */
function withWrong(name: 'createECDH' | 'sign', wrong: (...input: unknown[]) => unknown) {
  return (run: () => void): void => {
    const patched = mock.method(crypto, name, wrong as never);
    syncBuiltinESMExports();
    try {
      run();
    } finally {
      patched.mock.restore();
      syncBuiltinESMExports();
    }
  };
}

/**
 * Imports the modules with a faulty library: the named function corrupts its result as often as `spoilNext`
 * states, in the copies of the library that `isIn` selects.
 */
async function overFaultyLibrary(
  name: string,
  spoil: Spoil,
  isIn: (copy: number) => boolean = () => true,
): Promise<CurveModules & { spoilNext(count: number): void }> {
  let left = 0;
  const modules = await importOver(({ heap, exports }, copy) => {
    const { [name]: right } = exports;
    assert(right);
    exports[name] = (...given) => {
      const result = right(...given);
      if (left === 0 || !isIn(copy)) return result;
      left -= 1;
      spoil(heap, given);
      return result;
    };
  });
  return {
    ...modules,
    spoilNext: (count) => {
      left = count;
    },
  };
}
