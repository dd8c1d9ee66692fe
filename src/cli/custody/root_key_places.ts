// Paths and passphrases of the root key commands.

import { join, resolve } from 'node:path';
import { givenPassphrase } from '../keys/passphrases.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { usage } from '../words/failures.ts';
import { option } from '../words/options.ts';
import type { Identities } from './share_files.ts';

/** The option for the sealed root key. */
export const sealedKeyOption = option('FILE', 'The sealed key. Default: data/root.key.sealed.');

/** The option for the file with the passphrase. */
export const passphraseOption = option(
  'FILE',
  'File of the passphrase. Default: a prompt, or the standard input.',
);

type Options = {
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly 'passphrase-file': string | undefined;
};

/**
 * Returns each path in two forms: for a file of 32 raw bytes and for a sealed file. The forms differ only in
 * their default.
 */
export async function placesOf(options: Options, terminal: Terminal) {
  const { readPassphraseFile, passphraseOf } = await import(
    '../../gateway/root_key/read_passphrase.ts'
  );
  const { environment, workingDirectory } = terminal;
  const folder = resolve(workingDirectory, environment['KEYWRIGHT_DATA_DIR'] ?? 'data');
  const placed = (given: string | undefined) => ({
    plain: given === undefined ? join(folder, 'root.key') : resolve(workingDirectory, given),
    sealed:
      given === undefined ? join(folder, 'root.key.sealed') : resolve(workingDirectory, given),
  });
  return {
    from: placed(options.from),
    to: placed(options.to),
    /** Calls `use` with the passphrase, and wipes it afterwards. */
    usePassphrase: async (
      kind: { readonly isNew: boolean },
      use: (passphrase: Uint8Array) => Promise<void>,
    ): Promise<void> => {
      const file = options['passphrase-file'];
      const passphrase =
        file === undefined
          ? passphraseOf(await givenPassphrase(terminal, kind), 'what was given')
          : readPassphraseFile(resolve(workingDirectory, file));
      try {
        await use(passphrase);
      } finally {
        passphrase.fill(0);
      }
    },
  };
}

/** Returns the paths of the share commands. */
export function sharePlaces(
  options: {
    readonly from?: string | undefined;
    readonly to?: string | undefined;
    readonly sharing?: string | undefined;
  },
  { environment, workingDirectory }: Terminal,
) {
  const folder = resolve(workingDirectory, environment['KEYWRIGHT_DATA_DIR'] ?? 'data');
  const placed = (given: string | undefined, usual: string) =>
    given === undefined ? usual : resolve(workingDirectory, given);
  return {
    from: placed(options.from, join(folder, 'root.key')),
    fromShares: placed(options.from, resolve(workingDirectory, 'root-key-shares')),
    to: placed(options.to, resolve(workingDirectory, 'root-key-shares')),
    sharing: placed(options.sharing, join(folder, 'root.key.shares')),
  };
}

/** Parses a number of shares from 1 to 99. */
export function shareCountOf(text: string | undefined, option: string): number {
  if (text !== undefined && /^[1-9][0-9]?$/.test(text)) return Number(text);
  throw usage(`${option} needs a whole number`);
}

/** The option for the passkeys of operators, instead of a file with identities. */
export const passkeysOption = option(
  'K',
  'Uses the passkeys of K operators in a browser, instead of --identities.',
);

/** Returns the age identities that the options name; undefined if they name none. */
export async function identitiesOf(
  options: { readonly identities?: string | undefined; readonly passkeys?: string | undefined },
  terminal: Terminal,
): Promise<Identities | undefined> {
  const { identities, passkeys } = options;
  if (identities !== undefined && passkeys !== undefined) {
    throw usage('give one of --identities and --passkeys');
  }
  if (identities !== undefined) return resolve(terminal.workingDirectory, identities);
  if (passkeys === undefined) return undefined;
  const { passkeyIdentities } = await import('./operator_passkeys.ts');
  return await passkeyIdentities(shareCountOf(passkeys, '--passkeys'), terminal);
}
