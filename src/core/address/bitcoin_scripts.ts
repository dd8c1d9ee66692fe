// Bitcoin's output scripts for a public key, and their addresses.

import { bech32, bech32m } from '@scure/base';
import { concatBytes } from '../base/bytes.ts';
import { sha256 } from '../crypto/hashes.ts';
import { rememberRecent } from '../crypto/remember_recent.ts';
import { tweakPublicKey } from '../crypto/schnorr.ts';
import { assert } from '../errors/errors.ts';
import { base58WithVersion, hash160 } from './hash160.ts';

type Network = {
  readonly publicKeyHashVersion: number;
  readonly scriptHashVersion: number;
  /** Human-readable part of segwit addresses. */
  readonly prefix: string;
};

const testnet: Network = {
  publicKeyHashVersion: 0x6f,
  scriptHashVersion: 0xc4,
  prefix: 'tb',
};

export const bitcoinNetworks = {
  MAINNET: {
    publicKeyHashVersion: 0x00,
    scriptHashVersion: 0x05,
    prefix: 'bc',
  },
  TESTNET: testnet,
  // BIP-325: signet took the address versions of testnet.
  SIGNET: testnet,
  REGTEST: { ...testnet, prefix: 'bcrt' },
} satisfies Record<string, Network>;

export type BitcoinNetworkName = keyof typeof bitcoinNetworks;

const opcodes = {
  zero: 0x00,
  one: 0x51,
  sixteen: 0x60,
  duplicate: 0x76,
  equal: 0x87,
  equalVerify: 0x88,
  hash160: 0xa9,
  checkSig: 0xac,
};

/** The scripts that lock an output to one public key (33 bytes, compressed, on secp256k1). */
export const bitcoinScripts = {
  P2PKH: (publicKey: Uint8Array) => payToPublicKeyHash(hash160(publicKey)),
  P2SH: (publicKey: Uint8Array) =>
    concatBytes(
      Uint8Array.of(opcodes.hash160, 20),
      hash160(redeemScript(publicKey)),
      Uint8Array.of(opcodes.equal),
    ),
  P2WPKH: (publicKey: Uint8Array) => witnessProgram(opcodes.zero, hash160(publicKey)),
  P2WSH: (publicKey: Uint8Array) => witnessProgram(opcodes.zero, sha256(witnessScript(publicKey))),
  P2TR: payToTaproot,
} satisfies Record<string, (publicKey: Uint8Array) => Uint8Array>;

export type BitcoinScriptName = keyof typeof bitcoinScripts;

/** The script behind a P2SH address: the key's P2WPKH output script, as in BIP-49. */
export function redeemScript(publicKey: Uint8Array): Uint8Array {
  return bitcoinScripts.P2WPKH(publicKey);
}

/** The script behind a P2WSH address: the key and OP_CHECKSIG, as in the examples of BIP-173. */
export function witnessScript(publicKey: Uint8Array): Uint8Array {
  return concatBytes(Uint8Array.of(publicKey.length), publicKey, Uint8Array.of(opcodes.checkSig));
}

/** OP_DUP OP_HASH160 <hash> OP_EQUALVERIFY OP_CHECKSIG. */
export function payToPublicKeyHash(hash: Uint8Array): Uint8Array {
  return concatBytes(
    Uint8Array.of(opcodes.duplicate, opcodes.hash160, hash.length),
    hash,
    Uint8Array.of(opcodes.equalVerify, opcodes.checkSig),
  );
}

/** Kinds of output scripts with an address. `p2a` is the anchor, which anyone may spend. */
type BitcoinAddressType = 'p2pkh' | 'p2sh' | 'p2wpkh' | 'p2wsh' | 'p2tr' | 'p2a' | '';

/**
 * Returns the address and kind of an output script. Both are empty for a script without an address; the kind
 * is empty for future witness versions, which have an address (BIP-350).
 */
export function describeOutputScript(
  script: Uint8Array,
  networkName: BitcoinNetworkName,
): { readonly address: string; readonly type: BitcoinAddressType } {
  const network = bitcoinNetworks[networkName];
  const { length } = script;
  if (isPublicKeyHash(script)) {
    const hash = script.subarray(3, 23);
    return { type: 'p2pkh', address: base58WithVersion(network.publicKeyHashVersion, hash) };
  }
  if (isScriptHash(script)) {
    const hash = script.subarray(2, 22);
    return { type: 'p2sh', address: base58WithVersion(network.scriptHashVersion, hash) };
  }
  const version = witnessVersionOf(script);
  if (version === undefined) return { type: '', address: '' };
  const program = script.subarray(2);
  if (version > 0) {
    return { type: typeOfVersionOne(version, program), address: segwit(network, version, program) };
  }
  if (length !== 22 && length !== 34) return { type: '', address: '' };
  const type = length === 22 ? 'p2wpkh' : 'p2wsh';
  return { type, address: segwit(network, version, program) };
}

function isPublicKeyHash(script: Uint8Array): boolean {
  return (
    script.length === 25 &&
    script[0] === opcodes.duplicate &&
    script[1] === opcodes.hash160 &&
    script[2] === 20 &&
    script[23] === opcodes.equalVerify &&
    script[24] === opcodes.checkSig
  );
}

function isScriptHash(script: Uint8Array): boolean {
  return (
    script.length === 23 &&
    script[0] === opcodes.hash160 &&
    script[1] === 20 &&
    script[22] === opcodes.equal
  );
}

/** Returns the witness version of a script (BIP-141: one push of 2 to 40 bytes); undefined for others. */
function witnessVersionOf(script: Uint8Array): number | undefined {
  const [opcode, pushed] = script;
  if (opcode === undefined || pushed === undefined) return undefined;
  if (pushed < 2 || pushed > 40 || pushed !== script.length - 2) return undefined;
  if (opcode === opcodes.zero) return 0;
  const isVersion = opcode >= opcodes.one && opcode <= opcodes.sixteen;
  return isVersion ? opcode - opcodes.one + 1 : undefined;
}

function typeOfVersionOne(version: number, program: Uint8Array): BitcoinAddressType {
  if (version !== 1) return '';
  if (program.length === 32) return 'p2tr';
  const isAnchor = program.length === 2 && program[0] === 0x4e && program[1] === 0x73;
  return isAnchor ? 'p2a' : '';
}

/** BIP-350: witness versions from 1 on are written in bech32m. */
function segwit(network: Network, version: number, program: Uint8Array): string {
  const coder = version === 0 ? bech32 : bech32m;
  return coder.encode(network.prefix, [version, ...coder.toWords(program)]);
}

function payToTaproot(publicKey: Uint8Array): Uint8Array {
  // BIP-86: the output commits to no script, only to the key.
  const outputKey = outputKeyOf(publicKey);
  assert(outputKey !== undefined, 'the public key is on secp256k1');
  return witnessProgram(opcodes.one, outputKey);
}

/** A key with an address on one network usually has addresses on the others too. */
const rememberedKeys = 4;

const outputKeyOf = rememberRecent(rememberedKeys, (publicKey) => tweakPublicKey(publicKey));

function witnessProgram(version: number, program: Uint8Array): Uint8Array {
  return concatBytes(Uint8Array.of(version, program.length), program);
}
