// A signature that came out wrong, beside the right one of the same digest, tells the private key:
// none leaves. The faults are put into the libraries that compute, below the code under test.

import assert from 'node:assert/strict';
import crypto from 'node:crypto';
import { registerHooks, syncBuiltinESMExports } from 'node:module';
import { mock, test } from 'node:test';
import { ed25519 } from '../../../src/core/crypto/ed25519.ts';
import { p256 } from '../../../src/core/crypto/p256.ts';

const key = new Uint8Array(32).fill(5);
const digest = new Uint8Array(32).fill(9);
const isRefused = /a signature is right before it is released/;

type Spoil = (memory: Uint8Array, input: readonly number[]) => void;
const flip = (bytes: Uint8Array, index: number) => {
  bytes[index] = Number(bytes[index]) ^ 1;
};

/** In a recoverable signature the library keeps r, s (32 bytes each, lowest byte first) and the parity. */
const wrongSecp256k1: Readonly<Record<string, { readonly name: string; readonly spoil: Spoil }>> = {
  r: {
    name: '_secp256k1_ecdsa_sign_recoverable',
    spoil: (memory, [, signature = 0]) => flip(memory, signature + 3),
  },
  s: {
    name: '_secp256k1_ecdsa_sign_recoverable',
    spoil: (memory, [, signature = 0]) => flip(memory, signature + 40),
  },
  'the parity': {
    name: '_secp256k1_ecdsa_sign_recoverable',
    spoil: (memory, [, signature = 0]) => flip(memory, signature + 64),
  },
};
const wrongSchnorr: typeof wrongSecp256k1 = {
  'the product of key and challenge': {
    name: '_secp256k1_ec_privkey_tweak_mul',
    spoil: (memory, [, product = 0]) => flip(memory, product + 31),
  },
  s: {
    name: '_secp256k1_ec_privkey_tweak_add',
    spoil: (memory, [, sum = 0]) => flip(memory, sum + 31),
  },
};

for (const [part, { name, spoil }] of Object.entries(wrongSecp256k1)) {
  test(`secp256k1: a signature is not released where ${part} came out wrong`, async () => {
    const { secp256k1, spoilNext } = await overFaultyLibrary(name, spoil);
    const right = secp256k1.sign(key, digest);
    spoilNext(1);
    assert.throws(() => secp256k1.sign(key, digest), isRefused);
    assert.deepEqual(secp256k1.sign(key, digest), right);
  });
}

test('secp256k1: a damaged table of multiples does not agree with itself', async () => {
  // A damaged R is the same each time, where the same table is read.
  const damaged = await overFaultyLibrary(
    '_secp256k1_ec_pubkey_create',
    (memory, [, point = 0]) => flip(memory, point),
    (input, first) => input[0] === first,
  );
  damaged.spoilNext(Number.POSITIVE_INFINITY);
  assert.throws(() => damaged.signSchnorr(key, digest), isRefused);
});

for (const [part, { name, spoil }] of Object.entries(wrongSchnorr)) {
  test(`Schnorr: a signature is not released where ${part} came out wrong`, async () => {
    const { signSchnorr, spoilNext } = await overFaultyLibrary(name, spoil);
    const right = signSchnorr(key, digest);
    spoilNext(1);
    assert.throws(() => signSchnorr(key, digest), isRefused);
    assert.deepEqual(signSchnorr(key, digest), right);
  });
}

test('P-256: a signature is not released where the point of the nonce came out wrong', () => {
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
  // The nonce and what blinds it come of HMAC: one that changes under way is found out by the numbers.
  const right = p256.sign(key, digest);
  const { createECDH } = crypto;
  withWrong('createECDH', (...input) => {
    const pair = Reflect.apply(createECDH, crypto, input);
    return {
      // The point is that of another nonce than the one that s hides.
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
  test(`Ed25519: a signature is not released where its ${half} half came out wrong`, () => {
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

/** Runs with a function of node:crypto replaced. */
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

type Exports = Record<string, (...input: number[]) => number>;
let instances = 0;

/**
 * The modules anew, over a library in which the named function spoils what it wrote: as often as
 * `spoilNext` says, and where its input is of the kind.
 */
async function overFaultyLibrary(
  name: string,
  spoil: Spoil,
  isOfKind: (input: readonly number[], firstContext: number | undefined) => boolean = () => true,
): Promise<
  Pick<typeof import('../../../src/core/crypto/secp256k1.ts'), 'secp256k1'> &
    Pick<typeof import('../../../src/core/crypto/schnorr.ts'), 'signSchnorr'> & {
      spoilNext(count: number): void;
    }
> {
  let left = 0;
  let firstContext: number | undefined;
  const { instantiate } = WebAssembly;
  const patched = mock.method(WebAssembly, 'instantiate', async (...input: unknown[]) => {
    const made = await Reflect.apply(instantiate, WebAssembly, input);
    const [, { env }] = input as [unknown, { env: { memory: { buffer: ArrayBuffer } } }];
    const exports: Exports = { ...made.instance.exports };
    const { [name]: right, _secp256k1_context_create: create } = exports;
    assert(right && create);
    exports['_secp256k1_context_create'] = (...given) => {
      const context = create(...given);
      firstContext ??= context;
      return context;
    };
    exports[name] = (...given) => {
      const result = right(...given);
      if (left === 0 || !isOfKind(given, firstContext)) return result;
      left -= 1;
      spoil(new Uint8Array(env.memory.buffer), given);
      return result;
    };
    return { ...made, instance: { exports } };
  });
  instances += 1;
  const suffix = `?instance=${instances}`;
  // Whatever a module of this instance imports of the curve is of this instance, too.
  const hooks = registerHooks({
    resolve: (specifier, context, next) => {
      const found = next(specifier, context);
      const isOurs = /\/core\/crypto\/(secp256k1|schnorr)\.ts$/.test(found.url);
      return isOurs ? { ...found, url: `${found.url}${suffix}` } : found;
    },
  });
  try {
    const { secp256k1 } = await import('../../../src/core/crypto/secp256k1.ts');
    const { signSchnorr } = await import('../../../src/core/crypto/schnorr.ts');
    return {
      secp256k1,
      signSchnorr,
      spoilNext: (count) => {
        left = count;
      },
    };
  } finally {
    hooks.deregister();
    patched.mock.restore();
  }
}
