// Encodes public keys as addresses in each format of the service, implemented from the chain specifications.

import { p256 } from '@noble/curves/nist.js';
import { schnorr, secp256k1 } from '@noble/curves/secp256k1.js';
import { blake2b } from '@noble/hashes/blake2.js';
import { ripemd160 } from '@noble/hashes/legacy.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { keccak_256, sha3_256 } from '@noble/hashes/sha3.js';
import { bytesToHex, concatBytes, hexToBytes, utf8ToBytes } from '@noble/hashes/utils.js';
import {
  base32nopad,
  base58,
  base58xrp,
  base64urlnopad,
  bech32,
  bech32m,
  createBase58check,
} from '@scure/base';
import type { CurveName } from './derive.ts';

type Encode = (publicKey: Uint8Array, curve: CurveName) => string;

const bytes = (...numbers: readonly number[]): Uint8Array => Uint8Array.from(numbers);
const hash160 = (input: Uint8Array): Uint8Array => ripemd160(sha256(input));
const base58check = createBase58check(sha256);
const versioned = (version: number, payload: Uint8Array): string =>
  base58check.encode(concatBytes(bytes(version), payload));

function uncompressed(publicKey: Uint8Array, curve: CurveName): Uint8Array {
  if (curve === 'CURVE_ED25519') return publicKey;
  const { Point } = curve === 'CURVE_P256' ? p256 : secp256k1;
  return Point.fromBytes(publicKey).toBytes(false);
}

const ethereumAccount: (publicKey: Uint8Array) => Uint8Array = (publicKey) =>
  keccak_256(uncompressed(publicKey, 'CURVE_SECP256K1').subarray(1)).subarray(-20);

/** EIP-55. */
function ethereum(publicKey: Uint8Array): string {
  const digits = bytesToHex(ethereumAccount(publicKey));
  const hash = bytesToHex(keccak_256(utf8ToBytes(digits)));
  const cased = [...digits].map((digit, at) =>
    Number.parseInt(hash.charAt(at), 16) >= 8 ? digit.toUpperCase() : digit,
  );
  return `0x${cased.join('')}`;
}

const bech32Account =
  (prefix: string): Encode =>
  (publicKey) =>
    bech32.encode(prefix, bech32.toWords(hash160(publicKey)));

const suiFlags: Readonly<Record<CurveName, number>> = {
  CURVE_ED25519: 0,
  CURVE_SECP256K1: 1,
  CURVE_P256: 2,
};

const sui: Encode = (publicKey, curve) =>
  `0x${bytesToHex(blake2b(concatBytes(bytes(suiFlags[curve]), publicKey), { dkLen: 32 }))}`;

const aptos: Encode = (publicKey, curve) => {
  const preimage =
    curve === 'CURVE_ED25519'
      ? concatBytes(publicKey, bytes(0))
      : concatBytes(bytes(1, 65), uncompressed(publicKey, curve), bytes(2));
  return `0x${bytesToHex(sha3_256(preimage))}`;
};

const crc16 = (input: Uint8Array): number =>
  input.reduce((sum, byte) => {
    let next = sum ^ (byte << 8);
    for (let bit = 0; bit < 8; bit += 1) {
      next = next & 0x8000 ? ((next << 1) ^ 0x1021) & 0xffff : next << 1;
    }
    return next;
  }, 0);

/** SEP-0023, with the version byte of an account key or a seed. */
export function strKey(version: number, payload: Uint8Array): string {
  const body = concatBytes(bytes(version), payload);
  const checksum = crc16(body);
  return base32nopad.encode(concatBytes(body, bytes(checksum & 0xff, checksum >> 8)));
}

const xrp: Encode = (publicKey, curve) => {
  const key = curve === 'CURVE_ED25519' ? concatBytes(bytes(0xed), publicKey) : publicKey;
  const body = concatBytes(bytes(0), hash160(key));
  return base58xrp.encode(concatBytes(body, sha256(sha256(body)).subarray(0, 4)));
};

const spark =
  (prefix: string): Encode =>
  (publicKey) =>
    bech32m.encode(prefix, bech32m.toWords(concatBytes(bytes(0x0a, 33), publicKey)), false);

/** The root cell of the code of a standard TON wallet. */
type CodeCell = { readonly hash: string; readonly depth: number };

/** Returns the address of a TON wallet: the hash of its code and its initial data from `dataBits`. */
const ton =
  (code: CodeCell, dataBits: (keyBits: string) => string): Encode =>
  (publicKey) => {
    const data = cellHash(dataBits([...publicKey].map((byte) => binary(byte, 8)).join('')));
    const references = concatBytes(bytes(0, code.depth, 0, 0), hexToBytes(code.hash), data);
    const account = cellHash('00110', 2, references);
    const body = concatBytes(bytes(0x11, 0), account);
    const checksum = crc16(body);
    return base64urlnopad.encode(concatBytes(body, bytes(checksum >> 8, checksum & 0xff)));
  };

const binary = (value: number, width: number): string => value.toString(2).padStart(width, '0');

function cellHash(bits: string, count = 0, references = new Uint8Array()): Uint8Array {
  const whole = Math.ceil(bits.length / 8);
  const padded = bits.length % 8 === 0 ? bits : `${bits}1`.padEnd(whole * 8, '0');
  const content = Uint8Array.from({ length: whole }, (_, at) =>
    Number.parseInt(padded.slice(8 * at, 8 * at + 8), 2),
  );
  const descriptor = bytes(count, Math.floor(bits.length / 8) + whole);
  return sha256(concatBytes(descriptor, content, references));
}

