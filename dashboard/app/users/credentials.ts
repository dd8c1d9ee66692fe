// Classifies the credentials of a user.

import type { User } from '../service/reads.ts';

type ApiKey = User['apiKeys'][number];

/** Returns true if a login created the key, false if the user registered it. */
export const isSessionKey = ({ credential }: ApiKey): boolean =>
  !credential.type.startsWith('CREDENTIAL_TYPE_API_KEY_');

/** Returns the expiry of a key in milliseconds; undefined if it does not expire. */
export function expiryMs({ createdAt, expirationSeconds }: ApiKey): number | undefined {
  if (expirationSeconds === undefined) return undefined;
  return (Number(createdAt.seconds) + Number(expirationSeconds)) * 1000;
}

/** Choices for the lifetime of a key, in seconds. Empty: the key does not expire. */
export const lifetimes = ['', '86400', '2592000', '31536000'] as const;
export type Lifetime = (typeof lifetimes)[number];

type Weakness = 'none' | 'code' | 'key' | 'expiringKey' | 'passkey';

/** Returns the user's weakest credential. E-mail codes count if the user has an e-mail address. */
export function weakestOf(
  user: Pick<User, 'apiKeys' | 'authenticators' | 'userEmail'>,
  areCodesOn: boolean,
): Weakness {
  const keys = user.apiKeys.filter((key) => !isSessionKey(key));
  if (areCodesOn && (user.userEmail ?? '') !== '') return 'code';
  if (keys.some((key) => expiryMs(key) === undefined)) return 'key';
  if (keys.length > 0) return 'expiringKey';
  return user.authenticators.length > 0 ? 'passkey' : 'none';
}
