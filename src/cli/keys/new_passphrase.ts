// Options for the passphrase of a new key, or a new passphrase of a key.

import type { Terminal } from '../terminal/terminal.ts';
import { usage } from '../words/failures.ts';
import { flag, option } from '../words/options.ts';
import { newPassphrase, requireSealing } from './passphrases.ts';
import type { KeyFile, StoredKey } from './stored_key.ts';

export const newPassphraseOptions = {
  passphrase: flag('Seals the new key with a passphrase, which it prompts for.'),
  'new-passphrase-file': option('FILE', 'Seals the new key with the passphrase in a file.'),
} as const;

export type SealChoice = {
  readonly passphrase: boolean;
  readonly 'new-passphrase-file': string | undefined;
};

/** Returns true if the options request a passphrase. */
export const requestsSeal = ({ passphrase, 'new-passphrase-file': file }: SealChoice): boolean =>
  passphrase || file !== undefined;

/** Throws `usage` if the options request a passphrase but the command creates no key file. */
export function checkSealsKey(choice: SealChoice, keyFile: string | undefined): void {
  if (requestsSeal(choice) && keyFile === undefined) {
    throw usage('a passphrase seals a new key file: give --key-file too');
  }
}

/**
 * Returns the key as it should be stored, sealed if the options request it. Prompts for the passphrase if
 * necessary. Throws `usage`.
 */
export async function sealIfRequested(
  key: KeyFile,
  choice: SealChoice,
  terminal: Terminal,
): Promise<StoredKey> {
  if (!requestsSeal(choice)) return key;
  requireSealing();
  const { checkNewPassphrase, sealedKeyFile } = await import('./sealed_key.ts');
  const passphrase = await newPassphrase(choice['new-passphrase-file'], terminal);
  try {
    checkNewPassphrase(passphrase);
    return await sealedKeyFile(key, passphrase);
  } finally {
    passphrase.fill(0);
  }
}
