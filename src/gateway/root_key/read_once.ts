// Reads the root key for a command, with or without a running service.

import { copyOfSecret, wipe } from '../../core/base/bytes.ts';
import { rootKeyLengthBytes } from '../../store/data_directory/data_directory.ts';
import { UnusableDataError } from '../../store/unusable_data_error.ts';
import { openKernelRandom } from '../../system/kernel_random.ts';
import type { OperatorPorts } from './open_custody.ts';
import { openRootKeySource } from './providers.ts';
import type { SourceSettings } from './source.ts';

/**
 * Resolves with the current root key, 32 bytes that the caller wipes. Prompts if the settings require it and
 * a terminal is present. Raises UnusableDataError if the key is not available now.
 */
export async function readRootKeyOnce(
  settings: SourceSettings,
  {
    environment = {},
    askSecret,
    silently,
    signal,
  }: OperatorPorts & { readonly signal: AbortSignal },
): Promise<Uint8Array> {
  const { rootKeyProvider, rootKeyPassphraseFile, rootKeyPassphraseDescriptor } = settings;
  const asksPeople =
    rootKeyProvider === 'passphrase' &&
    rootKeyPassphraseFile === undefined &&
    rootKeyPassphraseDescriptor === undefined;
  if (asksPeople && askSecret === undefined) {
    throw new UnusableDataError(
      'cannot ask for the passphrase of the root key without a terminal: set KEYWRIGHT_ROOT_KEY_PASSPHRASE_FILE',
    );
  }
  const source = openRootKeySource(settings, {
    random: openKernelRandom(),
    environment,
    askSecret,
    silently,
    isService: false,
  });
  const failed = new AbortController();
  const given = await source.read({
    mayCreate: false,
    // Reports the first failure, without a retry.
    failed: (reason) => failed.abort(new UnusableDataError(reason)),
    waiting: () => undefined,
    signal: AbortSignal.any([signal, failed.signal]),
  });
  const rootKey = copyOfSecret(given.rootKey.subarray(0, rootKeyLengthBytes));
  wipe(given.rootKey);
  return rootKey;
}
