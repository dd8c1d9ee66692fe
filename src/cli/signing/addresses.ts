// Derives addresses of public keys for `verify`. It shares no code with the service, so that it cannot repeat
// its errors.

import { secp256k1 } from '@noble/curves/secp256k1.js';
import { ripemd160 } from '@noble/hashes/legacy.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { keccak_256 } from '@noble/hashes/sha3.js';
import { base58, bech32, createBase58check } from '@scure/base';

type Encode = (publicKey: Uint8Array) => string;

const base58check = createBase58check(sha256);

/** Returns the last 20 bytes of the Keccak-256 of an uncompressed point. */
function accountHash(publicKey: Uint8Array): Uint8Array {
  const point = secp256k1.Point.fromBytes(publicKey).toBytes(false);
  return keccak_256(point.subarray(1)).subarray(12);
}

/**
 * Returns an address with the ERC-55 checksum: a letter is upper-case if the hash has a digit of 8 or more at
 * its place.
 */
function ethereum(publicKey: Uint8Array): string {
  const digits = hexOf(accountHash(publicKey));
  const hash = hexOf(keccak_256(new TextEncoder().encode(digits)));
  const letters = [...digits].map((digit, place) =>
    Number.parseInt(hash.charAt(place), 16) > 7 ? digit.toUpperCase() : digit,
  );
  return `0x${letters.join('')}`;
}

const tron: Encode = (publicKey) => versioned(0x41, accountHash(publicKey));

const hash160 = (bytes: Uint8Array): Uint8Array => ripemd160(sha256(bytes));

const versioned = (version: number, hash: Uint8Array): string =>
  base58check.encode(Uint8Array.of(version, ...hash));

/** Base58 versions of public key and script addresses, and the bech32 prefix. */
const networks: Readonly<Record<string, readonly [number, number, string]>> = {
  MAINNET: [0x00, 0x05, 'bc'],
  TESTNET: [0x6f, 0xc4, 'tb'],
  SIGNET: [0x6f, 0xc4, 'tb'],
  REGTEST: [0x6f, 0xc4, 'bcrt'],
};

const bitcoin = Object.fromEntries(
  Object.entries(networks).flatMap(([network, [keyVersion, scriptVersion, prefix]]) => {
    const encoders: Readonly<Record<string, Encode>> = {
      P2PKH: (publicKey) => versioned(keyVersion, hash160(publicKey)),
      // BIP-49: the script is the P2WPKH output of the key.
      P2SH: (publicKey) =>
        versioned(scriptVersion, hash160(Uint8Array.of(0, 20, ...hash160(publicKey)))),
      P2WPKH: (publicKey) => bech32.encode(prefix, [0, ...bech32.toWords(hash160(publicKey))]),
    };
    return Object.entries(encoders).map(([script, encode]) => [
      `ADDRESS_FORMAT_BITCOIN_${network}_${script}`,
      encode,
    ]);
  }),
);

const encoders: Readonly<Record<string, Encode>> = {
  ADDRESS_FORMAT_ETHEREUM: ethereum,
  ADDRESS_FORMAT_TRON: tron,
  ADDRESS_FORMAT_SOLANA: (publicKey) => base58.encode(publicKey),
  ...bitcoin,
};

/** Returns the address of a public key in a format; undefined for unknown formats. */
export function addressOf(addressFormat: string, publicKey: Uint8Array): string | undefined {
  return Object.hasOwn(encoders, addressFormat) ? encoders[addressFormat]?.(publicKey) : undefined;
}

const hexOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');
