// The file of the new root key during a rotation.

import { existsSync, statSync } from 'node:fs';
import { copyOfSecret } from '../core/base/bytes.ts';
import { readOrCreateRootKey, readRootKey } from '../store/data_directory/data_directory.ts';
import { replaceKeyFile } from '../store/data_directory/replace_key_file.ts';
import { UnusableDataError } from '../store/unusable_data_error.ts';

export type NewKeyFile = {
  readonly path: string;
  /** Returns the key in the file, the caller's to wipe; undefined without a file. */
  read(): Uint8Array | undefined;
  /** Returns the key in the file, which is created durably if it is missing; the caller's to wipe. */
  create(): Uint8Array;
  /** Replaces the key file of the service, if the service reads its key from a file. */
  install(): void;
};

/** Raises UnusableDataError if this user could not give a new key file to the owner of the old one. */
export function requireOwner(path: string): void {
  if (!existsSync(path)) return;
  const { uid } = statSync(path);
  const own = process.getuid?.();
  if (own === uid || own === 0) return;
  throw new UnusableDataError(`${path} belongs to user ${uid}: run the command as that user`);
}

/** `replaces` is the key file of the service; undefined for other providers. */
export function newKeyFile(
  path: string,
  replaces: string | undefined,
  random: (length: number) => Uint8Array,
): NewKeyFile {
  return {
    path,
    read: () => readRootKey(path),
    create: () => readOrCreateRootKey(path, (length) => copyOfSecret(random(length))),
    install: () => {
      if (replaces === undefined || !existsSync(path)) return;
      replaceKeyFile(path, replaces);
    },
  };
}
