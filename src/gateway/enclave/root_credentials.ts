// The first API key of the first organization. The gateway creates it and sends only its public key to the
// enclave, so it must be durable before the organization exists: it is first written to a pending file, which
// becomes the final file once the enclave has answered.

import { existsSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { bytesOfHex, utf8, wipe } from '../../core/base/bytes.ts';
import { isJsonObject, parsedJson } from '../../core/schema/json.ts';
import type { AnswerOf, EnclaveMessages, RequestOf } from '../../ipc/messages.ts';
import { writeFilePrivately } from '../../store/data_directory/data_directory.ts';
import { UnusableDataError } from '../../store/unusable_data_error.ts';
import { openKernelRandom } from '../../system/kernel_random.ts';
import { newP256KeyPair, type P256KeyPair } from '../base/p256_key_pair.ts';
import { isLoopbackHost } from '../messages/loopback.ts';

type BootstrapRequest = RequestOf<EnclaveMessages['bootstrap']>;
/** The organization of the database, and its root user's key. */
export type Bootstrapped = AnswerOf<EnclaveMessages['bootstrap']>;

/** The content of `root-credentials.json`: the root user's P-256 API key and the service's address. */
export type RootCredentials = {
  readonly baseUrl: string;
  readonly authProxyUrl: string;
  readonly authProxyConfigId: string;
  readonly organizationId: string;
  readonly userId: string;
  readonly apiKeyId: string;
  /** Compressed point, hex. */
  readonly apiPublicKey: string;
  /** 32 bytes, hex. */
  readonly apiPrivateKey: string;
};

/** Returns the paths of the two files in a data directory. */
export function rootCredentialsFiles(directory: string): { pending: string; final: string } {
  return {
    pending: join(directory, 'root-credentials.pending.json'),
    final: join(directory, 'root-credentials.json'),
  };
}

/**
 * Creates the first organization if it is missing, with a key that is already on disk. `saveRootCredentials`
 * afterwards writes the file for users.
 */
export async function bootstrapRoot(
  directory: string,
  bootstrap: (request: BootstrapRequest) => Promise<Bootstrapped>,
): Promise<Bootstrapped> {
  const { pending } = rootCredentialsFiles(directory);
  const { apiPublicKey } = readKeyPair(pending) ?? makeKeyPair(pending);
  return bootstrap({
    organizationName: 'First organization',
    userName: 'Root user',
    apiKeyName: 'Root API key',
    apiPublicKey,
    enablesAuthProxy: true,
  });
}

/**
 * Writes the pending credentials to the final file if the organization was created with them, and deletes the
 * pending file. Renames a final file of another database first. The final file of an older organization
 * stays, or stays removed. Updates the address of the service in an existing final file. Returns the path of
 * a newly written file.
 */
export function saveRootCredentials(
  directory: string,
  bootstrapped: Bootstrapped,
  { baseUrl, authProxyUrl }: Pick<RootCredentials, 'baseUrl' | 'authProxyUrl'>,
): string | undefined {
  const { pending, final } = rootCredentialsFiles(directory);
  const keyPair = readKeyPair(pending);
  const isOwn = keyPair?.apiPublicKey === bootstrapped.apiPublicKey;
  const isSaved =
    isOwn && existsSync(final) && readKeyPair(final)?.apiPublicKey === keyPair.apiPublicKey;
  if (isOwn && !isSaved) {
    // The credentials belong to another database and may still be needed.
    if (existsSync(final)) renameSync(final, `${final}.${Date.now()}.old`);
    const credentials: RootCredentials = {
      baseUrl,
      authProxyUrl,
      authProxyConfigId: bootstrapped.authProxyConfigId,
      organizationId: bootstrapped.organizationId,
      userId: bootstrapped.userId,
      apiKeyId: bootstrapped.apiKeyId,
      apiPublicKey: keyPair.apiPublicKey,
      apiPrivateKey: keyPair.apiPrivateKey,
    };
    writeJsonPrivately(final, credentials);
  }
  rmSync(pending, { force: true });
  if (existsSync(final)) followAddress(final, bootstrapped, { baseUrl, authProxyUrl });
  return isOwn && !isSaved ? final : undefined;
}

/**
 * Updates the address in the credentials of this database if it names another port of this machine. Keeps an
 * address of another machine, which a person must have set.
 */
function followAddress(
  path: string,
  { apiPublicKey }: Bootstrapped,
  addresses: Pick<RootCredentials, 'baseUrl' | 'authProxyUrl'>,
): void {
  const json = parsedJson(readFileSync(path, 'utf8'));
  const written: Partial<RootCredentials> = isJsonObject(json) ? json : {};
  const { baseUrl = '' } = written;
  if (written.apiPublicKey !== apiPublicKey) return;
  if (baseUrl === addresses.baseUrl || !URL.canParse(baseUrl)) return;
  if (!isLoopbackHost(new URL(baseUrl).hostname)) return;
  // After an interruption, one of the two files is complete.
  rmSync(`${path}.new`, { force: true });
  writeJsonPrivately(`${path}.new`, { ...written, ...addresses });
  renameSync(`${path}.new`, path);
}

function makeKeyPair(path: string): P256KeyPair {
  const keyPair = newP256KeyPair(openKernelRandom());
  writeJsonPrivately(path, keyPair);
  return keyPair;
}

function readKeyPair(path: string): P256KeyPair | undefined {
  if (!existsSync(path)) return undefined;
  try {
    const { apiPublicKey, apiPrivateKey } = JSON.parse(readFileSync(path, 'utf8'));
    if (isHex(apiPublicKey, 33) && isHex(apiPrivateKey, 32)) return { apiPublicKey, apiPrivateKey };
  } catch (error) {
    if (!(error instanceof SyntaxError || error instanceof TypeError)) throw error;
  }
  throw new UnusableDataError(`${path} has no credentials: move it away and start again`);
}

function isHex(value: unknown, lengthBytes: number): value is string {
  return typeof value === 'string' && bytesOfHex(value)?.length === lengthBytes;
}

function writeJsonPrivately(path: string, value: object): void {
  const bytes = utf8(`${JSON.stringify(value, undefined, 2)}\n`);
  writeFilePrivately(path, bytes);
  wipe(bytes);
}
