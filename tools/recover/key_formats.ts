// Formats private keys for import into wallets of their chain. Every key also has hex and PKCS #8.

import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, concatBytes, hexToBytes } from '@noble/hashes/utils.js';
import { base58, base64, bech32, createBase58check } from '@scure/base';
import { strKey } from './addresses.ts';
import { type CurveName, publicKeyOf } from './derive.ts';

type Write = (privateKey: Uint8Array, curve: CurveName) => string;

const wif =
  (version: number): Write =>
  (privateKey) =>
    createBase58check(sha256).encode(
      concatBytes(Uint8Array.of(version), privateKey, Uint8Array.of(1)),
    );

const suiFlags: Readonly<Record<CurveName, number>> = {
  CURVE_ED25519: 0,
  CURVE_SECP256K1: 1,
  CURVE_P256: 2,
};

/** The name and encoder of a key format, by prefix of the address format. The first match wins. */
const forms: readonly (readonly [start: string, name: string, write: Write])[] = [
  ['ADDRESS_FORMAT_BITCOIN_MAINNET_', 'wif', wif(0x80)],
  ['ADDRESS_FORMAT_BITCOIN_', 'wif', wif(0xef)],
  ['ADDRESS_FORMAT_DOGE_MAINNET', 'wif', wif(0x9e)],
  ['ADDRESS_FORMAT_DOGE_TESTNET', 'wif', wif(0xf1)],
  [
    'ADDRESS_FORMAT_SOLANA',
    'keypair',
    (key, curve) => base58.encode(concatBytes(key, publicKeyOf(curve, key))),
  ],
  ['ADDRESS_FORMAT_XLM', 'secretSeed', (key) => strKey(18 << 3, key)],
  [
    'ADDRESS_FORMAT_SUI',
    'suiPrivateKey',
    (key, curve) =>
      bech32.encode('suiprivkey', bech32.toWords(concatBytes(Uint8Array.of(suiFlags[curve]), key))),
  ],
  [
    'ADDRESS_FORMAT_APTOS',
    'aptosPrivateKey',
    // AIP-80.
    (key, curve) => `${curve.slice('CURVE_'.length).toLowerCase()}-priv-0x${bytesToHex(key)}`,
  ],
];

/** The DER prefix of PKCS #8 before the 32 bytes of the key. */
const pkcs8Starts: Readonly<Record<CurveName, string>> = {
  CURVE_SECP256K1: '303e020100301006072a8648ce3d020106052b8104000a042730250201010420',
  CURVE_P256: '3041020100301306072a8648ce3d020106082a8648ce3d030107042730250201010420',
  CURVE_ED25519: '302e020100300506032b657004220420',
};

/** Returns a key in all its formats, by format name. */
export function keyForms(
  privateKey: Uint8Array,
  curve: CurveName,
  addressFormats: readonly string[],
): Readonly<Record<string, string>> {
  const found = addressFormats.flatMap((format) => {
    const form = forms.find(([start]) => format.startsWith(start));
    return form === undefined ? [] : [[form[1], form[2](privateKey, curve)] as const];
  });
  const der = concatBytes(hexToBytes(pkcs8Starts[curve]), privateKey);
  const hex = bytesToHex(privateKey);
  return { hex, pkcs8: base64.encode(der), ...Object.fromEntries(found) };
}
