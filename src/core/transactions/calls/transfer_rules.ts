// The rules by which limits count rights and hidden amounts.

import type { VisibleTransfer } from '../described.ts';
import { unlimitedAmount } from './token_calls.ts';

/** The amount of a transfer that no signed byte bounds. */
export const hiddenAmount = { amount: 0n, isAtLeast: true } as const;

/** Returns unknown amounts of the coin and of every token, for a right over an account or a contract. */
export const everythingOf = (from: string): readonly VisibleTransfer[] =>
  ['', undefined].map((token) => ({ token, from, to: '', ...hiddenAmount }));

/** Returns an allowance as a transfer of its amount; unknown if it has no limit. */
export function allowance(
  of: Pick<VisibleTransfer, 'token' | 'from' | 'to'>,
  amount: bigint,
): readonly VisibleTransfer[] {
  if (amount === 0n) return [];
  return [amount < unlimitedAmount ? { ...of, amount } : { ...of, ...hiddenAmount }];
}
