// The next root key of a provider, in a file next to that of the current key.

import { existsSync } from 'node:fs';
import { concatSecrets, wipe } from '../../core/base/bytes.ts';
import { replaceKeyFile } from '../../store/data_directory/replace_key_file.ts';
import type { NextKey } from './source.ts';

/** Returns the path of the next key. */
export const nextPathOf = (path: string): string => `${path}.next`;

/** Returns the keys that an enclave receives during a rotation. Wipes its inputs. */
export function withNextKey(rootKey: Uint8Array, next: Uint8Array | undefined): Uint8Array {
  if (next === undefined) return rootKey;
  const both = concatSecrets(rootKey, next);
  wipe(rootKey, next);
  return both;
}

/** Returns the next key of a provider with a file; `read` opens the file of the next key. */
export function nextKeyAt(
  path: string,
  read?: (path: string) => Promise<Uint8Array | undefined>,
): NextKey {
  const next = nextPathOf(path);
  return {
    exists: () => existsSync(next),
    read: read && (() => read(next)),
    install: () => {
      if (existsSync(next)) replaceKeyFile(next, path);
    },
  };
}
