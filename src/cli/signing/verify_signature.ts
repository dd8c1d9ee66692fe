// Verifies a signature document offline. The signature libraries differ from those of the service.

import { ed25519 } from '@noble/curves/ed25519.js';
import { p256 } from '@noble/curves/nist.js';
import { schnorr, secp256k1 } from '@noble/curves/secp256k1.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { keccak_256 } from '@noble/hashes/sha3.js';
import { base58, base64 } from '@scure/base';
import { Failure, oldNode } from '../words/failures.ts';
import { addressOf } from './addresses.ts';
import { bitcoinPreimage, keccakPreimage, messageStandardOf } from './message_standards.ts';
import { bytesOfDigits, bytesOfText, messageBytes } from './signature_document.ts';

/** Members of a document before validation. */
type Members = Readonly<Record<string, unknown>>;

/** The verified standard and signer, or the reason of the failure. */
export type Verification =
  | { readonly verified: true; readonly standard: string; readonly signer: string }
  | { readonly verified: false; readonly reason: string };

/** Verifies a document of `sign message`, `sign typed-data` or `sign payload`. */
export async function verifySignature(document: Members): Promise<Verification> {
  const { standard } = document;
  const verify = memberOf(verifiers, standard);
  if (verify === undefined) return no('it names no standard that is known here');
  try {
    return await verify(document);
  } catch (error) {
    if (error instanceof Failure) throw error;
    // The libraries throw for numbers out of range, invalid points and invalid encodings.
    return no(`the signature cannot be read: ${error instanceof Error ? error.message : error}`);
  }
}

const no = (reason: string): Verification => ({ verified: false, reason });

/** Recovers the key of a signature, and compares its address. */
function recovers(
  { standard, address, addressFormat }: Members,
  digest: Uint8Array,
  numbers: Uint8Array,
  recovery: number,
): Verification {
  const signature = secp256k1.Signature.fromBytes(numbers, 'compact');
  if (signature.hasHighS()) return no('the signature is not in its canonical form (low s)');
  const publicKey = signature.addRecoveryBit(recovery).recoverPublicKey(digest).toBytes(true);
  return isAddressOf(publicKey, addressFormat, address)
    ? { verified: true, standard: String(standard), signer: String(address) }
    : no('the signature is by another key than the address, or over another message');
}

function isAddressOf(publicKey: Uint8Array, addressFormat: unknown, address: unknown): boolean {
  const own = typeof addressFormat === 'string' ? addressOf(addressFormat, publicKey) : undefined;
  if (own === undefined || typeof address !== 'string') return false;
  // Accept an Ethereum address without checksum, but not with a wrong checksum.
  return (
    address === own ||
    (addressFormat === 'ADDRESS_FORMAT_ETHEREUM' && address === own.toLowerCase())
  );
}

/** Verifies a signature of 65 bytes in hex after `0x`: r, s, and 27 or 28. */
function verifyKeccak(document: Members, digest: Uint8Array): Verification {
  const text = String(document['signature']);
  const bytes = text.startsWith('0x') ? bytesOfDigits(text.slice(2)) : undefined;
  if (bytes?.length !== 65) return no('the signature is not 65 bytes in hex');
  const recovery = (bytes[64] ?? 0) - 27;
  if (recovery !== 0 && recovery !== 1) return no('the signature does not end with 27 or 28');
  return recovers(document, digest, bytes.subarray(0, 64), recovery);
}

const ofTitle = (title: string) => (document: Members) => {
  const message = messageOf(document);
  if (message === undefined) return no(noMessage);
  return verifyKeccak(document, keccak_256(keccakPreimage(title, message)));
};

function verifyBitcoin(document: Members): Verification {
  const message = messageOf(document);
  if (message === undefined) return no(noMessage);
  const bytes = base64.decode(String(document['signature']));
  const [header = 0] = bytes;
  const first = firstHeaderOf(document);
  if (bytes.length !== 65) return no('the signature is not 65 bytes in base64');
  if (header !== first && header !== first + 1) {
    return no('the signature is for another kind of address');
  }
  const digest = sha256(sha256(bitcoinPreimage(message)));
  return recovers(document, digest, bytes.subarray(1), header - first);
}

/** Returns the header byte of a signature with recovery 0 for this address format. */
function firstHeaderOf({ addressFormat }: Members): number {
  const write = messageStandardOf(String(addressFormat))?.write;
  const zero = '0'.repeat(64);
  return base64.decode(write?.({ r: zero, s: zero, v: '00' }) ?? '')[0] ?? 0;
}

function verifySolana(document: Members): Verification {
  const message = messageOf(document);
  if (message === undefined) return no(noMessage);
  const { address, signature } = document;
  const isSigned = ed25519.verify(
    base58.decode(String(signature)),
    message,
    base58.decode(String(address)),
    { zip215: false },
  );
  return isSigned
    ? { verified: true, standard: 'Ed25519', signer: String(address) }
    : no('the signature is by another key than the address, or over another message');
}

