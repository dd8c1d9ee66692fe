// Warnings about a Bitcoin transaction.

import type { BitcoinTransaction, PsbtInput } from '../../chains/bitcoin/transaction.ts';
import type { Warning } from '../../organization/records/transaction_explanation.ts';
import { goesBack, isData, totalOf, unknownInputs } from './facts.ts';

/** A fee of more than one part in this many of the payment gets a warning. */
const highFeeShare = 10n;

/** Returns the warnings, most serious first. `fee` is undefined if it is unknown. */
export function bitcoinWarnings(
  transaction: BitcoinTransaction,
  fee: bigint | undefined,
): readonly Warning[] {
  return [
    ...amountWarnings(transaction),
    ...(fee === undefined ? [] : feeWarnings(transaction, fee)),
    ...burnWarnings(transaction),
    ...otherSigners(transaction.inputs),
  ];
}

/** Returns a warning why the fee is unknown, with the remedy. */
function amountWarnings(transaction: BitcoinTransaction): Warning[] {
  const unknown = unknownInputs(transaction);
  if (unknown.length === 0) return [];
  const silent = unknown.filter(({ spent }) => spent === undefined).length;
  const why =
    silent > 0
      ? `The PSBT leaves out the amount of ${countText(silent, 'input')}`
      : `Nothing proves the amount of ${countText(unknown.length, 'input')}, and not every signature covers it`;
  const remedy = 'The fee is unknown until the PSBT has their previous transactions';
  return [{ code: 'UNVERIFIED_AMOUNT', text: `${why}. ${remedy} (non_witness_utxo).` }];
}

function feeWarnings(transaction: BitcoinTransaction, fee: bigint): Warning[] {
  const { outputs } = transaction.unsigned;
  const paid = outputs.filter((output) => !goesBack(transaction, output));
  const [base, what] =
    paid.length === 0
      ? [totalOf(outputs), 'the amount that goes back to the address']
      : [totalOf(paid), 'the amount that other addresses get'];
  if (fee * highFeeShare <= base) return [];
  return [{ code: 'HIGH_FEE', text: `The fee is more than a tenth of ${what}.` }];
}

function burnWarnings({ unsigned }: BitcoinTransaction): Warning[] {
  const isBurned = unsigned.outputs.some(({ value, script }) => value > 0n && isData(script));
  if (!isBurned) return [];
  return [
    { code: 'AMOUNT_DESTROYED', text: 'An output of data holds an amount that nobody can spend.' },
  ];
}

function otherSigners(inputs: readonly PsbtInput[]): Warning[] {
  const others = inputs.filter(({ isOurs }) => !isOurs).length;
  if (others === 0) return [];
  const text = `${others} of ${inputs.length} inputs spend from other addresses, whose owners sign them.`;
  return [{ code: 'OTHER_SIGNERS', text }];
}

/** Formats a count: `1 input`, `2 inputs`. */
export function countText(count: number, noun: string): string {
  return count === 1 ? `1 ${noun}` : `${count} ${noun}s`;
}
