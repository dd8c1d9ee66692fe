// Imports: this command reads a secret and seals it to a key of the service before it sends it.

import { stat } from 'node:fs/promises';
import type { Client } from '../../client/connect.ts';
import { withoutLineEnd } from '../../core/base/line_end.ts';
import { quoted, readFileBounded } from '../files/files.ts';
import type { Output } from '../output/output.ts';
import { pinKeys } from '../profiles/pins.ts';
import type { ResolvedLogin } from '../profiles/profiles.ts';
import type { Terminal } from '../terminal/terminal.ts';
import type { CommonValues } from '../words/common_values.ts';
import { usage } from '../words/failures.ts';
import { option } from '../words/options.ts';

/** The option of every import. */
export const fromOption = option(
  'FILE',
  'File to read the secret from; - reads the standard input.',
);

/** The passphrase of files that the dashboard sealed. */
export const passphraseFileOption = option(
  'FILE',
  'File of the passphrase of a sealed export. Default: a prompt.',
);

/** Maximum input. The longest secret is a text of 64 KiB; sealed files contain it in hex. */
const maximumBytes = 256 * 1024;
const maximumPassphraseBytes = 2048;
const accessOfOthers = 0o077;

type SecretOptions = {
  readonly from?: string | undefined;
  readonly 'passphrase-file'?: string | undefined;
};

/**
 * Returns the bytes of a secret, which the caller wipes. Opens sealed exports. Warns if other users can read
 * the file.
 */
export async function readSecret(
  { from, 'passphrase-file': passphraseFile }: SecretOptions,
  holds: 'wallet' | 'key' | 'secret',
  terminal: Terminal,
  output: Output,
): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = await readGiven(from, terminal, output);
  const { openSealed, sealedMembers } = await import('./sealed_file.ts');
  const sealed = sealedMembers(bytes);
  if (sealed === undefined) return bytes;
  const passphrase = await passphraseOf(passphraseFile, from, terminal);
  const opened = await openSealed(sealed, holds, passphrase);
  passphrase.fill(0);
  return opened;
}

async function passphraseOf(
  file: string | undefined,
  from: string | undefined,
  terminal: Terminal,
): Promise<Uint8Array> {
  if (file === undefined) {
    if (from === '-' && terminal.askSecret === undefined) {
      throw usage('--passphrase-file is missing', 'The standard input is the sealed export.');
    }
    const { givenPassphrase } = await import('../keys/passphrases.ts');
    return withoutLineEnd(
      await givenPassphrase(terminal, { isNew: false, of: 'the sealed export' }),
    );
  }
  return withoutLineEnd(await readFileBounded(file, maximumPassphraseBytes));
}

async function readGiven(
  from: string | undefined,
  terminal: Terminal,
  output: Output,
): Promise<Uint8Array<ArrayBuffer>> {
  if (from === undefined)
    throw usage('--from is missing', 'Name the file to read: --from FILE or -.');
  if (from === '-') return Uint8Array.from(await terminal.readInput(maximumBytes));
  const bytes = Uint8Array.from(await readFileBounded(from, maximumBytes));
  const { mode } = await stat(from);
  if ((mode & accessOfOthers) !== 0 && process.platform !== 'win32') {
    output.note(`warning: others may read ${from}; type chmod 600 ${quoted(from)}, or remove it.`);
  }
  return bytes;
}

/** Parses the JSON of an export; returns undefined for other content, such as a bare phrase. */
export function exportedDocument(
  bytes: Uint8Array,
  kind: 'wallet' | 'key',
): Readonly<Record<string, unknown>> | undefined {
  const text = new TextDecoder().decode(bytes).trimStart();
  if (!text.startsWith('{')) return undefined;
  try {
    const document: unknown = JSON.parse(text);
    if (typeof document === 'object' && document !== null && 'kind' in document) {
      if (document.kind === kind) return { ...document };
    }
  } catch {
    // The message of the parser would contain a part of the secret.
  }
  throw usage(`the file is not an output of keywright export ${kind}`);
}

type Call = {
  readonly connected: {
    readonly client: Client;
    readonly login: ResolvedLogin;
    readonly common: CommonValues;
  };
  readonly terminal: Terminal;
  readonly output: Output;
};

/**
 * Seals the secret to a target from `begin`; returns undefined after a dry run. Throws `Untrusted` if another
 * key than the pinned key signed the target, or if a user target is for another user.
 */
export async function sealForImport(
  { connected: { client, login, common }, terminal, output }: Call,
  secret: string | Uint8Array<ArrayBuffer>,
  begin: (userId: string) => Promise<string | undefined>,
  { targetOf }: { readonly targetOf: 'user' | 'organization' },
) {
  if (common.curl) throw usage('an import has no --curl: it takes two requests');
  const { sealImport } = await import('../../client/bundles.ts');
  const { userId } = await client.query('whoami');
  const target = await begin(userId);
  if (target === undefined) return undefined;
  await pinKeys({ client, login }, terminal, output);
  const forWhom = targetOf === 'user' ? { userId } : {};
  const encryptedBundle = await sealImport(client, target, secret, forWhom);
  return { userId, target, encryptedBundle };
}
