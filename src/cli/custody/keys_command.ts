// Prints the public keys of the service, which clients pin. It derives them from the root key, and opens the
// keys of a rotated root key with it, so they need no trust in a gateway.

import { openOwnRootKeys } from '../../archive/offline_data.ts';
import { publishedServiceKeys } from '../../core/crypto/service_keys.ts';
import { createServiceKeys } from '../../enclave/keys/service_keys.ts';
import { readRootKeyOnce } from '../../gateway/root_key/read_once.ts';
import type { Settings } from '../../settings/settings.ts';

/**
 * Writes the document of `GET /public/v1/discovery/keys`, indented. Throws `UnusableDataError` if the root
 * key is missing or other users can read it.
 */
export async function runKeysCommand(
  settings: Settings,
  operator: Parameters<typeof readRootKeyOnce>[1],
  write: (text: string) => void,
): Promise<void> {
  const rootKey = await readRootKeyOnce(settings, operator);
  const rootKeys = await openOwnRootKeys(settings, rootKey);
  // The derivation of public keys uses no randomness, so zeros are enough.
  const serviceKeys = createServiceKeys(rootKeys, (length) => new Uint8Array(length));
  try {
    const document = { keys: publishedServiceKeys(serviceKeys) };
    write(`${JSON.stringify(document, undefined, 2)}\n`);
  } finally {
    serviceKeys.close();
    rootKeys.close();
  }
}
