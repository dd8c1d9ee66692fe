import { fail } from '../errors/errors.ts';
import type { JsonObject } from '../schema/json.ts';
import type { Credential } from './credentials.ts';

/** The one activity for which a recovery credential is valid. */
const recovery = 'ACTIVITY_TYPE_RECOVER_USER';

type Limited = Pick<Credential, 'type' | 'userId'>;

/** Refuses a key that was mailed for a recovery a say in anything. Raises `credential_limited`. */
export function requireVotingCredential(credential: Limited): void {
  if (isForRecovery(credential)) refuse(credential, recovery);
}

/**
 * Limits a key that was mailed for a recovery to the recovery of its own user, also if that user may act on
 * others. Raises `credential_limited`.
 */
export function requireCredentialFor(
  { wire }: { readonly wire: { readonly type: string } },
  { userId }: JsonObject,
  credential: Limited,
): void {
  if (!isForRecovery(credential)) return;
  if (wire.type !== recovery) refuse(credential, recovery);
  if (String(userId).toLowerCase() === credential.userId) return;
  refuse(credential, `${recovery} of its own user`);
}

const isForRecovery = ({ type }: Limited) => type === 'CREDENTIAL_TYPE_RECOVER_USER_KEY_P256';

function refuse({ type }: Limited, purpose: string): never {
  return fail('credential_limited', { type, purpose });
}
