// Fields of a PSBT, one row each: the key after its type, and the value. Rows follow the registry of BIP-174;
// unknown types are stored unchanged.

import { textOfUtf8 } from '../../base/bytes.ts';
import {
  type BitcoinCursor,
  cursorOver,
  remaining,
  requireEnd,
  skipBytes,
  skipVariableBytes,
  takeByte,
  takeCompactSize,
  takeCount,
} from './cursor.ts';
import { skipStack } from './plain.ts';

/** Checks bytes; returns the expected form, or undefined for valid bytes. */
type Check = (bytes: Uint8Array, at: Where) => string | undefined;

type Where = {
  /** Points to the start of the bytes. */
  readonly cursor: BitcoinCursor;
  readonly place: string;
  /** The key after its type. */
  readonly keyData: Uint8Array;
};

export type Field = {
  readonly name: string;
  /** Default: the key is only the type. */
  readonly keyData?: Check;
  /** Default: any value is valid. */
  readonly value?: Check;
  /** Only in version 2 of the format (BIP-370, BIP-375). */
  readonly isOfVersion2?: true;
};

/** Types of fields that decide the signed bytes and the kind of signature. */
export const fieldTypes = {
  unsignedTransaction: 0x00,
  version: 0xfb,
  nonWitnessUtxo: 0x00,
  witnessUtxo: 0x01,
  partialSignature: 0x02,
  sighashType: 0x03,
  redeemScript: 0x04,
  witnessScript: 0x05,
  finalScriptSig: 0x07,
  finalScriptWitness: 0x08,
  tapKeySignature: 0x13,
  tapScriptSignature: 0x14,
  tapLeafScript: 0x15,
  tapDerivation: 0x16,
  tapInternalKey: 0x17,
  tapMerkleRoot: 0x18,
} as const;

/** 33 bytes with prefix 02 or 03, or 65 with prefix 04. The point need not be on the curve. */
const publicKey: Check = (bytes) => {
  const [first] = bytes;
  const isCompressed = bytes.length === 33 && (first === 2 || first === 3);
  const isUncompressed = bytes.length === 65 && first === 4;
  return isCompressed || isUncompressed ? undefined : 'a public key of 33 or 65 bytes';
};
const compressedKey: Check = (bytes, at) =>
  bytes.length === 33 ? publicKey(bytes, at) : 'a public key of 33 bytes';
const xOnlyKey = exactly(32, 'an x-only public key');
const hash20 = exactly(20, 'a hash');
const hash32 = exactly(32, 'a hash');
const number4 = exactly(4, 'a number');

/** A fingerprint and the indexes of a path, 4 bytes each. */
const derivation: Check = ({ length }) =>
  length >= 4 && length % 4 === 0 ? undefined : 'a fingerprint and indexes of 4 bytes each';

/** BIP-371: hashes of leaves, then a derivation. */
const tapDerivation: Check = (bytes, at) => {
  const { cursor, place } = at;
  skipBytes(cursor, 32 * takeCount(cursor, 32, place), place);
  return derivation(bytes.subarray(cursor.offset), at);
};

/** BIP-32, serialized. */
const extendedKey: Check = (bytes) => {
  const prefix = bytes[45];
  const isKey = bytes.length === 78 && (prefix === 2 || prefix === 3);
  if (!isKey) return 'an extended public key of 78 bytes';
  const isRoot = bytes[4] === 0;
  const hasParent = bytes.subarray(5, 13).some((byte) => byte !== 0);
  return isRoot && hasParent ? 'a root key without a parent' : undefined;
};

/** The value has as many indexes as the depth of the extended key (BIP-174). */
const extendedKeyDerivation: Check = (value, { keyData }) => {
  const indexes = keyData[4] ?? 0;
  const isDeep = value.length === 4 + 4 * indexes;
  return isDeep ? undefined : `a fingerprint and ${indexes} indexes`;
};

/** BIP-341: version and parity, internal key, at most 128 hashes. */
const controlBlock: Check = ({ length }) => {
  const hashes = (length - 33) / 32;
  const isBlock = Number.isInteger(hashes) && hashes >= 0 && hashes <= 128;
  return isBlock ? undefined : 'a control block of 33 bytes and up to 128 hashes';
};

/** A script and its leaf version, which must equal that of the control block (BIP-371). */
const leafScript: Check = (value, { keyData }) => {
  const version = value.at(-1);
  const isSame = version !== undefined && version === ((keyData[0] ?? 0) & 0xfe);
  return isSame ? undefined : 'a script and the leaf version of its control block';
};
const schnorrSignature: Check = ({ length }) =>
  length === 64 || length === 65 ? undefined : 'a signature of 64 or 65 bytes';

const text: Check = (bytes) => (textOfUtf8(bytes) === undefined ? 'UTF-8' : undefined);

/** An input finalized without a script has only a witness, so an empty script is invalid. */
const finalScript: Check = ({ length }) => (length === 0 ? 'at least one byte' : undefined);

const witness: Check = (_, { cursor, place }) => {
  const items = skipStack(cursor, place);
  requireEnd(cursor, place);
  return items === 0 ? 'at least one item' : undefined;
};

/** BIP-373: participant and aggregate key, and the hash of the leaf if a script is signed. */
const musigKey: Check = ({ length }) =>
  length === 66 || length === 98 ? undefined : 'two public keys, and a hash or nothing';
const musigParticipants: Check = ({ length }) =>
  length % 33 === 0 ? undefined : 'public keys of 33 bytes';

/** BIP-174: an identifier after its length, a subtype, any data. */
const proprietaryKey: Check = (_, { cursor, place }) => {
  skipVariableBytes(cursor, place);
  takeCompactSize(cursor, place);
  return undefined;
};

