// `keywright keys`: the public keys of the service, for clients that pin them. They are derived from
// the root key here and now: what a gateway says of them need not be believed.

import { join } from 'node:path';
import { publishedServiceKeys } from './core/crypto/service_keys.ts';
import { createRootKeys } from './enclave/keys/root_keys.ts';
import { createServiceKeys } from './enclave/keys/service_keys.ts';
import type { Settings } from './settings.ts';
import { readRootKey } from './store/data_directory.ts';
import { UnusableDataError } from './store/unusable_data_error.ts';

/**
 * Writes the document of `GET /public/v1/discovery/keys`, indented. Raises UnusableDataError where the
 * root key is not there or is open to others.
 */
export function runKeysCommand(
  { rootKeyFile, dataDirectory }: Pick<Settings, 'rootKeyFile' | 'dataDirectory'>,
  write: (text: string) => void,
): void {
  const path = rootKeyFile ?? join(dataDirectory, 'root.key');
  const rootKey = readRootKey(path);
  if (rootKey === undefined) {
    throw new UnusableDataError(
      `there is no root key at ${path}: start the service once, or set KEYWRIGHT_ROOT_KEY_FILE`,
    );
  }
  const rootKeys = createRootKeys(rootKey);
  // Public keys are made without randomness.
  const serviceKeys = createServiceKeys(rootKeys, (length) => new Uint8Array(length));
  try {
    const document = { keys: publishedServiceKeys(serviceKeys) };
    write(`${JSON.stringify(document, undefined, 2)}\n`);
  } finally {
    serviceKeys.close();
    rootKeys.close();
  }
}
