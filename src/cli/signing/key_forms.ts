// Private key formats of other wallets and tools. Each format implies a chain.

import { ed25519 } from '@noble/curves/ed25519.js';
import { secp256k1 } from '@noble/curves/secp256k1.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { base58, createBase58check } from '@scure/base';
import { usage } from '../words/failures.ts';
import { addressOf } from './addresses.ts';

/** A private key in the format of another tool. */
export type ForeignKey = {
  readonly form: string;
  readonly kind: 'solana' | 'bitcoin';
  readonly secret: Uint8Array<ArrayBuffer>;
  /** The usual address of the key on the chain. */
  readonly address: string;
};

const secretBytes = 32;
/** Solana formats contain the seed, followed by the public key. */
const pairBytes = 64;
const wifVersions = { main: 0x80, test: 0xef };
/** Last byte of a WIF payload whose public key is compressed. */
const compressedMark = 1;

/**
 * Parses a key from solana-keygen, a Solana wallet or WIF. Returns undefined for other text. Throws `usage`
 * for a key in these formats that cannot be imported. The message contains no part of the key.
 */
export function foreignKey(text: string): ForeignKey | undefined {
  // Hex digits can be valid base58: 64 times the digit 1 decodes to 64 bytes.
  if (/^(0x)?[0-9a-f]{64}$/i.test(text)) return undefined;
  return (
    solanaKey('a file of solana-keygen', numbersIn(text)) ??
    solanaKey('128 hex digits of Solana', hexDigitsIn(text)) ??
    solanaKey('base58 of Solana', decoded(base58.decode, text)) ??
    bitcoinKey(decoded(createBase58check(sha256).decode, text))
  );
}

function solanaKey(form: string, pair: Uint8Array | undefined): ForeignKey | undefined {
  if (pair?.length !== pairBytes) return undefined;
  const secret = Uint8Array.from(pair.subarray(0, secretBytes));
  const publicKey = pair.subarray(secretBytes);
  if (!Buffer.from(ed25519.getPublicKey(secret)).equals(publicKey)) {
    throw usage('the key is not valid: its second half is not the public key of the first half');
  }
  return { form, kind: 'solana', secret, address: addressIn('ADDRESS_FORMAT_SOLANA', publicKey) };
}

function bitcoinKey(payload: Uint8Array | undefined): ForeignKey | undefined {
  const [version, mark] = [payload?.[0], payload?.[secretBytes + 1]];
  if (payload === undefined || ![33, 34].includes(payload.length)) return undefined;
  if (version === wifVersions.test) {
    throw usage('the key is WIF of a test network', 'Write its 64 hex digits and name the kind.');
  }
  if (version !== wifVersions.main) return undefined;
  if (mark !== compressedMark) {
    throw usage('the key is WIF of an uncompressed public key, whose addresses are not supported');
  }
  const secret = Uint8Array.from(payload.subarray(1, secretBytes + 1));
  if (!secp256k1.utils.isValidSecretKey(secret)) throw usage('the key is not on the curve');
  const publicKey = secp256k1.getPublicKey(secret);
  const address = addressIn('ADDRESS_FORMAT_BITCOIN_MAINNET_P2WPKH', publicKey);
  return { form: 'WIF', kind: 'bitcoin', secret, address };
}

const addressIn = (format: string, publicKey: Uint8Array): string =>
  addressOf(format, publicKey) ?? '';

function numbersIn(text: string): Uint8Array | undefined {
  if (!/^\[\s*\d{1,3}(\s*,\s*\d{1,3}){63}\s*\]$/.test(text)) return undefined;
  const numbers: readonly number[] = JSON.parse(text.replace(/\b0+(?=\d)/g, ''));
  return numbers.every((each) => each < 256) ? Uint8Array.from(numbers) : undefined;
}

function hexDigitsIn(text: string): Uint8Array | undefined {
  return /^(0x)?[0-9a-f]{128}$/i.test(text)
    ? Buffer.from(text.replace(/^0x/i, ''), 'hex')
    : undefined;
}

/** A base58 text of 64 bytes has at most 88 characters. */
function decoded(decode: (text: string) => Uint8Array, text: string): Uint8Array | undefined {
  if (text.length > 88) return undefined;
  try {
    return decode(text);
  } catch {
    // The error of the decoder contains a part of the key.
    return undefined;
  }
}
