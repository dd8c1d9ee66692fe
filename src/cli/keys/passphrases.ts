// Reads passphrases from a file, from a prompt without echo, or from the standard input.

import { resolve } from 'node:path';
import { withoutLineEnd } from '../../core/base/line_end.ts';
import { readPrivateFile } from '../files/files.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { Failure, requireNode, usage } from '../words/failures.ts';

const maximumBytes = 2048;
/** Maximum prompts for one passphrase. */
const tries = 3;
/** Minimum version of Node with Argon2. */
const sealingNode = 26;

/**
 * Resolves with the bytes of one input line; the caller wipes them. A new passphrase is prompted twice.
 * Throws `usage` if the two lines differ.
 */
export async function givenPassphrase(
  terminal: Pick<Terminal, 'askSecret' | 'silently' | 'readInput' | 'signal'>,
  { isNew, of = 'the root key' }: { readonly isNew: boolean; readonly of?: string },
): Promise<Uint8Array> {
  const { askSecret, readInput, signal } = terminal;
  if (askSecret === undefined) return readInput(maximumBytes);
  return silently(terminal, async () => {
    const passphrase = await askSecret(`Passphrase of ${of}: `, signal);
    if (!isNew) return passphrase;
    const again = await askSecret('The same once more: ', signal);
    const isSame = Buffer.compare(passphrase, again) === 0;
    again.fill(0);
    if (isSame) return passphrase;
    passphrase.fill(0);
    throw usage('the two passphrases differ: nothing was written');
  });
}

/** Runs work with several prompts, and hides input between them. */
function silently<R>(terminal: Pick<Terminal, 'silently'>, work: () => Promise<R>): Promise<R> {
  return terminal.silently === undefined ? work() : terminal.silently(work);
}

/**
 * Opens a key file with the passphrase from a file, or with up to three prompts. Resolves with the result of
 * `open`, which returns undefined for a wrong passphrase. Throws `usage` for wrong passphrases, or if there
 * is no terminal.
 */
export type AskPassphrase = <R>(
  keyFile: string,
  open: (passphrase: Uint8Array) => Promise<R | undefined>,
) => Promise<R>;

/**
 * Returns a function that opens key files. `option` is the flag for the passphrase file, for error messages.
 */
export function passphraseAsker(
  file: string | undefined,
  option: string,
  terminal: Terminal,
): AskPassphrase {
  return async (keyFile, open) => {
    requireSealing();
    const { askSecret, signal } = terminal;
    const attempt = async (passphrase: Uint8Array) => {
      try {
        return await open(passphrase);
      } finally {
        passphrase.fill(0);
      }
    };
    if (file !== undefined) {
      const opened = await attempt(await passphraseFile(file, terminal));
      if (opened !== undefined) return opened;
      throw wrong(keyFile, `the passphrase in ${file}`);
    }
    if (askSecret === undefined) throw noTerminal(`the passphrase of ${keyFile}`, option);
    return silently(terminal, async () => {
      for (let left = tries; left > 0; left -= 1) {
        const opened = await attempt(await askSecret(`Passphrase of ${keyFile}: `, signal));
        if (opened !== undefined) return opened;
        if (left > 1) terminal.err('It does not open the key. Once more.\n');
      }
      throw wrong(keyFile, 'the passphrase');
    });
  };
}

/** Returns a new passphrase from a file, or from two equal prompts; the caller wipes it. Throws `usage`. */
export async function newPassphrase(
  file: string | undefined,
  terminal: Terminal,
  { of = 'the new key', option = '--new-passphrase-file' } = {},
): Promise<Uint8Array> {
  if (file !== undefined) return passphraseFile(file, terminal);
  if (terminal.askSecret === undefined) throw noTerminal('a new passphrase', option);
  return givenPassphrase(terminal, { isNew: true, of });
}

/** Throws `usage` if this version of Node cannot seal keys. */
export function requireSealing(): void {
  requireNode(sealingNode, 'a key with a passphrase', '…');
}

/** Reads one line of a file or file descriptor (/dev/fd/3), without its line end. */
async function passphraseFile(
  file: string,
  { workingDirectory }: Pick<Terminal, 'workingDirectory'>,
): Promise<Uint8Array> {
  const bytes = await readPrivateFile(resolve(workingDirectory, file), maximumBytes);
  const line = withoutLineEnd(bytes);
  if (line.length > 0 && !line.includes(0x0a)) return line;
  bytes.fill(0);
  throw usage(`${file} does not hold one line with a passphrase`);
}

const wrong = (keyFile: string, passphrase: string): Failure =>
  new Failure({
    exit: 'usage',
    code: 'wrong_passphrase',
    message: `${passphrase} does not open ${keyFile}, or the file was altered.`,
    next: 'Type the command again; nothing was sent.',
  });

const noTerminal = (what: string, option: string): Failure =>
  new Failure({
    exit: 'usage',
    code: 'no_passphrase',
    message: `There is no terminal to ask for ${what} at.`,
    next: `Give its file, or a descriptor as /dev/fd/3: ${option} FILE`,
  });
