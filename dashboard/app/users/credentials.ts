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

/** Lifetimes that are offered for a key, in seconds. */
export const lifetimes = ['', '86400', '2592000', '31536000'] as const;
export type Lifetime = (typeof lifetimes)[number];
