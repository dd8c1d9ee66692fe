// The namespace `bitcoin` of the policy language, and what limits over time count.

import { describeOutputScript } from '../address/bitcoin_scripts.ts';
import { otherBitcoinSpellings } from '../address/bitcoin_spellings.ts';
import { equalBytes, hex } from '../base/bytes.ts';
import type { BitcoinOutput, BitcoinTransaction } from '../chains/bitcoin/transaction.ts';
import type { SigningAccount } from '../chains/chain.ts';
import { caselessText, type FactStruct, SpelledText } from '../policy/language/values.ts';
import type { VisibleTransfer } from './described.ts';

/** From here on a locktime is a moment in seconds since 1970, below it is a height. */
const firstLocktimeInSeconds = 500_000_000;

/** `{ bitcoin: { tx } }`. The fee is absent where the PSBT does not tell the amounts of all inputs. */
export function bitcoinFacts(transaction: BitcoinTransaction): FactStruct {
  const { unsigned, network } = transaction;
  const { version, inputs, outputs, locktime } = unsigned;
  return {
    bitcoin: {
      tx: {
        version: String(version),
        inputs: inputs.map(({ transactionId, index, sequence }) => ({
          tx_id: transactionIdText(transactionId),
          vout: BigInt(index),
          sequence: BigInt(sequence),
        })),
        outputs: outputs.map(({ value, script }) => {
          const { address, type } = describeOutputScript(script, network);
          return {
            value,
            script_pubkey: hex(script),
            address: new SpelledText(address, otherBitcoinSpellings),
            address_type: caselessText(type),
          };
        }),
        locktime: {
          amount: BigInt(locktime),
          type: isHeight(locktime) ? 'Blocks' : 'Seconds',
        },
        fee: feeOf(transaction),
      },
    },
  };
}

/** Returns true if a locktime is the height of a block. */
export function isHeight(locktime: number): boolean {
  return locktime < firstLocktimeInSeconds;
}

/** Inputs minus outputs; undefined where the amount of an input is not known. */
export function feeOf({ unsigned, inputs }: BitcoinTransaction): bigint | undefined {
  let fee = -totalOf(unsigned.outputs);
  for (const { spent } of inputs) {
    if (spent === undefined) return undefined;
    fee += spent.value;
  }
  return fee;
}

/** The sum of some outputs. */
export function totalOf(outputs: readonly Pick<BitcoinOutput, 'value'>[]): bigint {
  return outputs.reduce((sum, { value }) => sum + value, 0n);
}

/** Returns true if an output is locked by the script of the account that signs. */
export function goesBack({ accountScript }: BitcoinTransaction, output: BitcoinOutput): boolean {
  return equalBytes(output.script, accountScript);
}

/** OP_RETURN makes an output that nobody can spend. */
export function isData(script: Uint8Array): boolean {
  return script[0] === 0x6a;
}

/**
 * All that may leave the account: each output to another script, and the fee as a transfer to ''. Where
 * the fee is not known, what the account's own inputs have above all outputs.
 */
export function bitcoinTransfers(
  transaction: BitcoinTransaction,
  { address }: SigningAccount,
): readonly VisibleTransfer[] {
  const { unsigned, network, inputs } = transaction;
  const paid = unsigned.outputs.filter((output) => !goesBack(transaction, output));
  const own = inputs.flatMap(({ isOurs, spent }) => (isOurs && spent ? [spent] : []));
  const fee = feeOf(transaction) ?? totalOf(own) - totalOf(unsigned.outputs);
  return [
    ...paid.map(({ value, script }) => ({
      token: '',
      from: address,
      to: describeOutputScript(script, network).address,
      amount: value,
    })),
    ...(fee > 0n ? [{ token: '', from: address, to: '', amount: fee }] : []),
  ];
}

/** People write the hash of a transaction in reverse. */
function transactionIdText(transactionId: Uint8Array): string {
  return hex(transactionId.toReversed());
}
