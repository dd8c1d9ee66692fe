// `keywright root-key rotate --online`: writes the next root key, which the running service finds, and shows
// the service's progress.

import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { wipe } from '../../core/base/bytes.ts';
import type { Settings } from '../../settings/settings.ts';
import { readOrCreateRootKey } from '../../store/data_directory/data_directory.ts';
import { UnusableDataError } from '../../store/unusable_data_error.ts';
import { openKernelRandom } from '../../system/kernel_random.ts';
import { nextPathOf } from '../root_key/next_key.ts';
import { readSealedKeyFile, wrongPassphrase } from '../root_key/passphrase.ts';
import { createSealedKey } from '../root_key/sealed_files.ts';
import { type RotationStatus, readRotationStatus, rotationStatusPath } from './status_file.ts';

type Places = Pick<Settings, 'rootKeyProvider' | 'rootKeyFile' | 'dataDirectory'>;

const everyMs = 200;

/** Returns the file of the current key. Raises UnusableDataError for providers without such a file. */
function currentPathOf({ rootKeyProvider, rootKeyFile, dataDirectory }: Places): string {
  const name = { file: 'root.key', passphrase: 'root.key.sealed' }[rootKeyProvider as string];
  if (name === undefined) throw new UnusableDataError(sentences[rootKeyProvider] ?? '');
  const path = rootKeyFile ?? join(dataDirectory, name);
  if (!existsSync(path)) throw new UnusableDataError(`there is no root key at ${path}`);
  const { uid } = statSync(path);
  if (uid === process.getuid?.()) return path;
  throw new UnusableDataError(`${path} belongs to user ${uid}: run the command as that user`);
}

const sentences: Readonly<Record<string, string>> = {
  command:
    'the provider command has no file of a key: set KEYWRIGHT_ROOT_KEY_NEXT_COMMAND at each node, and start each again',
  descriptor: 'a descriptor gives one key: stop the service, and leave --online out',
  shares: 'the provider shares gives one key: stop the service, and leave --online out',
};

/**
 * Writes the next key durably next to the current one, unless the file exists. Returns its path. `passphrase`
 * is for a sealed key, and must open the current one.
 */
export async function writeNextKey(
  places: Places,
  passphrase: Uint8Array | undefined,
): Promise<string> {
  const current = currentPathOf(places);
  const next = nextPathOf(current);
  if (existsSync(next)) return next;
  if (places.rootKeyProvider === 'file') {
    wipe(readOrCreateRootKey(next, openKernelRandom()));
    return next;
  }
  if (passphrase === undefined) throw new UnusableDataError('the passphrase is missing');
  const opened = await readSealedKeyFile(current).open(passphrase);
  if (opened === undefined) throw new UnusableDataError(`${wrongPassphrase} ${current}`);
  wipe(opened);
  await createSealedKey(next, passphrase);
  return next;
}

/** Shows the progress until the service has replaced the earlier key. */
export async function followRotation(
  next: string,
  { dataDirectory }: Pick<Settings, 'dataDirectory'>,
  {
    show,
    signal,
  }: { readonly show: (status: RotationStatus) => void; readonly signal: AbortSignal },
): Promise<RotationStatus | undefined> {
  const path = rotationStatusPath(dataDirectory);
  for (;;) {
    const status = readRotationStatus(path);
    if (!existsSync(next)) return status;
    if (status !== undefined) show(status);
    await pause(everyMs, undefined, { signal });
  }
}
