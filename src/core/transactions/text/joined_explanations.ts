import { assert } from '../../errors/errors.ts';
import type {
  Fee,
  TransactionExplanation,
} from '../../organization/records/transaction_explanation.ts';
import { distinctWarnings } from './distinct_warnings.ts';

/** Joins the explanations of successive calls into one. The fee is that of the first. */
export function joinExplanations(all: readonly TransactionExplanation[]): TransactionExplanation {
  const [first, ...more] = all;
  assert(first !== undefined, 'a request has a call');
  return {
    ...first,
    summary: [first.summary, ...more.map(({ summary }) => summary)].join(' Then: '),
    effects: all.flatMap((each) => each.effects),
    warnings: distinctWarnings(all.flatMap((each) => each.warnings)),
  };
}

/** Returns the total fee of several transactions. */
export function sumOfFees(all: readonly TransactionExplanation[]): Fee | undefined {
  const fees = all.flatMap(({ fee }) => (fee === undefined ? [] : [fee]));
  const [first] = fees;
  if (first === undefined) return undefined;
  const maximum = String(fees.reduce((sum, fee) => sum + BigInt(fee.maximum), 0n));
  return { ...first, maximum, text: fees.map(({ text }) => text).join(' Then: ') };
}
