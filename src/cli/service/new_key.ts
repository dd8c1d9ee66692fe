// Creates P-256 keys on this machine.

import { rm } from 'node:fs/promises';
import { writePrivateFile } from '../files/files.ts';
import { keyFileBytes } from '../keys/key_file.ts';
import { type SealChoice, sealIfRequested } from '../keys/new_passphrase.ts';
import type { KeyFile } from '../keys/stored_key.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { durationMs } from '../words/durations.ts';
import { isSurelyNotDone } from './client_failures.ts';
import type { Service } from './service.ts';

/** Returns a new key in the form of key files: compressed point and private key, in hex. */
export async function newKey(): Promise<Pick<KeyFile, 'apiPublicKey' | 'apiPrivateKey'>> {
  const algorithm = { name: 'ECDSA', namedCurve: 'P-256' };
  // Extractable, because it is written to a key file.
  const { privateKey } = await crypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
  const { x = '', y = '', d = '' } = await crypto.subtle.exportKey('jwk', privateKey);
  const isOdd = (Buffer.from(y, 'base64url').at(-1) ?? 0) & 1;
  return {
    apiPublicKey: `${isOdd === 1 ? '03' : '02'}${hexOf(x)}`,
    apiPrivateKey: hexOf(d),
  };
}

/**
 * Creates a key, stores it in a file, and calls `use` with its public key. Removes the file only if the
 * service reported that it did nothing: after a waiting activity or a lost answer, the key may become valid.
 */
export async function withKeyFile<Result>(
  file: string,
  {
    login: { url: baseUrl, organizationId },
    common,
    seal,
    terminal,
  }: Pick<Service, 'login' | 'common'> & {
    readonly seal: SealChoice;
    readonly terminal: Terminal;
  },
  use: (publicKey: string) => Promise<Result>,
): Promise<Result> {
  const key = await newKey();
  // A dry run and `--curl` need no key file.
  const isReal = !common['dry-run'] && !common.curl;
  if (isReal) {
    const stored = await sealIfRequested({ baseUrl, organizationId, ...key }, seal, terminal);
    await writePrivateFile(file, keyFileBytes(stored));
  }
  try {
    return await use(key.apiPublicKey);
  } catch (error) {
    if (isReal && isSurelyNotDone(error)) await rm(file, { force: true });
    throw error;
  }
}

const longestLifetimeMs = 3660 * 86_400_000;

/** Converts a lifetime to seconds; undefined for none. Throws `usage`, so call it before a key is created. */
export const lifetimeSeconds = (typed: string | undefined): string | undefined =>
  typed === undefined ? undefined : String(durationMs(typed, longestLifetimeMs) / 1000);

/** Returns the parameters of a P-256 API key. Without seconds it does not expire. */
export const apiKeyOf = (publicKey: string, apiKeyName: string, seconds: string | undefined) => ({
  apiKeyName: apiKeyName.slice(0, 255),
  publicKey,
  curveType: 'API_KEY_CURVE_P256' as const,
  ...(seconds === undefined ? {} : { expirationSeconds: seconds }),
});

/** Returns sixteen random bytes in hex, as an unpredictable name. */
export const randomName = (): string =>
  Buffer.from(crypto.getRandomValues(new Uint8Array(16))).toString('hex');

const hexOf = (base64url: string): string => Buffer.from(base64url, 'base64url').toString('hex');
