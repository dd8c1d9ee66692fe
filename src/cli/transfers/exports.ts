// Exports: the service seals a secret to a new key of this command, which opens it and writes it to a new
// file.

import type { Client } from '../../client/connect.ts';
import { NeedsVotes } from '../../client/errors.ts';
import type { Preview } from '../../client/preview.ts';
import { quoted, reservePrivateFile } from '../files/files.ts';
import { confirm } from '../output/confirm.ts';
import type { Output } from '../output/output.ts';
import { pinKeys } from '../profiles/pins.ts';
import type { ResolvedLogin } from '../profiles/profiles.ts';
import type { Terminal } from '../terminal/terminal.ts';
import type { CommonValues } from '../words/common_values.ts';
import { Failure, usage } from '../words/failures.ts';
import { option } from '../words/options.ts';

/** The option of every export. */
export const toOption = option(
  'FILE',
  'File to write, readable only by its owner (0600); it must not exist.',
);

type Export = {
  readonly to: string | undefined;
  readonly name: string;
  /** Description of the content in messages, such as `recovery phrase of the wallet shop`. */
  readonly what: string;
  readonly preview: (targetPublicKey: string) => Promise<Preview>;
  /** Returns the bundle; undefined with `--dry-run`. */
  readonly submit: (targetPublicKey: string) => Promise<string | undefined>;
  /** Returns the content of the file. */
  readonly contentOf: (plaintext: Uint8Array) => Uint8Array;
};

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
 * Exports into a new file, and returns its path; undefined after a dry run. Creates the file before the
 * request, so that an exported secret is not lost to a bad path. Writes nothing if another key than the
 * pinned key signed the bundle.
 */
export async function exportToFile(
  { connected, terminal, output }: Call,
  { to, name, what, preview, submit, contentOf }: Export,
): Promise<string | undefined> {
  const { client, login, common } = connected;
  if (to === undefined)
    throw usage('--to is missing', 'Name a file that does not exist: --to FILE.');
  if (common.curl) throw usage('an export has no --curl: only this command can open the answer');
  const { newTarget, openExport } = await import('../../client/bundles.ts');
  const target = await newTarget();
  if (common['dry-run']) {
    await submit(target.publicKey);
    return undefined;
  }
  const file = await reservePrivateFile(to);
  try {
    await confirm(terminal, common, {
      warning: `The ${what} is written to ${to} in clear text; anyone who reads the file can use it.`,
      type: name,
    });
    if (common.wait === undefined) requireNoVotes(await preview(target.publicKey));
    const bundle = await submit(target.publicKey).catch(lostTarget);
    if (bundle === undefined) return undefined;
    await pinKeys({ client, login }, terminal, output);
    const plaintext = await openExport(client, bundle, target);
    const content = contentOf(plaintext);
    await file.write(content);
    plaintext.fill(0);
    content.fill(0);
    return to;
  } finally {
    await file.release();
  }
}

/**
 * Throws `waits` if the export needs votes. The target key would be gone at the approval, and the service
 * would still record an export.
 */
function requireNoVotes({ outcome }: Preview): void {
  if (outcome !== 'waiting') return;
  throw new Failure({
    exit: 'waits',
    code: 'export_needs_votes',
    message: 'This export needs approval, and only this command can open it.',
    next: 'Give --wait=2h, and have it approved meanwhile.',
  });
}

function lostTarget(error: unknown): never {
  if (!(error instanceof NeedsVotes)) throw error;
  throw new Failure({
    exit: 'waits',
    code: error.code,
    message: `Activity ${error.activityId} still waits for approval; its result cannot be opened any more.`,
    next: `keywright activity reject ${quoted(error.activityId)}, then export again with a longer --wait.`,
    requestId: error.requestId,
    activityId: error.activityId,
  });
}
