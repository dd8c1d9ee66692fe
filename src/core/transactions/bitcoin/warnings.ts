// Warnings about a Bitcoin transaction.

import { describeOutputScript } from '../../address/bitcoin_scripts.ts';
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
    ...messageWarnings(transaction, fee),
    ...amountWarnings(transaction),
    ...recipientWarnings(transaction),
    ...(fee === undefined ? [] : feeWarnings(transaction, fee)),
    ...burnWarnings(transaction),
    ...otherSigners(transaction.inputs),
    ...networkWarnings(transaction),
  ];
}

/**
 * Recognizes a signed message (BIP-322): it spends a coin of no amount, which commits to the message. Another
 * input with an amount would pay it as the fee.
 */
function messageWarnings({ unsigned }: BitcoinTransaction, fee: bigint | undefined): Warning[] {
  if (fee !== 0n || totalOf(unsigned.outputs) > 0n) return [];
  const text =
    'The transaction has the form of a signed message (BIP-322), and does not show what is agreed to.';
  return [{ code: 'HASH_ONLY', text }];
}

/** Warns of payments to scripts whose owner no address names, or that anyone may spend. */
function recipientWarnings({ unsigned, network }: BitcoinTransaction): Warning[] {
  const paid = unsigned.outputs
    .filter(({ value, script }) => value > 0n && !isData(script))
    .map(({ script }) => describeOutputScript(script, network));
  const hidden = paid.filter(({ address }) => address === '').length;
  const open = paid.filter(({ address, type }) => address !== '' && type === '').length;
  const warnings: Warning[] = [];
  if (hidden > 0) {
    const text = `${countText(hidden, 'output')} ${hidden === 1 ? 'pays' : 'pay'} to a script without an address, whose owner is unknown.`;
    warnings.push({ code: 'UNKNOWN_CONTRACT', text });
  }
  if (open > 0) {
    const text = `Anyone may spend ${countText(open, 'output')} until the network has rules for this kind of address.`;
    warnings.push({ code: 'AMOUNT_DESTROYED', text });
  }
  return warnings;
}

/** A key has the same signatures on all networks, so a payment on a test network may spend real coins. */
function networkWarnings({ network }: BitcoinTransaction): Warning[] {
  if (network === 'MAINNET') return [];
  const text =
    'The signed bytes name no network. If the spent coins are on the main network, the payment is valid there.';
  return [{ code: 'NO_CHAIN_ID', text }];
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
