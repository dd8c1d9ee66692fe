import { fail } from '../errors/errors.ts';
import type { JsonObject } from '../schema/json.ts';
import type { Credential } from './credentials.ts';

/** The only activity that a recovery credential may submit. */
const recovery = 'ACTIVITY_TYPE_RECOVER_USER';

type Limited = Pick<Credential, 'type' | 'userId'>;

/** Rejects votes with a key that was mailed for a recovery. Raises `credential_limited`. */
export function requireVotingCredential(credential: Limited): void {
  if (isForRecovery(credential)) refuse(credential, recovery);
}

/**
 * Rejects activities with a key that was mailed for a recovery, except the recovery of its own user. Raises
 * `credential_limited`.
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

/** Returns true for a key that was mailed for a recovery. */
export function isForRecovery({ type }: Pick<Limited, 'type'>): boolean {
  return type === 'CREDENTIAL_TYPE_RECOVER_USER_KEY_P256';
}

function refuse({ type }: Limited, purpose: string): never {
  return fail('credential_limited', { type, purpose });
}
