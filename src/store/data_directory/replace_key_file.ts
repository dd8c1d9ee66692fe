// Replaces the root key file by the file of the new root key.

import { chownSync, existsSync, realpathSync, renameSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { syncDirectory } from './data_directory.ts';

/** Replaces a key file durably by a rename. The new file gets the owner of the earlier one. */
export function replaceKeyFile(next: string, replaced: string): void {
  // A rename would replace a symbolic link, and its target would keep the earlier key.
  const target = existsSync(replaced) ? realpathSync(replaced) : replaced;
  if (existsSync(target)) {
    const { uid, gid } = statSync(target);
    chownSync(next, uid, gid);
  }
  renameSync(next, target);
  syncDirectory(dirname(target));
}
