// The 20 Bitcoin formats: every network with every script.

import { bech32, bech32m } from '@scure/base';
import { concatBytes } from '../base/bytes.ts';
import { sha256 } from '../crypto/hashes.ts';
import { rememberRecent } from '../crypto/remember_recent.ts';
import { tweakPublicKey } from '../crypto/schnorr.ts';
import { assert } from '../errors/errors.ts';
import type { AddressFormat, SignatureScheme } from './format.ts';
import { base58WithVersion, hash160 } from './hash160.ts';
import type { SpellingName } from './normalization.ts';

type Network = {
  readonly publicKeyHashVersion: number;
  readonly scriptHashVersion: number;
  /** Human-readable part of segwit addresses. */
  readonly prefix: string;
};

const testnet: Network = { publicKeyHashVersion: 0x6f, scriptHashVersion: 0xc4, prefix: 'tb' };

const networks = {
  MAINNET: { publicKeyHashVersion: 0x00, scriptHashVersion: 0x05, prefix: 'bc' },
  TESTNET: testnet,
  // BIP-325: signet took the address versions of testnet.
  SIGNET: testnet,
  REGTEST: { ...testnet, prefix: 'bcrt' },
} satisfies Record<string, Network>;

type Script = {
  readonly address: (network: Network, publicKey: Uint8Array) => string;
  readonly spelling: SpellingName;
  readonly signatureScheme?: SignatureScheme;
};

const scripts = {
  P2PKH: { address: payToPublicKeyHash, spelling: 'base58' },
  P2SH: { address: payToScriptHash, spelling: 'base58' },
  P2WPKH: { address: payToWitnessPublicKeyHash, spelling: 'bech32' },
  P2WSH: { address: payToWitnessScriptHash, spelling: 'bech32' },
  P2TR: { address: payToTaproot, spelling: 'bech32', signatureScheme: 'schnorr_tweaked' },
} satisfies Record<string, Script>;

type BitcoinFormatName = `ADDRESS_FORMAT_BITCOIN_${keyof typeof networks}_${keyof typeof scripts}`;

/** One row per network and script, networks first. */
export const bitcoinFormats = Object.fromEntries(
  Object.entries<Network>(networks).flatMap(([networkName, network]) =>
    Object.entries<Script>(scripts).map(([scriptName, script]) => [
      `ADDRESS_FORMAT_BITCOIN_${networkName}_${scriptName}`,
      formatOf(network, script),
    ]),
  ),
) as Record<BitcoinFormatName, AddressFormat>;

function formatOf(network: Network, { address, ...script }: Script): AddressFormat {
  return {
    ...script,
    curves: ['CURVE_SECP256K1'],
    encode: (publicKey) => address(network, publicKey),
    caip2Prefix: 'bip122',
  };
}

/** The script behind a P2SH address: the key's P2WPKH output script, as in BIP-49. */
function redeemScript(publicKey: Uint8Array): Uint8Array {
  return concatBytes(Uint8Array.of(opcodes.zero, 20), hash160(publicKey));
}

/** The script behind a P2WSH address: the key and OP_CHECKSIG, as in the examples of BIP-173. */
function witnessScript(publicKey: Uint8Array): Uint8Array {
  return concatBytes(Uint8Array.of(publicKey.length), publicKey, Uint8Array.of(opcodes.checkSig));
}

function payToPublicKeyHash(network: Network, publicKey: Uint8Array): string {
  return base58WithVersion(network.publicKeyHashVersion, hash160(publicKey));
}

function payToScriptHash(network: Network, publicKey: Uint8Array): string {
  return base58WithVersion(network.scriptHashVersion, hash160(redeemScript(publicKey)));
}

function payToWitnessPublicKeyHash(network: Network, publicKey: Uint8Array): string {
  return segwitAddress(network, hash160(publicKey));
}

function payToWitnessScriptHash(network: Network, publicKey: Uint8Array): string {
  return segwitAddress(network, sha256(witnessScript(publicKey)));
}

function payToTaproot(network: Network, publicKey: Uint8Array): string {
  // BIP-86: the output commits to no script, only to the key.
  const outputKey = outputKeyOf(publicKey);
  assert(outputKey !== undefined, 'the public key is on secp256k1');
  // BIP-350: witness versions from 1 on are written in bech32m.
  return bech32m.encode(network.prefix, [1, ...bech32m.toWords(outputKey)]);
}

/** Keys that have an address on one network usually have it on the others too. */
const rememberedKeys = 4;

const outputKeyOf = rememberRecent(rememberedKeys, (publicKey) => tweakPublicKey(publicKey));

function segwitAddress(network: Network, program: Uint8Array): string {
  return bech32.encode(network.prefix, [0, ...bech32.toWords(program)]);
}

const opcodes = { zero: 0x00, checkSig: 0xac };
