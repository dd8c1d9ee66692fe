// The minimum fees with which nodes let a transaction replace another with the same nonce.

import { bytesOfHex } from '../base/bytes.ts';
import { readSignedEthereum } from '../chains/ethereum/read_signed.ts';
import type { EthereumTransaction } from '../chains/ethereum/transaction.ts';
import { assert, failField } from '../errors/errors.ts';
import type { Send } from '../organization/records/sends.ts';

/** In wei per unit of gas. */
export type Fees = { readonly maxFeePerGas: bigint; readonly maxPriorityFeePerGas: bigint };

/** Minimum percentage of both fees of the replaced transaction. */
const leastPercent = 110n;

/**
 * Raises `field_invalid` at `field` unless both fees are a tenth higher than those of each pending
 * transaction with the same nonce, since nodes would keep the earlier one.
 */
export function requireReplacing(
  { maxFeePerGas, maxPriorityFeePerGas }: Fees,
  underWay: readonly Send[],
  field: string,
): void {
  const fees = underWay.map(({ signedTransaction }) => feesOf(signed(signedTransaction)));
  const fee = leastAbove(fees.map((each) => each.maxFeePerGas));
  const tip = leastAbove(fees.map((each) => each.maxPriorityFeePerGas));
  if (maxFeePerGas >= fee && maxPriorityFeePerGas >= tip) return;
  const needed = `a fee of ${fee} wei and a tip of ${tip} wei or more`;
  const got = `got ${maxFeePerGas} and ${maxPriorityFeePerGas}`;
  failField(field, `expected ${needed}, to replace a transaction under way, ${got}`);
}

/** Returns the fees of a transaction; the gas price stands for both if it has one. */
export function feesOf({
  gasPrice = 0n,
  maxFeePerGas = gasPrice,
  maxPriorityFeePerGas = gasPrice,
}: EthereumTransaction): Fees {
  return { maxFeePerGas, maxPriorityFeePerGas };
}

function leastAbove(fees: readonly bigint[]): bigint {
  const tenthMore = fees.map((fee) => (fee * leastPercent + 99n) / 100n);
  return tenthMore.reduce((most, each) => (each > most ? each : most), 0n);
}

function signed(text: string): EthereumTransaction {
  const bytes = bytesOfHex(text.slice(2));
  assert(bytes !== undefined, 'a stored transaction is hex');
  return readSignedEthereum(bytes).transaction;
}
