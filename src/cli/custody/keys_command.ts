// `keywright keys`: the public keys of the service, for clients that pin them. The command derives them from
// the root key, and opens those of a rotated root key with it, so they need no trust in a gateway.

import { openOwnRootKeys } from '../../archive/offline_data.ts';
import { publishedServiceKeys } from '../../core/crypto/service_keys.ts';
import { createServiceKeys } from '../../enclave/keys/service_keys.ts';
import { readRootKeyOnce } from '../../gateway/root_key/read_once.ts';
import type { Settings } from '../../settings/settings.ts';

/**
 * Writes the document of `GET /public/v1/discovery/keys`, indented. Raises UnusableDataError where the
 * root key is not to be had, or is open to others.
 */
export async function runKeysCommand(
  settings: Settings,
  operator: Parameters<typeof readRootKeyOnce>[1],
  write: (text: string) => void,
): Promise<void> {
  const rootKey = await readRootKeyOnce(settings, operator);
  const rootKeys = await openOwnRootKeys(settings, rootKey);
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
