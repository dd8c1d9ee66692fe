// Opens exports that the dashboard sealed by a passphrase. The file is JSON with these members:
//
//   kind        sealed
//   version     1
//   holds       wallet, key or secret: the kind of content, authenticated with it
//   name        name of the exported thing, for people
//   scrypt      {n, r, p, salt}: parameters that derive 32 bytes from the passphrase (UTF-8, NFKC; RFC 7914)
//   nonce       12 bytes
//   ciphertext  AES-256-GCM with its tag, over the content that `keywright export` writes
//
// Bytes are lower-case hex.

import { createDecipheriv, scrypt } from 'node:crypto';
import { promisify } from 'node:util';
import { usage } from '../words/failures.ts';

const deriveKey = promisify<string, Buffer, number, object, Buffer>(scrypt);

/** Maximum memory that the scrypt parameters of a file may require: 1 GiB. */
const maximumMemoryBytes = 2 ** 30;
const tagBytes = 16;

type Sealed = {
  readonly version?: unknown;
  readonly holds?: unknown;
  readonly scrypt?: { readonly [name in 'n' | 'r' | 'p' | 'salt']?: unknown };
  readonly nonce?: unknown;
  readonly ciphertext?: unknown;
};

/** Returns the members of a sealed file; undefined for other content. */
export function sealedMembers(bytes: Uint8Array): Sealed | undefined {
  const text = new TextDecoder().decode(bytes).trimStart();
  if (!text.startsWith('{')) return undefined;
  try {
    const members: unknown = JSON.parse(text);
    return typeof members === 'object' &&
      members !== null &&
      Reflect.get(members, 'kind') === 'sealed'
      ? members
      : undefined;
  } catch {
    return undefined;
  }
}

/** Returns the content, which the caller wipes. Throws `usage` for a wrong passphrase. */
export async function openSealed(
  { version, holds, scrypt: cost = {}, nonce, ciphertext }: Sealed,
  expected: string,
  passphrase: Uint8Array,
): Promise<Uint8Array<ArrayBuffer>> {
  if (holds !== expected)
    throw usage(`the sealed file holds a ${String(holds)}, not a ${expected}`);
  const { n, r, p, salt } = cost;
  const [N, blocks, lanes] = [n, r, p].map(Number);
  const [iv, sealed, seasoning] = [nonce, ciphertext, salt].map(bytesOf);
  const isKnown = version === 1 && iv?.length === 12 && seasoning !== undefined;
  if (!isKnown || sealed === undefined || sealed.length < tagBytes) throw malformed();
  if (!(N && blocks && lanes && 256 * N * blocks * lanes <= maximumMemoryBytes)) throw malformed();
  const options = { N, r: blocks, p: lanes, maxmem: 256 * N * blocks };
  const text = new TextDecoder().decode(passphrase).normalize('NFKC');
  const key = await deriveKey(text, seasoning, 32, options).catch(() => {
    throw malformed();
  });
  const decipher = createDecipheriv('aes-256-gcm', key, iv);
  key.fill(0);
  decipher.setAAD(Buffer.from(`keywright sealed export, version 1: ${expected}`));
  decipher.setAuthTag(sealed.subarray(-tagBytes));
  try {
    const opened = [decipher.update(sealed.subarray(0, -tagBytes)), decipher.final()];
    const content = Uint8Array.from(Buffer.concat(opened));
    for (const part of opened) part.fill(0);
    return content;
  } catch {
    throw usage('the passphrase does not open the file, or the file was altered');
  }
}

const malformed = () => usage('the file is not a sealed export that this version reads');

const bytesOf = (hex: unknown): Buffer | undefined =>
  typeof hex === 'string' && /^([0-9a-f]{2})+$/.test(hex) ? Buffer.from(hex, 'hex') : undefined;
