// Sorts the credentials of a user: those that sign in, and those that sign.

import type { User } from '../service/reads.ts';

type ApiKey = User['apiKeys'][number];

/** True if a login made the key, false if its user registered it. */
export const isSessionKey = ({ credential }: ApiKey): boolean =>
  !credential.type.startsWith('CREDENTIAL_TYPE_API_KEY_');

/** Milliseconds at which a key expires; undefined: never. */
export function expiryMs({ createdAt, expirationSeconds }: ApiKey): number | undefined {
  if (expirationSeconds === undefined) return undefined;
  return (Number(createdAt.seconds) + Number(expirationSeconds)) * 1000;
}

/** Lifetimes of a key that the form offers, in seconds. */
export const lifetimes = ['', '86400', '2592000', '31536000'] as const;
export type Lifetime = (typeof lifetimes)[number];

type Weakness = 'none' | 'code' | 'key' | 'expiringKey' | 'passkey';

/** The weakest credential by which a user signs in or signs. A code needs an e-mail address. */
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
