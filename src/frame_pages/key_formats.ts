// Texts of private keys that wallets show and accept. No error contains a part of a key.

import { type Bytes, bytesOfBase64, bytesOfHex, hexOf, joined, sha256 } from '../client/bytes.ts';

type KeyFormat = {
  readonly encode: (key: Bytes) => Promise<string> | string;
  readonly decode: (text: string) => Promise<Bytes> | Bytes;
};

const keyBytes = 32;
const maximumCharacters = 200;

const formats: Readonly<Record<string, KeyFormat>> = {
  HEXADECIMAL: {
    encode: hexOf,
    decode: (text) => bytesOfHex(text.replace(/^0x/i, '')),
  },
  SOLANA: {
    encode: async (key) => base58Of(joined(key, await ed25519PublicKey(key))),
    decode: async (text) => {
      const pair = bytesOfBase58(text);
      const key = pair.slice(0, keyBytes);
      const publicKey = await ed25519PublicKey(key);
      return hexOf(publicKey) === hexOf(pair.subarray(keyBytes)) ? key : new Uint8Array(0);
    },
  },
  BITCOIN_MAINNET_WIF: wif(0x80),
  BITCOIN_TESTNET_WIF: wif(0xef),
  SUI_BECH32: {
    // Sui puts the number of the scheme before the key. Zero is Ed25519.
    encode: (key) => bech32Of(suiPrefix, joined(Uint8Array.of(0), key)),
    decode: (text) => {
      const bytes = bytesOfBech32(suiPrefix, text);
      return bytes[0] === 0 ? bytes.slice(1) : new Uint8Array(0);
    },
  },
};

const suiPrefix = 'suiprivkey';

/** Returns the text of a private key of 32 bytes. Throws for an unknown format or another length. */
export async function textOfKey(key: Bytes, format = 'HEXADECIMAL'): Promise<string> {
  const row = rowOf(format);
  if (key.length !== keyBytes) throw new TypeError('expected a private key of 32 bytes');
  return await row.encode(key);
}

/** Parses a private key of 32 bytes. Throws for an unknown format, and for other text. */
export async function keyOfText(text: string, format = 'HEXADECIMAL'): Promise<Bytes> {
  const row = rowOf(format);
  const key = text.length > maximumCharacters ? undefined : await decoded(row, text);
  if (key?.length !== keyBytes) throw new TypeError(`expected a private key in ${format}`);
  return key;
}

function rowOf(format: string): KeyFormat {
  const row = Object.hasOwn(formats, format) ? formats[format] : undefined;
  if (row === undefined) {
    throw new TypeError(`expected a key format: ${Object.keys(formats).join(', ')}`);
  }
  return row;
}

async function decoded({ decode }: KeyFormat, text: string): Promise<Bytes | undefined> {
  try {
    return await decode(text);
  } catch {
    // The error of a decoder may contain a part of the key.
    return undefined;
  }
}

/** Wallet import format: the version, the key, and a mark of a compressed public key, in base58check. */
function wif(version: number): KeyFormat {
  const mark = 1;
  return {
    encode: async (key) => {
      const payload = joined(Uint8Array.of(version), key, Uint8Array.of(mark));
      return base58Of(joined(payload, await checksumOf(payload)));
    },
    decode: async (text) => {
      const bytes = bytesOfBase58(text);
      const [payload, checksum] = [bytes.slice(0, -4), bytes.slice(-4)];
      const isIntact = hexOf(await checksumOf(payload)) === hexOf(checksum);
      const isMarked = payload.length === keyBytes + 2 && payload[keyBytes + 1] === mark;
      const isOwn = isIntact && isMarked && payload[0] === version;
      return isOwn ? payload.slice(1, keyBytes + 1) : new Uint8Array(0);
    },
  };
}

const checksumOf = async (payload: Bytes): Promise<Bytes> =>
  (await sha256(await sha256(payload))).slice(0, 4);

/** The bytes before a key of Ed25519 in PKCS #8 (RFC 8410, section 7). */
const ed25519Prefix = bytesOfHex('302e020100300506032b657004220420');

