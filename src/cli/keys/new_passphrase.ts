// The passphrase of a key that is made here, or that gets another one.

import type { Terminal } from '../terminal/terminal.ts';
import { usage } from '../words/failures.ts';
import { newPassphrase, requireSealing } from './passphrases.ts';
import type { KeyFile, StoredKey } from './stored_key.ts';

/** Options of commands that make a key. */
export const newPassphraseOptions = {
  passphrase: { kind: 'switch', summary: 'Seals the new key by a passphrase, which is asked.' },
  'new-passphrase-file': {
    kind: 'text',
    value: 'FILE',
    summary: 'The same, by the passphrase in a file.',
  },
} as const;

export type SealChoice = {
  readonly passphrase: boolean;
  readonly 'new-passphrase-file': string | undefined;
};

/** Returns true if a new key shall have a passphrase. */
export const isSealAsked = ({ passphrase, 'new-passphrase-file': file }: SealChoice): boolean =>
  passphrase || file !== undefined;

/** Raises `usage` for a passphrase where no key is made. */
export function checkSealsKey(asked: SealChoice, keyFile: string | undefined): void {
  if (isSealAsked(asked) && keyFile === undefined) {
    throw usage('a passphrase seals the key of --key-file, which is missing');
  }
}

/** The key as its file shall hold it; asks for the passphrase where the options say so. Raises `usage`. */
export async function asAsked(
  key: KeyFile,
  asked: SealChoice,
  terminal: Terminal,
): Promise<StoredKey> {
  if (!isSealAsked(asked)) return key;
  requireSealing();
  const { checkNewPassphrase, sealedKeyFile } = await import('./sealed_key.ts');
  const passphrase = await newPassphrase(asked['new-passphrase-file'], terminal);
  try {
    checkNewPassphrase(passphrase);
    return await sealedKeyFile(key, passphrase);
  } finally {
    passphrase.fill(0);
  }
}
