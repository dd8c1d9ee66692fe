// The address formats, one row each, in the order of the specification.

import type { CurveName } from '../base/enums.ts';
import { table } from '../base/table.ts';
import { assert, failField } from '../errors/errors.ts';
import { aptos } from './aptos.ts';
import { bitcoinFormats } from './bitcoin.ts';
import { cosmos, sei } from './cosmos.ts';
import { dogecoinMainnet, dogecoinTestnet } from './dogecoin.ts';
import { ethereum } from './ethereum.ts';
import type { AddressFormat, SignatureScheme } from './format.ts';
import { compressed, uncompressed } from './public_key.ts';
import { solana } from './solana.ts';
import { sparkMainnet, sparkRegtest } from './spark.ts';
import { stellar } from './stellar.ts';
import { sui } from './sui.ts';
import { tonV3R2, tonV4R2, tonV5R1 } from './ton.ts';
import { tron } from './tron.ts';
import { xrp } from './xrp.ts';

export type { SignatureScheme } from './format.ts';

const secp256k1: readonly CurveName[] = ['CURVE_SECP256K1'];
const ed25519: readonly CurveName[] = ['CURVE_ED25519'];
const secp256k1AndEd25519: readonly CurveName[] = ['CURVE_SECP256K1', 'CURVE_ED25519'];
const everyCurve: readonly CurveName[] = ['CURVE_SECP256K1', 'CURVE_ED25519', 'CURVE_P256'];

/** All address formats. `curves` lists the curves whose keys have an address in the format. */
export const addressFormats = table<AddressFormat>()({
  ADDRESS_FORMAT_UNCOMPRESSED: { curves: everyCurve, encode: uncompressed, spelling: 'public_key' },
  ADDRESS_FORMAT_COMPRESSED: { curves: everyCurve, encode: compressed, spelling: 'public_key' },
  ADDRESS_FORMAT_ETHEREUM: {
    curves: secp256k1,
    encode: ethereum,
    spelling: 'eip55',
    caip2Prefix: 'eip155',
  },
  ADDRESS_FORMAT_SOLANA: {
    curves: ed25519,
    encode: solana,
    spelling: 'base58',
    caip2Prefix: 'solana',
  },
  ADDRESS_FORMAT_COSMOS: {
    curves: secp256k1,
    encode: cosmos,
    spelling: 'bech32',
    caip2Prefix: 'cosmos',
  },
  ADDRESS_FORMAT_TRON: {
    curves: secp256k1,
    encode: tron,
    spelling: 'base58',
    caip2Prefix: 'tron',
  },
  ADDRESS_FORMAT_SUI: {
    curves: everyCurve,
    encode: sui,
    spelling: 'hex',
    caip2Prefix: 'sui',
  },
  ADDRESS_FORMAT_APTOS: {
    curves: secp256k1AndEd25519,
    encode: aptos,
    spelling: 'hex',
    caip2Prefix: 'aptos',
  },
  ...bitcoinFormats,
  ADDRESS_FORMAT_SEI: {
    curves: secp256k1,
    encode: sei,
    spelling: 'bech32',
    caip2Prefix: 'cosmos',
  },
  ADDRESS_FORMAT_XLM: {
    curves: ed25519,
    encode: stellar,
    spelling: 'base32',
    caip2Prefix: 'stellar',
  },
  ADDRESS_FORMAT_DOGE_MAINNET: {
    curves: secp256k1,
    encode: dogecoinMainnet,
    spelling: 'base58',
    caip2Prefix: 'bip122',
  },
  ADDRESS_FORMAT_DOGE_TESTNET: {
    curves: secp256k1,
    encode: dogecoinTestnet,
    spelling: 'base58',
    caip2Prefix: 'bip122',
  },
  ADDRESS_FORMAT_TON_V3R2: {
    curves: ed25519,
    encode: tonV3R2,
    spelling: 'ton',
    caip2Prefix: 'tvm',
  },
  ADDRESS_FORMAT_TON_V4R2: {
    curves: ed25519,
    encode: tonV4R2,
    spelling: 'ton',
    caip2Prefix: 'tvm',
  },
  ADDRESS_FORMAT_TON_V5R1: {
    curves: ed25519,
    encode: tonV5R1,
    spelling: 'ton',
    caip2Prefix: 'tvm',
  },
  ADDRESS_FORMAT_XRP: {
    curves: secp256k1AndEd25519,
    encode: xrp,
    spelling: 'base58',
    caip2Prefix: 'xrpl',
  },
  ADDRESS_FORMAT_SPARK_MAINNET: {
    curves: secp256k1,
    encode: sparkMainnet,
    spelling: 'bech32',
    signatureScheme: 'schnorr',
  },
  ADDRESS_FORMAT_SPARK_REGTEST: {
    curves: secp256k1,
    encode: sparkRegtest,
    spelling: 'bech32',
    signatureScheme: 'schnorr',
  },
});

export type AddressFormatName = keyof typeof addressFormats;

/** Returns true if keys of that curve have an address of that format. */
export function isCurveOfFormat(format: AddressFormatName, curve: CurveName): boolean {
  return addressFormats[format].curves.includes(curve);
}

/**
 * Returns the address of a public key in its stored form. `publicKey` is a valid key of `curve`: 33 bytes,
 * compressed (SEC 1), on secp256k1 and P-256; 32 bytes on Ed25519. Raises `field_invalid` at the path `field`
 * for a curve that the format does not support.
 */
export function addressOf(
  format: AddressFormatName,
  curve: CurveName,
  publicKey: Uint8Array,
  field = 'addressFormat',
): string {
  const row = addressFormats[format];
  if (!isCurveOfFormat(format, curve)) {
    failField(field, `${format} expects ${row.curves.join(' or ')}, got \`${curve}\``);
  }
  assert(publicKey.length === publicKeyBytes[curve], 'a public key in the stored form');
  return row.encode(publicKey, curve);
}

/** Returns the signature scheme for a `signWith` address of a key of that curve. */
export function signatureSchemeOf(format: AddressFormatName, curve: CurveName): SignatureScheme {
  return addressFormats[format].signatureScheme ?? schemeOfCurve[curve];
}

const publicKeyBytes: Readonly<Record<CurveName, number>> = {
  CURVE_SECP256K1: 33,
  CURVE_ED25519: 32,
  CURVE_P256: 33,
};

const schemeOfCurve: Readonly<Record<CurveName, SignatureScheme>> = {
  CURVE_SECP256K1: 'ecdsa',
  CURVE_ED25519: 'eddsa',
  CURVE_P256: 'ecdsa',
};
