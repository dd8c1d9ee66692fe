// Login by pairing: a signed-in user approves the key of this machine, and the command polls until the
// service accepts the key. docs/cli.md describes the link.

import { setTimeout } from 'node:timers/promises';
import type { Client } from '../../client/connect.ts';
import { quoted } from '../files/files.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { Failure } from '../words/failures.ts';
import { isUnknownKey, type WhoAmI } from './who.ts';

/** A key that waits for approval. */
export type PairingKey = {
  /** Compressed point, in hex. */
  readonly publicKey: string;
  /** Display name of the key. */
  readonly name: string;
  /** The lifetime as typed, and in seconds. */
  readonly lifetime: string;
  readonly seconds: string;
};

const pauseMs = 1_000;
/** Maximum lifetime of a key that the dashboard pairs. */
export const maximumPairedSeconds = 31_536_000;
/** One attempt a second for ten minutes. */
const maximumTries = 600;

/**
 * Returns the link to the pairing page. The link contains no words, because the page computes them. Replaces
 * 127.0.0.1 by `localhost`, because passkeys need a host name.
 */
export function pairingLink(url: string, { publicKey, name, seconds }: PairingKey): string {
  const parameters = new URLSearchParams({ publicKey, name, expirationSeconds: seconds });
  const page = url.replace(/^http:\/\/127\.0\.0\.1(?=:|$)/, 'http://localhost');
  return `${page}/dashboard/#/pair?${parameters}`;
}

/** Returns four words for the SHA-256 of a compressed point. The dashboard shows the same words. */
export async function pairingWords(publicKey: string): Promise<string> {
  const { spokenFingerprint } = await import('../../core/derivation/spoken_fingerprint.ts');
  const digest = await crypto.subtle.digest('SHA-256', Buffer.from(publicKey, 'hex'));
  return spokenFingerprint(Buffer.from(digest).toString('hex'));
}

/** Returns the user of a key; undefined if the service does not know the key. */
async function known(client: Client, signal: AbortSignal): Promise<WhoAmI | undefined> {
  try {
    return await client.query('whoami', undefined, { signal });
  } catch (error) {
    if (!isUnknownKey(error)) throw error;
    return undefined;
  }
}

/**
 * Prints how to approve the key, and polls until it is approved. `onShown` runs before the key is shown.
 * Throws `waits` after ten minutes.
 */
export async function pollForApproval(
  client: Client,
  key: PairingKey,
  terminal: Terminal,
  onShown: () => void,
): Promise<WhoAmI> {
  const { signal } = terminal;
  const earlier = await known(client, signal);
  if (earlier !== undefined) return earlier;
  onShown();
  const { publicKey, name, lifetime } = key;
  const typed = ['keywright', 'user', 'key', 'add', 'USER', '--public-key', publicKey];
  const more = ['--name', quoted(name), '--expires', lifetime];
  const lines = [
    'Open this link where you are signed in, and let the key in:',
    `  ${pairingLink(client.url, key)}`,
    `It shows three of these words and requires the fourth: ${await pairingWords(publicKey)}`,
    'Or type this where you have a key, with the name of your user:',
    `  ${[...typed, ...more].join(' ')}`,
    'Waiting for ten minutes. Ctrl+C ends it; the next login continues with this key.',
  ];
  for (const line of lines) terminal.err(`${line}\n`);
  for (let tries = 0; tries < maximumTries; tries += 1) {
    const who = await known(client, signal);
    if (who !== undefined) return who;
    await setTimeout(pauseMs, undefined, { signal });
  }
  throw new Failure({
    exit: 'waits',
    code: 'not_let_in',
    message: 'This key was not let in yet.',
    next: 'Run the same login again: it continues with this key.',
  });
}
