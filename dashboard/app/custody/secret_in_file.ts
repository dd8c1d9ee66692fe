// Reads secrets from files: bare secrets, exports of the command line, and sealed exports
// (src/cli/transfers/sealed_file.ts defines the format). Errors contain nothing from the file.

import { scryptAsync } from '@noble/hashes/scrypt.js';
import { type Bytes, bytesOfHex, utf8 } from '../../../src/client/bytes.ts';
import { t } from '../../messages/text.ts';

export type Holds = 'wallet' | 'key' | 'secret';

export type SecretInFile = {
  readonly secret: Bytes;
  /** Other members of an export, such as the accounts of a wallet. */
  readonly members: Readonly<Record<string, unknown>>;
};

/** Maximum memory that the scrypt parameters of a file may require: 1 GiB. */
const maximumMemoryBytes = 2 ** 30;
const digitsOf32Bytes = /^(0x)?[0-9a-f]{64}$/i;
const secretMembers = { wallet: 'mnemonic', key: 'privateKey' } as const;

/** Returns true if the file is sealed with a passphrase. */
export const isSealed = (bytes: Uint8Array): boolean => membersOf(bytes)?.['kind'] === 'sealed';

/** Returns the secret in a file, and overwrites `bytes`. Throws an error with a sentence for the user. */
export async function secretInFile(
  bytes: Bytes,
  holds: Holds,
  passphrase: string,
): Promise<SecretInFile> {
  const opened = isSealed(bytes)
    ? await unsealed(membersOf(bytes) ?? {}, holds, passphrase)
    : bytes;
  try {
    return read(opened, holds);
  } finally {
    opened.fill(0);
    bytes.fill(0);
  }
}

function read(bytes: Bytes, holds: Holds): SecretInFile {
  if (holds === 'secret') return { secret: bytes.slice(), members: {} };
  const members = membersOf(bytes);
  if (members !== undefined && members['kind'] !== holds) throw wrong();
  const text = members?.[secretMembers[holds]] ?? new TextDecoder().decode(bytes);
  if (typeof text !== 'string') throw wrong();
  return { secret: holds === 'key' ? keyIn(text.trim()) : phraseIn(text), members: members ?? {} };
}

function keyIn(digits: string): Bytes {
  if (!digitsOf32Bytes.test(digits)) throw wrong();
  return bytesOfHex(digits.replace(/^0x/i, '').toLowerCase());
}

const phraseIn = (text: string): Bytes => utf8(text.trim().replaceAll(/\s+/g, ' '));

async function unsealed(
  { version, holds, scrypt = {}, nonce, ciphertext }: Readonly<Record<string, unknown>>,
  expected: Holds,
  passphrase: string,
): Promise<Bytes> {
  const { n, r, p, salt } = scrypt as Readonly<Record<string, unknown>>;
  const cost = [n, r, p].map(Number);
  const [N = 0, blocks = 0, lanes = 0] = cost;
  const isBounded =
    cost.every((each) => each > 0) && 256 * N * blocks * lanes <= maximumMemoryBytes;
  const texts = [nonce, ciphertext, salt].map(String);
  const areHex = texts.every((text) => /^([0-9a-f]{2})+$/.test(text));
  if (version !== 1 || holds !== expected || !isBounded || !areHex) throw wrong();
  const [iv, sealed, seasoning] = texts.map(bytesOfHex) as [Bytes, Bytes, Bytes];
  const secret = utf8(passphrase.normalize('NFKC'));
  const options = { N, r: blocks, p: lanes, dkLen: 32 };
  const derived = Uint8Array.from(await scryptAsync(secret, seasoning, options));
  const key = await crypto.subtle.importKey('raw', derived, 'AES-GCM', false, ['decrypt']);
  derived.fill(0);
  secret.fill(0);
  const additionalData = utf8(`keywright sealed export, version 1: ${expected}`);
  try {
    return new Uint8Array(
      await crypto.subtle.decrypt({ name: 'AES-GCM', iv, additionalData }, key, sealed),
    );
  } catch {
    throw new Error(t('custody.fileShut'));
  }
}

/** Parses a JSON object. Returns undefined for other content, such as a bare phrase. */
function membersOf(bytes: Uint8Array): Readonly<Record<string, unknown>> | undefined {
  const text = new TextDecoder().decode(bytes).trimStart();
  if (!text.startsWith('{')) return undefined;
  try {
    const members: unknown = JSON.parse(text);
    return typeof members === 'object' && members !== null ? { ...members } : undefined;
  } catch {
    return undefined;
  }
}

const wrong = () => new Error(t('custody.fileWrong'));
