// Key files contain the API key that stamps requests, unsealed or sealed by a passphrase. docs/cli.md
// describes the format.

import { readPrivateText } from '../files/files.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { Failure, usage } from '../words/failures.ts';
import { objectOf } from '../words/json_object.ts';
import type { AskPassphrase } from './passphrases.ts';
import { isSealed, type KeyFile, type StoredKey } from './stored_key.ts';

/** Reads a private key file. Throws `usage` if it contains no key. */
export async function readStoredKey(path: string): Promise<StoredKey> {
  return storedKeyOf(await readPrivateText(path), path);
}

/** Reads a key file at a default path. Also throws if another user owns the file. */
export async function readFoundKey(path: string): Promise<StoredKey> {
  return storedKeyOf(await readPrivateText(path, { isNamed: false }), path);
}

/** Runs a program that prints a key file. Throws `usage` if its output is no key file. */
export async function keyOfProgram(
  [program = '', ...words]: readonly string[],
  { signal }: Pick<Terminal, 'signal'>,
): Promise<StoredKey> {
  const { execFile } = await import('node:child_process');
  const { promisify } = await import('node:util');
  try {
    const { stdout } = await promisify(execFile)(program, words, {
      signal,
      timeout: 60_000,
      // The program may ignore SIGTERM.
      killSignal: 'SIGKILL',
      maxBuffer: 65_536,
      encoding: 'buffer',
    });
    const text = new TextDecoder().decode(stdout);
    stdout.fill(0);
    return storedKeyOf(text, program);
  } catch (error) {
    if (error instanceof Failure) throw error;
    // The output of the program may contain the key, so the error names only the program.
    throw usage(
      `${program} did not print a key`,
      'Run it by hand, and see keyCommand in docs/cli.md.',
    );
  }
}

/**
 * Returns the key, after a prompt for the passphrase if it is sealed. Throws `usage` for a wrong passphrase.
 */
export async function openedKey(
  stored: StoredKey,
  source: string,
  ask: AskPassphrase,
): Promise<KeyFile> {
  if (!isSealed(stored)) return stored;
  const { sealedPrivateKey, ...members } = stored;
  const { sealedKeyOf } = await import('./sealed_key.ts');
  const sealed = await sealedKeyOf(members.apiPublicKey, sealedPrivateKey, source);
  const privateKey = await ask(source, (passphrase) => sealed.open(passphrase));
  const apiPrivateKey = Buffer.from(privateKey).toString('hex');
  privateKey.fill(0);
  return { ...members, apiPrivateKey };
}

/** Returns the bytes of a key file. */
export const keyFileBytes = (stored: StoredKey): Uint8Array =>
  new TextEncoder().encode(`${JSON.stringify(stored, undefined, 2)}\n`);

function storedKeyOf(text: string, source: string): StoredKey {
  const { apiPublicKey, apiPrivateKey, sealedPrivateKey, ...others } = objectOf(text, source);
  const { baseUrl, organizationId, userId } = others;
  const isHex = (value: unknown, bytes: number): value is string =>
    typeof value === 'string' && value.length === 2 * bytes && /^[0-9a-f]+$/i.test(value);
  const secret = isHex(apiPrivateKey, 32)
    ? { apiPrivateKey }
    : typeof sealedPrivateKey === 'string'
      ? { sealedPrivateKey }
      : undefined;
  if (!isHex(apiPublicKey, 33) || secret === undefined) {
    throw usage(
      `${source} has no key: expected apiPublicKey and apiPrivateKey in hex`,
      'Pass a key file that keywright login or user create wrote.',
    );
  }
  return {
    ...(typeof baseUrl === 'string' ? { baseUrl } : {}),
    ...(typeof organizationId === 'string' ? { organizationId } : {}),
    ...(typeof userId === 'string' ? { userId } : {}),
    apiPublicKey,
    ...secret,
  };
}