const seqno = binary(0, 32);
const walletId = binary(698983191, 32);
const v5WalletId = binary(0x7fffff11, 32);
const tonCodes = {
  v3R2: { hash: '84dafa449f98a6987789ba232358072bc0f76dc4524002a5d0918b9a75d2d599', depth: 0 },
  v4R2: { hash: 'feb5ff6820e2ff0d9483e7e0d62c817d846789fb4ae580c878866d959dabd5c0', depth: 7 },
  v5R1: { hash: '20834b7b72b112147e1b2fb457b84e74d1a30f04f737d4f62a668e9552d2b72f', depth: 6 },
};

type Network = { readonly key: number; readonly script: number; readonly prefix: string };
const testnet: Network = { key: 0x6f, script: 0xc4, prefix: 'tb' };
const networks: Readonly<Record<string, Network>> = {
  MAINNET: { key: 0, script: 5, prefix: 'bc' },
  TESTNET: testnet,
  SIGNET: testnet,
  REGTEST: { ...testnet, prefix: 'bcrt' },
};

const segwit = (prefix: string, version: 0 | 1, program: Uint8Array): string => {
  const coder = version === 0 ? bech32 : bech32m;
  return coder.encode(prefix, [version, ...coder.toWords(program)]);
};

/** BIP-86: the key tweaked by only its own hash. */
function taprootKey(publicKey: Uint8Array): Uint8Array {
  const x = publicKey.subarray(1);
  const tweak = schnorr.utils.taggedHash('TapTweak', x);
  const point = schnorr.utils.lift_x(BigInt(`0x${bytesToHex(x)}`));
  const { Fn, BASE } = secp256k1.Point;
  return point
    .add(BASE.multiply(Fn.fromBytes(tweak)))
    .toBytes(true)
    .subarray(1);
}

const scripts: Readonly<Record<string, (publicKey: Uint8Array, network: Network) => string>> = {
  P2PKH: (publicKey, { key }) => versioned(key, hash160(publicKey)),
  // BIP-49.
  P2SH: (publicKey, { script }) =>
    versioned(script, hash160(concatBytes(bytes(0, 20), hash160(publicKey)))),
  P2WPKH: (publicKey, { prefix }) => segwit(prefix, 0, hash160(publicKey)),
  P2WSH: (publicKey, { prefix }) =>
    segwit(prefix, 0, sha256(concatBytes(bytes(33), publicKey, bytes(0xac)))),
  P2TR: (publicKey, { prefix }) => segwit(prefix, 1, taprootKey(publicKey)),
};

const bitcoin = Object.entries(networks).flatMap(([name, network]) =>
  Object.entries(scripts).map(([script, encode]): [string, Encode] => [
    `ADDRESS_FORMAT_BITCOIN_${name}_${script}`,
    (publicKey) => encode(publicKey, network),
  ]),
);

const formats = new Map<string, Encode>([
  ['ADDRESS_FORMAT_UNCOMPRESSED', (key, curve) => bytesToHex(uncompressed(key, curve))],
  ['ADDRESS_FORMAT_COMPRESSED', (key) => bytesToHex(key)],
  ['ADDRESS_FORMAT_ETHEREUM', ethereum],
  ['ADDRESS_FORMAT_SOLANA', (key) => base58.encode(key)],
  ['ADDRESS_FORMAT_COSMOS', bech32Account('cosmos')],
  ['ADDRESS_FORMAT_TRON', (key) => versioned(0x41, ethereumAccount(key))],
  ['ADDRESS_FORMAT_SUI', sui],
  ['ADDRESS_FORMAT_APTOS', aptos],
  ...bitcoin,
  ['ADDRESS_FORMAT_SEI', bech32Account('sei')],
  ['ADDRESS_FORMAT_XLM', (key) => strKey(6 << 3, key)],
  ['ADDRESS_FORMAT_DOGE_MAINNET', (key) => versioned(0x1e, hash160(key))],
  ['ADDRESS_FORMAT_DOGE_TESTNET', (key) => versioned(0x71, hash160(key))],
  ['ADDRESS_FORMAT_TON_V3R2', ton(tonCodes.v3R2, (key) => seqno + walletId + key)],
  ['ADDRESS_FORMAT_TON_V4R2', ton(tonCodes.v4R2, (key) => `${seqno}${walletId}${key}0`)],
  ['ADDRESS_FORMAT_TON_V5R1', ton(tonCodes.v5R1, (key) => `1${seqno}${v5WalletId}${key}0`)],
  ['ADDRESS_FORMAT_XRP', xrp],
  ['ADDRESS_FORMAT_SPARK_MAINNET', spark('spark')],
  ['ADDRESS_FORMAT_SPARK_REGTEST', spark('sparkrt')],
]);

/** The names of all formats. */
export const addressFormatNames: readonly string[] = [...formats.keys()];

/** Returns the address of a public key. Raises an error for an unknown format. */
export function addressOf(format: string, curve: CurveName, publicKey: Uint8Array): string {
  const encode = formats.get(format);
  if (encode === undefined) throw new Error(`this tool does not support the format ${format}`);
  return encode(publicKey, curve);
}
