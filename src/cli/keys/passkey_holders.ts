// Secrets of key holders from passkeys. A page of this package evaluates the passkey in the user's browser.
// This process receives the secret only sealed to the enclave.

import { once } from 'node:events';
import { newHolderSalt } from '../../client/key_holders.ts';
import type { HolderResult, HolderTask } from '../../holder_page/serve.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { Failure } from '../words/failures.ts';
import { flag } from '../words/options.ts';

export const passkeyOption = flag(
  'Uses a passkey with the PRF extension in a browser on this machine.',
);

const waitMs = 600_000;

/** Relying party, credential and input of the PRF. The page accepts no other relying party. */
const acceptedDerivation = /^\$webauthn-prf\$rp=localhost\$([\w-]{2,1400})\$([A-Za-z0-9+/]{22})$/;

/** A task without the input of the PRF, which is public and new for each holder. */
type NewHolderTask = Omit<HolderTask, 'salt' | 'credentialId'>;

/** Creates a passkey in a browser, and returns the parameters of its holder. */
export async function newPasskeyHolder(task: NewHolderTask, terminal: Terminal) {
  const salt = newHolderSalt();
  const { credentialId, encryptedSecret } = await throughPage({ ...task, salt }, terminal);
  const derivation = `$webauthn-prf$rp=localhost$${credentialId}$${salt}`;
  if (!acceptedDerivation.test(derivation)) {
    throw new Failure({
      exit: 'unexpected',
      code: 'passkey_unusable',
      message: 'The browser returned a passkey whose id has an unexpected form.',
      next: 'Nothing was sent. Use another authenticator.',
    });
  }
  return { type: 'KEY_HOLDER_TYPE_PASSKEY', derivation, encryptedSecret } as const;
}

/** Returns the secret of an existing passkey holder, sealed to the enclave. */
export async function passkeySecret(
  { derivation, ...task }: NewHolderTask & { readonly derivation: string },
  terminal: Terminal,
): Promise<string> {
  const [, credentialId, salt] = acceptedDerivation.exec(derivation) ?? [];
  if (credentialId === undefined || salt === undefined) {
    const next = 'Nothing was sent. Another client created this holder; unseal with that client.';
    throw unknownDerivation(derivation, next);
  }
  const { encryptedSecret } = await throughPage({ ...task, credentialId, salt }, terminal);
  return encryptedSecret;
}

/** Returns the failure for a derivation that the service reports and no command accepts. */
export function unknownDerivation(derivation: string, next: string): Failure {
  const message = `The service reports a derivation that this command does not accept: ${derivation}`;
  return new Failure({ exit: 'not_verified', code: 'derivation_unknown', message, next });
}

/** Serves the page until it has a result. Throws after ten minutes, or on Ctrl-C. */
async function throughPage(task: HolderTask, terminal: Terminal): Promise<HolderResult> {
  const { serveHolderPage } = await import('../../holder_page/serve.ts');
  const page = await serveHolderPage(task);
  const ended = AbortSignal.any([terminal.signal, AbortSignal.timeout(waitMs)]);
  try {
    terminal.err(`Open ${page.url} in a browser on this machine. Code: ${page.code}\n`);
    await terminal.openBrowser?.(page.url);
    const result = ended.aborted
      ? undefined
      : await Promise.race([page.result, once(ended, 'abort').then(() => undefined)]);
    if (result !== undefined) return result;
  } finally {
    await page.stop();
  }
  throw new Failure({
    exit: terminal.signal.aborted ? 'interrupted' : 'not_confirmed',
    message: 'The page returned no result within ten minutes.',
    next: 'Nothing was sent. Run the command again.',
  });
}
