// Secrets of key holders from passkeys. A page of this package evaluates the passkey in the user's browser.
// This process receives the secret only sealed to the enclave.

import { newHolderSalt } from '../../client/key_holders.ts';
import type { SecretPlace } from '../../client/sealed_secret.ts';
import type { PasskeyTask } from '../../holder_page/serve.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { Failure } from '../words/failures.ts';
import { flag } from '../words/options.ts';
import { usePasskey } from './passkey_page.ts';

export const passkeyOption = flag(
  'Uses a passkey with the PRF extension in a browser on this machine.',
);

/** Relying party, credential and input of the PRF. The page accepts no other relying party. */
const acceptedDerivation = /^\$webauthn-prf\$rp=localhost\$([\w-]{2,1400})\$([A-Za-z0-9+/]{22})$/;

/** The holder, and the place to which its secret is sealed. */
type Holder = {
  readonly organizationName: string;
  readonly holderName: string;
} & SecretPlace;

/** Creates a passkey in a browser, and returns the parameters of its holder. */
export async function newPasskeyHolder(holder: Holder, terminal: Terminal) {
  // The input of the PRF is public, and new for each holder.
  const salt = newHolderSalt();
  const name = `${holder.holderName}, key holder of ${holder.organizationName}`;
  const passkey = { name, isDiscoverable: false };
  const { credentialId, encryptedSecret } = await usePasskey(
    taskOf(holder, passkey, salt),
    terminal,
  );
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
  { derivation, ...holder }: Holder & { readonly derivation: string },
  terminal: Terminal,
): Promise<string> {
  const [, id, salt] = acceptedDerivation.exec(derivation) ?? [];
  if (id === undefined || salt === undefined) {
    const next = 'Nothing was sent. Another client created this holder; unseal with that client.';
    throw unknownDerivation(derivation, next);
  }
  return (await usePasskey(taskOf(holder, { id }, salt), terminal)).encryptedSecret;
}

function taskOf(
  { organizationName, holderName, receiver, info }: Holder,
  passkey: PasskeyTask['passkey'],
  salt: string,
): PasskeyTask {
  const about = { Organization: organizationName, Holder: holderName };
  return { about, passkey, salt, receiver, info };
}

/** Returns the failure for a derivation that the service reports and no command accepts. */
export function unknownDerivation(derivation: string, next: string): Failure {
  const message = `The service reports a derivation that this command does not accept: ${derivation}`;
  return new Failure({ exit: 'not_verified', code: 'derivation_unknown', message, next });
}
