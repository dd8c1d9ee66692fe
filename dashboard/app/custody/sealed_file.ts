// Writes an export into a file that a passphrase opens. The command line writes and reads the same format
// (src/cli/transfers/sealed_file.ts).

import { scryptAsync } from '@noble/hashes/scrypt.js';
import { type Bytes, hexOf, utf8 } from '../../../src/client/bytes.ts';

/** Each guess of the passphrase costs 128 MiB of memory and about a second. */
const cost = { n: 131_072, r: 8, p: 1 } as const;

/** Returns the content of the file. Overwrites `content`. */
export async function sealedFile(
  { holds, name }: { readonly holds: string; readonly name: string },
  content: Bytes,
  passphrase: string,
): Promise<string> {
  const salt = crypto.getRandomValues(new Uint8Array(16));
  const iv = crypto.getRandomValues(new Uint8Array(12));
  const { n: N, r, p } = cost;
  const secret = utf8(passphrase.normalize('NFKC'));
  const derived = Uint8Array.from(await scryptAsync(secret, salt, { N, r, p, dkLen: 32 }));
  const key = await crypto.subtle.importKey('raw', derived, 'AES-GCM', false, ['encrypt']);
  derived.fill(0);
  secret.fill(0);
  const additionalData = utf8(`keywright sealed export, version 1: ${holds}`);
  const cipher = { name: 'AES-GCM', iv, additionalData };
  const ciphertext = new Uint8Array(await crypto.subtle.encrypt(cipher, key, content));
  content.fill(0);
  const members = {
    kind: 'sealed',
    version: 1,
    holds,
    name,
    scrypt: { ...cost, salt: hexOf(salt) },
    nonce: hexOf(iv),
    ciphertext: hexOf(ciphertext),
  };
  return `${JSON.stringify(members, undefined, 2)}\n`;
}