/** Throws in a browser without Ed25519. */
async function ed25519PublicKey(key: Bytes): Promise<Bytes> {
  const encoded = joined(ed25519Prefix, key);
  const imported = await crypto.subtle.importKey('pkcs8', encoded, 'Ed25519', true, ['sign']);
  encoded.fill(0);
  const { x = '' } = await crypto.subtle.exportKey('jwk', imported);
  return bytesOfBase64(x);
}

const base58Alphabet = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';

function base58Of(bytes: Bytes): string {
  let text = '';
  for (let rest = BigInt(`0x0${hexOf(bytes)}`); rest > 0n; rest /= 58n) {
    text = base58Alphabet.charAt(Number(rest % 58n)) + text;
  }
  const zeros = bytes.findIndex((byte) => byte !== 0);
  return '1'.repeat(zeros < 0 ? bytes.length : zeros) + text;
}

function bytesOfBase58(text: string): Bytes {
  let number = 0n;
  for (const character of text) {
    const digit = base58Alphabet.indexOf(character);
    if (digit < 0) throw new TypeError('expected base58');
    number = number * 58n + BigInt(digit);
  }
  const hex = number === 0n ? '' : number.toString(16);
  const zeros = /^1*/.exec(text)?.[0].length ?? 0;
  return joined(new Uint8Array(zeros), bytesOfHex(hex.length % 2 === 0 ? hex : `0${hex}`));
}

// Bech32 (BIP 173).

const bech32Alphabet = 'qpzry9x8gf2tvdw0s3jn54khce6mua7l';
const checksumDigits = 6;

function bech32Of(prefix: string, bytes: Bytes): string {
  const digits = regrouped(bytes, 8, 5);
  const empty = new Array<number>(checksumDigits).fill(0);
  const remainder = polymod([...expanded(prefix), ...digits, ...empty]) ^ 1;
  const checksum = empty.map((_, at) => (remainder >>> (5 * (checksumDigits - 1 - at))) & 31);
  return `${prefix}1${[...digits, ...checksum].map((digit) => bech32Alphabet.charAt(digit)).join('')}`;
}

function bytesOfBech32(prefix: string, text: string): Bytes {
  const lower = text.toLowerCase();
  const isOneCase = text === lower || text === text.toUpperCase();
  const digits = Array.from(lower.slice(prefix.length + 1), (each) => bech32Alphabet.indexOf(each));
  const isOwn = isOneCase && lower.startsWith(`${prefix}1`) && !digits.includes(-1);
  if (!isOwn || polymod([...expanded(prefix), ...digits]) !== 1) {
    throw new TypeError('expected bech32');
  }
  const bytes = Uint8Array.from(regrouped(digits.slice(0, -checksumDigits), 5, 8));
  if (bech32Of(prefix, bytes) !== lower) throw new TypeError('expected bech32');
  return bytes;
}

const expanded = (prefix: string): readonly number[] => {
  const codes = Array.from(prefix, (character) => character.charCodeAt(0));
  return [...codes.map((code) => code >>> 5), 0, ...codes.map((code) => code & 31)];
};

function polymod(values: readonly number[]): number {
  const generators = [0x3b6a57b2, 0x26508e6d, 0x1ea119fa, 0x3d4233dd, 0x2a1462b3];
  let sum = 1;
  for (const value of values) {
    const top = sum >>> 25;
    sum = ((sum & 0x1ffffff) << 5) ^ value;
    generators.forEach((generator, bit) => {
      if ((top >>> bit) & 1) sum ^= generator;
    });
  }
  return sum;
}

/**
 * Regroups digits of `from` bits into digits of `to` bits. Pads to whole digits of 5 bits, and drops the
 * padding of bytes.
 */
function regrouped(digits: Iterable<number>, from: number, to: number): readonly number[] {
  const result: number[] = [];
  let [value, bits] = [0, 0];
  for (const digit of digits) {
    value = ((value << from) | digit) & 0xfff;
    bits += from;
    while (bits >= to) {
      bits -= to;
      result.push((value >>> bits) & ((1 << to) - 1));
    }
  }
  if (to < from && bits > 0) result.push((value << (to - bits)) & ((1 << to) - 1));
  return result;
}
