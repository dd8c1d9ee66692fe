// Accounts of the people in a simulation at an identity provider: few, so that several want the same.

import { createTestIssuer, nonceOf } from '../support/identity_provider.ts';

export const simulatedIssuer = createTestIssuer();

const accounts = 40;

/** The name of one of the accounts. */
export const accountOf = (number: number): string => `account ${number % accounts}`;

/** A token of an account, for a session of that key; it is good all the time. */
export function tokenOf(sub: string, publicKey: string): string {
  const always = { iat: undefined, exp: 4_000_000_000 };
  return simulatedIssuer.token({ now: () => 0 }, { ...always, sub, nonce: nonceOf(publicKey) });
}
