// The chains whose usual account has a short name.

import { type Chain, chains } from '../../client/accounts.ts';
import { usage } from './failures.ts';
import { didYouMean } from './names.ts';

const names = Object.keys(chains) as readonly Chain[];

/** The chain of a name in any case. Raises `usage` with the nearest. */
export function chainNamed(name: string): Chain {
  const lower = name.toLowerCase();
  const chain = names.find((known) => known === lower);
  if (chain !== undefined) return chain;
  throw usage(
    `unknown kind of account ${name}${didYouMean(lower, names)}`,
    `One of ${names.join(', ')}`,
  );
}
