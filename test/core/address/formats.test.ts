import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { ed25519 } from '@noble/curves/ed25519.js';
import { p256 } from '@noble/curves/nist.js';
import { secp256k1 } from '@noble/curves/secp256k1.js';
import fc from 'fast-check';
import {
  type AddressFormatName,
  addressFormats,
  addressOf,
  isCurveOfFormat,
  type SignatureScheme,
  signatureSchemeOf,
} from '../../../src/core/address/index.ts';
import { signingSpellings } from '../../../src/core/address/normalization.ts';
import { type CurveName, curveNames } from '../../../src/core/base/enums.ts';
import { namesOf } from '../../../src/core/base/table.ts';
import { ServiceError } from '../../../src/core/errors/errors.ts';

const formatNames = namesOf(addressFormats);

/** The enumeration in the order of the specification. */
const specifiedNames = [
  ...names('UNCOMPRESSED COMPRESSED ETHEREUM SOLANA COSMOS TRON SUI APTOS'),
  ...['MAINNET', 'TESTNET', 'SIGNET', 'REGTEST'].flatMap((network) =>
    ['P2PKH', 'P2SH', 'P2WPKH', 'P2WSH', 'P2TR'].flatMap((script) =>
      names(`BITCOIN_${network}_${script}`),
    ),
  ),
  ...names('SEI XLM DOGE_MAINNET DOGE_TESTNET TON_V3R2 TON_V4R2 TON_V5R1 XRP'),
  ...names('SPARK_MAINNET SPARK_REGTEST'),
];

/** The stored public key of a 32-byte private key, by curve. */
const publicKeyOf: Readonly<Record<CurveName, (privateKey: Uint8Array) => Uint8Array>> = {
  CURVE_SECP256K1: (privateKey) => secp256k1.getPublicKey(privateKey, true),
  CURVE_ED25519: (privateKey) => ed25519.getPublicKey(privateKey),
  CURVE_P256: (privateKey) => p256.getPublicKey(privateKey, true),
};

/** 1 to 2^255: a valid private key on every curve. */
const privateKeys = fc
  .bigInt({ min: 1n, max: 2n ** 255n })
  .map((scalar) => Uint8Array.fromHex(scalar.toString(16).padStart(64, '0')));

/** The possible forms of a stored address, by spelling. */
const storedForms: Readonly<Record<string, RegExp>> = {
  public_key: /^(?:[0-9a-f]{64}|0[23][0-9a-f]{64}|04[0-9a-f]{128})$/,
  eip55: /^0x[0-9a-fA-F]{40}$/,
  hex: /^0x[0-9a-f]{64}$/,
  base58: /^[1-9A-HJ-NP-Za-km-z]{25,44}$/,
  bech32: /^(?:bc|tb|bcrt|cosmos|sei|spark|sparkrt)1[02-9ac-hj-np-z]{38,90}$/,
  base32: /^G[A-Z2-7]{55}$/,
  ton: /^EQ[A-Za-z0-9_-]{46}$/,
};

// ENUM-04
test('every address format of the specification has a row, in its order, and no row is extra', () => {
  assert.equal(specifiedNames.length, 38);
  assert.deepEqual(formatNames, specifiedNames);
});

// RES-WALLET-ACCOUNT-10
test('every valid key has an address of the specified form, which normalization keeps', () => {
  fc.assert(
    fc.property(privateKeys, (privateKey) => {
      for (const { format, curve } of pairs(true)) {
        const publicKey = publicKeyOf[curve](privateKey);
        const before = Uint8Array.from(publicKey);
        const address = addressOf(format, curve, publicKey);
        const form = storedForms[addressFormats[format].spelling];
        assert.ok(form, format);
        assert.match(address, form, format);
        assert.equal(signingSpellings(address), address, format);
        assert.deepEqual(publicKey, before, 'the key is only read');
      }
    }),
    { numRuns: 25 },
  );
});

test('two keys have two addresses', () => {
  fc.assert(
    fc.property(privateKeys, privateKeys, (one, other) => {
      fc.pre(one.toHex() !== other.toHex());
      for (const { format, curve } of pairs(true)) {
        // A point and its negative share the x coordinate, and taproot uses only x.
        const [a, b] = [publicKeyOf[curve](one), publicKeyOf[curve](other)];
        fc.pre(a.subarray(1).toHex() !== b.subarray(1).toHex());
        assert.notEqual(addressOf(format, curve, a), addressOf(format, curve, b), format);
      }
    }),
    { numRuns: 10 },
  );
});

