// What a user signs in and signs with, told apart.

import type { User } from '../service/reads.ts';

type ApiKey = User['apiKeys'][number];

/** Whether a key was made by a login, and not registered by its user. */
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