async function verifyTypedData(document: Members): Promise<Verification> {
  const { message, messageEncoding, addressFormat } = document;
  if (typeof message !== 'string' || messageEncoding !== 'utf8') return no(noMessage);
  if (addressFormat !== 'ADDRESS_FORMAT_ETHEREUM') return no('typed data are signed by Ethereum');
  requireNewEngine();
  const { typedDataDigest } = await import('./typed_data_digest.ts');
  return verifyKeccak(document, typedDataDigest(message));
}

/**
 * Throws `usage` under old versions of Node, which cannot run the service's parser of typed data. The result
 * would otherwise be wrong.
 */
function requireNewEngine(): void {
  if ('fromHex' in Uint8Array) return;
  throw oldNode(26, 'keywright verify message of typed data', 'verify message');
}

const hashes: Readonly<Record<string, (bytes: Uint8Array) => Uint8Array>> = {
  HASH_FUNCTION_SHA256: sha256,
  HASH_FUNCTION_KECCAK256: keccak_256,
  HASH_FUNCTION_NO_OP: (bytes) => bytes,
  HASH_FUNCTION_NOT_APPLICABLE: (bytes) => bytes,
};

function verifyPayload(document: Members): Verification {
  const { algorithm, hashFunction, v } = document;
  const publicKey = bytesOfDigits(document['publicKey']);
  const numbers = bytesOfDigits(`${document['r']}${document['s']}`);
  const hash = memberOf(hashes, hashFunction);
  const payload = memberOf(payloadReaders, document['encoding'])?.(String(document['payload']));
  const verify = memberOf(algorithms, algorithm);
  const isWhole = payload !== undefined && hash !== undefined && publicKey !== undefined;
  if (!isWhole || verify === undefined || numbers?.length !== 64) {
    return no('a member of the document is missing or cannot be read');
  }
  return verify(numbers, hash(payload), publicKey, v)
    ? { verified: true, standard: 'payload', signer: String(document['publicKey']) }
    : no('the signature is by another key, or over another payload');
}

const memberOf = <Value>(table: Readonly<Record<string, Value>>, name: unknown) =>
  typeof name === 'string' && Object.hasOwn(table, name) ? table[name] : undefined;

const payloadReaders: Readonly<Record<string, (text: string) => Uint8Array | undefined>> = {
  PAYLOAD_ENCODING_TEXT_UTF8: bytesOfText,
  PAYLOAD_ENCODING_HEXADECIMAL: (text) => bytesOfDigits(text.replace(/^0x/, '')),
};

type Verify = (numbers: Uint8Array, signed: Uint8Array, key: Uint8Array, v: unknown) => boolean;

const digestBytes = 32;

/** Verifies ECDSA including the recovery bit, because another bit recovers another key. */
const ecdsa =
  ({ Signature, verify }: typeof secp256k1): Verify =>
  (numbers, digest, publicKey, v) => {
    if (v !== '00' && v !== '01') return false;
    // ECDSA ignores further bytes of a longer digest, and leading zeros.
    if (digest.length !== digestBytes) return false;
    const signature = Signature.fromBytes(numbers, 'compact').addRecoveryBit(Number(v));
    const recovered = signature.recoverPublicKey(digest).toBytes(true);
    const isKey = Buffer.from(recovered).equals(publicKey);
    return isKey && verify(numbers, digest, publicKey, { prehash: false, lowS: false });
  };

const algorithms: Readonly<Record<string, Verify>> = {
  'ECDSA-secp256k1': ecdsa(secp256k1),
  'ECDSA-P256': ecdsa(p256),
  'BIP-340': (numbers, digest, publicKey, v) =>
    v === '00' && schnorr.verify(numbers, digest, publicKey),
  Ed25519: (numbers, message, publicKey, v) =>
    v === '00' && ed25519.verify(numbers, message, publicKey, { zip215: false }),
};

const noMessage = 'the document has no message';

/** Returns the message, if the standard in the document is that of the address format. */
function messageOf(document: Members): Uint8Array | undefined {
  const { addressFormat, standard } = document;
  const isOwn = messageStandardOf(String(addressFormat))?.name === standard;
  return isOwn ? messageBytes(document) : undefined;
}

const verifiers: Readonly<
  Record<string, (document: Members) => Verification | Promise<Verification>>
> = {
  'EIP-191': ofTitle('Ethereum'),
  'TIP-191': ofTitle('TRON'),
  'BIP-137': verifyBitcoin,
  Ed25519: verifySolana,
  'EIP-712': verifyTypedData,
  payload: verifyPayload,
};
