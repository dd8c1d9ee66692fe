// Chains with a short name for their usual accounts.

import { type Chain, chains } from '../../client/accounts.ts';
import { usage } from './failures.ts';
import { didYouMean } from './names.ts';

const names = Object.keys(chains) as readonly Chain[];

/** Returns the chain with this name in any letter case. Throws `usage` with the nearest name. */
export function chainNamed(name: string): Chain {
  const lower = name.toLowerCase();
  const chain = names.find((known) => known === lower);
  if (chain !== undefined) return chain;
  throw usage(
    `unknown kind of account ${name}${didYouMean(lower, names)}`,
    `One of ${names.join(', ')}`,
  );
}
