import type { Credential } from './credentials.ts';
import { fail } from './errors.ts';

/** What the one credential is good for that is not good for everything. */
const recovery = 'ACTIVITY_TYPE_RECOVER_USER';

/** Refuses a key that was mailed for a recovery a say in anything. Raises `credential_limited`. */
export function requireVotingCredential(credential: Pick<Credential, 'type'>): void {
  requireCredentialFor({ wire: { type: '' } }, credential);
}

/** Refuses a key that was mailed for a recovery anything else. Raises `credential_limited`. */
export function requireCredentialFor(
  { wire }: { readonly wire: { readonly type: string } },
  { type }: Pick<Credential, 'type'>,
): void {
  if (type === 'CREDENTIAL_TYPE_RECOVER_USER_KEY_P256' && wire.type !== recovery) {
    fail('credential_limited', { type, purpose: recovery });
  }
}
