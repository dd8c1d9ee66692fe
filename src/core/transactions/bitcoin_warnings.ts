// Warnings about a Bitcoin transaction that a person should read.

import type { BitcoinTransaction, PsbtInput } from '../chains/bitcoin/transaction.ts';
import type { Warning } from '../organization/records/transaction_explanation.ts';
import { goesBack, isData, totalOf } from './bitcoin_facts.ts';

/** A fee above this share of what is paid gets a warning. */
const highFeeShare = 10n;

/**
 * Returns true if no input can be of another amount than the PSBT says without voiding the signatures.
 * BIP-341 signatures cover all amounts; those of BIP-143 only the one of their own input.
 */
export function hasCertainAmounts({ scriptName, inputs }: BitcoinTransaction): boolean {
  if (scriptName === 'P2TR') return true;
  const [first, ...more] = inputs.filter(({ spent }) => !spent?.isProven);
  return first === undefined || (first.isOurs && more.length === 0);
}

/** The warnings, most serious first. `fee` is undefined where it is not known. */
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

function amountWarnings(transaction: BitcoinTransaction): Warning[] {
  const { inputs } = transaction;
  const unknown = inputs.filter(({ spent }) => spent === undefined).length;
  if (unknown > 0) {
    const which = countText(unknown, 'input');
    return [unverified(`The PSBT does not tell the amount of ${which}, so nobody knows the fee.`)];
  }
  if (hasCertainAmounts(transaction)) return [];
  const others = inputs.filter(({ isOurs, spent }) => !isOurs && !spent?.isProven).length;
  if (others > 0) {
    const which = countText(others, 'input');
    return [
      unverified(
        `Only the PSBT tells the amount of ${which} of other addresses: the fee may be higher.`,
      ),
    ];
  }
  return [
    unverified(
      'The signature of each input covers the amount of that input alone: two requests that lie about different inputs could pay a higher fee together.',
    ),
  ];
}

function unverified(text: string): Warning {
  return { code: 'UNVERIFIED_AMOUNT', text };
}

function feeWarnings(transaction: BitcoinTransaction, fee: bigint): Warning[] {
  const { outputs } = transaction.unsigned;
  const paid = outputs.filter((output) => !goesBack(transaction, output));
  const [base, what] =
    paid.length === 0
      ? [totalOf(outputs), 'what goes back to the address']
      : [totalOf(paid), 'what other addresses get'];
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

/** `1 input`, `2 inputs`. */
export function countText(count: number, noun: string): string {
  return count === 1 ? `1 ${noun}` : `${count} ${noun}s`;
}
