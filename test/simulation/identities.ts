// Accounts at an identity provider, few enough that several users want the same one.

import { createTestIssuer, nonceOf } from '../support/identity_provider.ts';

export const simulatedIssuer = createTestIssuer();

const accounts = 40;

/** Returns the name of one of the accounts. */
export const accountOf = (number: number): string => `account ${number % accounts}`;

/** Returns a token of an account, valid at any time, for a session of this key. */
export function tokenOf(sub: string, publicKey: string): string {
  const always = { iat: undefined, exp: 4_000_000_000 };
  return simulatedIssuer.token({ now: () => 0 }, { ...always, sub, nonce: nonceOf(publicKey) });
}
