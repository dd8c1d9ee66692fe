// The root key from a file of 32 raw bytes: in the data folder, a credential of systemd, or a secret mounted
// by Kubernetes.

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { readOrCreateRootKey, readRootKey } from '../../store/data_directory/data_directory.ts';
import { UnusableDataError } from '../../store/unusable_data_error.ts';
import { nextKeyAt, nextPathOf, withNextKey } from './next_key.ts';
import {
  nothingSettled,
  type OpenSource,
  type SourcePorts,
  type SourceSettings,
} from './source.ts';

/** Name of the credential in the systemd unit. */
const credentialName = 'keywright.root-key';

/** Reads the root key from a file, which is created together with a new database. */
export const fileSource: OpenSource = (settings, ports) => {
  const path = rootKeyPath(settings, ports);
  return {
    place: path,
    mayWait: false,
    next: nextKeyAt(path, async (next) => readRootKey(next)),
    read: async ({ mayCreate }) => {
      const rootKey = mayCreate ? readOrCreateRootKey(path, ports.random) : readRootKey(path);
      if (rootKey !== undefined) {
        const both = withNextKey(rootKey, readRootKey(nextPathOf(path)));
        return { rootKey: both, settled: nothingSettled, mayDiffer: false };
      }
      throw new UnusableDataError(
        ports.isService
          ? `the database was made with a root key that is not at ${path}: put it back there, or set KEYWRIGHT_ROOT_KEY_FILE`
          : `there is no root key at ${path}: start the service once, or set KEYWRIGHT_ROOT_KEY_FILE`,
      );
    },
  };
};

/** Returns the configured file, else a systemd credential if it exists, else the file in the data folder. */
function rootKeyPath(
  { rootKeyFile, dataDirectory }: Pick<SourceSettings, 'rootKeyFile' | 'dataDirectory'>,
  { environment }: Pick<SourcePorts, 'environment'>,
): string {
  if (rootKeyFile !== undefined) return rootKeyFile;
  const credentials = environment['CREDENTIALS_DIRECTORY'];
  const credential = credentials === undefined ? undefined : join(credentials, credentialName);
  if (credential !== undefined && existsSync(credential)) return credential;
  return join(dataDirectory, 'root.key');
}
