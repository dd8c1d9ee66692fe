// Passphrases for commands: from a file, typed without echo, or from the standard input.

import { resolve } from 'node:path';
import { withoutLineEnd } from '../../core/base/line_end.ts';
import { readPrivateFile } from '../files/files.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { Failure, usage } from '../words/failures.ts';

const maximumBytes = 2048;
/** Attempts at typing a passphrase. */
const tries = 3;
/** Argon2 and what surrounds it. */
const sealingNode = 26;

/**
 * Resolves with the bytes of a line as they were given, the caller's to wipe. A new passphrase is typed
 * twice. Raises `usage` where the two differ.
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

/** Hides input between the prompts of the work. */
function silently<R>(terminal: Pick<Terminal, 'silently'>, work: () => Promise<R>): Promise<R> {
  return terminal.silently === undefined ? work() : terminal.silently(work);
}

/**
 * Tries the passphrase of a key file: from its file, or up to three typed ones. Resolves with the result of
 * `open`, which is undefined for a wrong passphrase. Raises `usage`, also without a terminal.
 */
export type AskPassphrase = <R>(
  keyFile: string,
  open: (passphrase: Uint8Array) => Promise<R | undefined>,
) => Promise<R>;

/** Asks for passphrases of key files; `option` is the flag that named the file of one. */
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
    if (askSecret === undefined) throw nobodyToAsk(`the passphrase of ${keyFile}`, option);
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

/** A new passphrase, the caller's to wipe: from a file, or typed twice. Raises `usage`. */
export async function newPassphrase(
  file: string | undefined,
  terminal: Terminal,
  of = 'the new key',
): Promise<Uint8Array> {
  if (file !== undefined) return passphraseFile(file, terminal);
  if (terminal.askSecret === undefined)
    throw nobodyToAsk('a new passphrase', '--new-passphrase-file');
  return givenPassphrase(terminal, { isNew: true, of });
}

/** Raises `usage` under a Node that cannot seal. */
export function requireSealing(): void {
  if (Number(process.versions.node.split('.')[0]) >= sealingNode) return;
  throw usage(
    `a key with a passphrase needs Node ${sealingNode} or later, and this is ${process.version}`,
    `npx -p node@${sealingNode} -p keywright keywright …`,
  );
}

/** One line of a file, or of a descriptor as /dev/fd/3; its end does not belong to it. */
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

const nobodyToAsk = (what: string, option: string): Failure =>
  new Failure({
    exit: 'usage',
    code: 'no_passphrase',
    message: `There is no terminal to ask for ${what} at.`,
    next: `Give its file, or a descriptor as /dev/fd/3: ${option} FILE`,
  });