/** BIP-371: depth, leaf version and script of each leaf of a complete tree, depth first. */
const tapTree: Check = (_, { cursor, place }) => {
  /** 2^128 for a whole tree; a leaf at depth d fills 2^(128 − d) of it. */
  let filled = 0n;
  while (remaining(cursor) > 0) {
    const depth = takeByte(cursor, place);
    // The leaf version.
    skipBytes(cursor, 1, place);
    skipVariableBytes(cursor, place);
    if (depth > 128) return 'leaves up to depth 128';
    const share = 1n << BigInt(128 - depth);
    // A leaf must start at a multiple of its own size.
    if (filled % share !== 0n || filled + share > wholeTree) return 'leaves of a tree, depth first';
    filled += share;
  }
  return filled === wholeTree ? undefined : 'the leaves of a whole tree';
};
const wholeTree = 1n << 128n;

/** BIP-353: a name after its length, then a proof. */
const nameAndProof: Check = (_, { cursor, place }) => {
  skipBytes(cursor, takeByte(cursor, place), place);
  return undefined;
};

export const globalFields: ReadonlyMap<number, Field> = new Map([
  [0x00, { name: 'unsigned_tx' }],
  [0x01, { name: 'xpub', keyData: extendedKey, value: extendedKeyDerivation }],
  ...ofVersion2([0x02, 0x03, 0x04, 0x05, 0x06, 0x07, 0x08]),
  [0x09, { name: 'generic_signed_message' }],
  [0xfb, { name: 'version', value: number4 }],
  [0xfc, { name: 'proprietary', keyData: proprietaryKey }],
]);

export const inputFields: ReadonlyMap<number, Field> = new Map([
  [0x00, { name: 'non_witness_utxo' }],
  [0x01, { name: 'witness_utxo' }],
  [0x02, { name: 'partial_sig', keyData: publicKey }],
  [0x03, { name: 'sighash_type', value: number4 }],
  [0x04, { name: 'redeem_script' }],
  [0x05, { name: 'witness_script' }],
  [0x06, { name: 'bip32_derivation', keyData: publicKey, value: derivation }],
  [0x07, { name: 'final_scriptsig', value: finalScript }],
  [0x08, { name: 'final_scriptwitness', value: witness }],
  [0x09, { name: 'por_commitment', value: text }],
  [0x0a, { name: 'ripemd160', keyData: hash20 }],
  [0x0b, { name: 'sha256', keyData: hash32 }],
  [0x0c, { name: 'hash160', keyData: hash20 }],
  [0x0d, { name: 'hash256', keyData: hash32 }],
  ...ofVersion2([0x0e, 0x0f, 0x10, 0x11, 0x12]),
  [0x13, { name: 'tap_key_sig', value: schnorrSignature }],
  [0x14, { name: 'tap_script_sig', keyData: exactly(64, 'key and leaf'), value: schnorrSignature }],
  [0x15, { name: 'tap_leaf_script', keyData: controlBlock, value: leafScript }],
  [0x16, { name: 'tap_bip32_derivation', keyData: xOnlyKey, value: tapDerivation }],
  [0x17, { name: 'tap_internal_key', value: xOnlyKey }],
  [0x18, { name: 'tap_merkle_root', value: hash32 }],
  [0x19, { name: 'p2c_key_tweak', keyData: compressedKey, value: exactly(32, 'a tweak') }],
  [0x1a, { name: 'musig2_participant_pubkeys', keyData: compressedKey, value: musigParticipants }],
  [0x1b, { name: 'musig2_pub_nonce', keyData: musigKey, value: exactly(66, 'two nonces') }],
  [0x1c, { name: 'musig2_partial_sig', keyData: musigKey, value: exactly(32, 'a signature') }],
  ...ofVersion2([0x1d, 0x1e, 0x1f, 0x20]),
  [0xfc, { name: 'proprietary', keyData: proprietaryKey }],
]);

export const outputFields: ReadonlyMap<number, Field> = new Map([
  [0x00, { name: 'redeem_script' }],
  [0x01, { name: 'witness_script' }],
  [0x02, { name: 'bip32_derivation', keyData: publicKey, value: derivation }],
  ...ofVersion2([0x03, 0x04]),
  [0x05, { name: 'tap_internal_key', value: xOnlyKey }],
  [0x06, { name: 'tap_tree', value: tapTree }],
  [0x07, { name: 'tap_bip32_derivation', keyData: xOnlyKey, value: tapDerivation }],
  [0x08, { name: 'musig2_participant_pubkeys', keyData: compressedKey, value: musigParticipants }],
  ...ofVersion2([0x09, 0x0a]),
  [0x35, { name: 'dnssec_proof', value: nameAndProof }],
  [0xfc, { name: 'proprietary', keyData: proprietaryKey }],
]);

/** Returns the expected form of a field's key data; undefined if it is valid. */
export function checkKeyData(field: Field, keyData: Uint8Array, place: string): string | undefined {
  if (field.keyData === undefined)
    return keyData.length === 0 ? undefined : 'nothing after the type';
  return field.keyData(keyData, { cursor: cursorOver(keyData), place, keyData });
}

/** Returns the expected form of a field's value; undefined if it is valid. */
export function checkValue(
  field: Field,
  { keyData, value }: { readonly keyData: Uint8Array; readonly value: Uint8Array },
  place: string,
): string | undefined {
  return field.value?.(value, { cursor: cursorOver(value), place, keyData });
}

function exactly(length: number, what: string): Check {
  return (bytes) => (bytes.length === length ? undefined : `${what} of ${length} bytes`);
}

function ofVersion2(types: readonly number[]): [number, Field][] {
  return types.map((type) => {
    const name = `field_${type.toString(16).padStart(2, '0')}`;
    return [type, { name, isOfVersion2: true }];
  });
}