test('an unsuitable curve is refused with the curves of the format', () => {
  const refused = pairs(false);
  assert.ok(refused.length > 0);
  for (const { format, curve } of refused) {
    const publicKey = publicKeyOf[curve](new Uint8Array(32).fill(7));
    assert.throws(
      () => addressOf(format, curve, publicKey, 'parameters.accounts.0.addressFormat'),
      (error: unknown) => {
        assert.ok(error instanceof ServiceError);
        assert.equal(error.code, 'field_invalid');
        const [violation, ...others] = error.fieldViolations;
        assert.deepEqual(others, []);
        assert.equal(violation?.field, 'parameters.accounts.0.addressFormat');
        for (const allowed of addressFormats[format].curves) {
          assert.ok(violation.description.includes(allowed), violation.description);
        }
        assert.ok(violation.description.endsWith(`got \`${curve}\``), violation.description);
        return true;
      },
    );
  }
});

test('a refusal reads as a sentence', () => {
  const publicKey = publicKeyOf.CURVE_P256(new Uint8Array(32).fill(7));
  assert.throws(() => addressOf('ADDRESS_FORMAT_XRP', 'CURVE_P256', publicKey), {
    message:
      'invalid request body: `addressFormat`: ADDRESS_FORMAT_XRP expects CURVE_SECP256K1 or CURVE_ED25519, got `CURVE_P256`',
  });
});

test('a key of another length is an internal error, not a refusal', () => {
  const uncompressed = secp256k1.getPublicKey(new Uint8Array(32).fill(7), false);
  assert.throws(
    () => addressOf('ADDRESS_FORMAT_BITCOIN_MAINNET_P2WPKH', 'CURVE_SECP256K1', uncompressed),
    /assertion failed/,
  );
});

test('the scheme is the curve’s own, save for taproot and Spark', () => {
  const own: Readonly<Record<CurveName, SignatureScheme>> = {
    CURVE_SECP256K1: 'ecdsa',
    CURVE_ED25519: 'eddsa',
    CURVE_P256: 'ecdsa',
  };
  for (const { format, curve } of pairs(true)) {
    const expected = format.endsWith('_P2TR')
      ? 'schnorr_tweaked'
      : format.startsWith('ADDRESS_FORMAT_SPARK_')
        ? 'schnorr'
        : own[curve];
    assert.equal(signatureSchemeOf(format, curve), expected, format);
  }
});

test('CAIP-2 prefixes are valid', () => {
  const formatsOf = (prefix: string | undefined) =>
    formatNames
      .filter((format) => addressFormats[format].caip2Prefix === prefix)
      .map((format) => format.replace('ADDRESS_FORMAT_', ''));
  assert.deepEqual(formatsOf('eip155'), ['ETHEREUM']);
  assert.deepEqual(formatsOf('solana'), ['SOLANA']);
  assert.deepEqual(formatsOf('cosmos'), ['COSMOS', 'SEI']);
  assert.equal(formatsOf('bip122').filter((format) => format.startsWith('BITCOIN_')).length, 20);
  assert.deepEqual(formatsOf(undefined), [
    'UNCOMPRESSED',
    'COMPRESSED',
    'SPARK_MAINNET',
    'SPARK_REGTEST',
  ]);
  for (const format of formatNames) {
    const { caip2Prefix } = addressFormats[format];
    // CAIP-2 allows three to eight of these characters.
    if (caip2Prefix !== undefined) assert.match(caip2Prefix, /^[-a-z0-9]{3,8}$/);
  }
});

test('docs/addresses.md lists every format with its curves', () => {
  const page = readFileSync(new URL('../../../docs/addresses.md', import.meta.url), 'utf8');
  const rows = page.split('\n').filter((line) => line.startsWith('| `'));
  const listed = rows.flatMap((line) => {
    const [, formats = '', curves = ''] = line.split('|');
    return quoted(formats).map((format) => `${format}: ${quoted(curves).join(' ')}`);
  });
  const expected = formatNames
    .filter((format) => !format.includes('_BITCOIN_'))
    .map((format) => `${short(format)}: ${addressFormats[format].curves.map(short).join(' ')}`);
  const scripts = ['P2PKH', 'P2SH', 'P2WPKH', 'P2WSH', 'P2TR'];
  const bitcoin = scripts.map((script) => `BITCOIN_*_${script}: SECP256K1`);
  assert.deepEqual(new Set(listed), new Set([...expected, ...bitcoin]));
});

/** Returns all pairs of format and curve that are allowed, or all that are not. */
function pairs(allowed: boolean): { format: AddressFormatName; curve: CurveName }[] {
  return formatNames.flatMap((format) =>
    curveNames
      .filter((curve) => isCurveOfFormat(format, curve) === allowed)
      .map((curve) => ({ format, curve })),
  );
}

function names(suffixes: string): string[] {
  return suffixes.split(' ').map((suffix) => `ADDRESS_FORMAT_${suffix}`);
}

function short(name: string): string {
  return name.replace(/^(?:ADDRESS_FORMAT|CURVE)_/, '');
}

function quoted(cell: string): string[] {
  return Array.from(cell.matchAll(/`([^`]+)`/g), ([, name = '']) => name);
}
