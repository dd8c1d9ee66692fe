// The namespace `bitcoin` of the policy language, and the transfers that velocity controls count.

import { describeOutputScript } from '../../address/bitcoin_scripts.ts';
import { otherBitcoinSpellings } from '../../address/bitcoin_spellings.ts';
import { equalBytes, hex } from '../../base/bytes.ts';
import type {
  BitcoinOutput,
  BitcoinTransaction,
  PsbtInput,
} from '../../chains/bitcoin/transaction.ts';
import type { SigningAccount } from '../../chains/chain.ts';
import { caselessText, type FactStruct, SpelledText } from '../../policy/language/values.ts';
import type { VisibleTransfer } from '../described.ts';

/** Locktimes from this value are seconds since 1970; lower ones are heights. */
const firstLocktimeInSeconds = 500_000_000;

/** Returns `{ bitcoin: { tx } }`. The fee is absent if the amount of an input is unknown. */
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

/** Returns true if a locktime is a block height. */
export function isHeight(locktime: number): boolean {
  return locktime < firstLocktimeInSeconds;
}

/** Returns inputs minus outputs; undefined if the amount of an input is unknown. */
export function feeOf(transaction: BitcoinTransaction): bigint | undefined {
  const { unsigned, inputs } = transaction;
  return unknownInputs(transaction).length > 0
    ? undefined
    : totalOf(inputs.flatMap(({ spent }) => spent ?? [])) - totalOf(unsigned.outputs);
}

/**
 * Returns the inputs whose amount the caller could misstate without invalidating every signature of this
 * request. Signatures of several requests may be combined in one transaction, so an amount is known only if
 * the previous transaction proves it, or every signature of the request commits to it. A taproot signature
 * commits to all amounts (BIP-341), a segwit v0 signature to that of its own input (BIP-143), a legacy
 * signature to none.
 */
export function unknownInputs({ scriptName, inputs }: BitcoinTransaction): readonly PsbtInput[] {
  const signed = inputs.filter(({ isOurs }) => isOurs);
  return inputs.filter((input) => {
    if (input.spent === undefined) return true;
    if (input.spent.isProven || scriptName === 'P2TR') return false;
    const isCommitted = scriptName !== 'P2PKH' && input.isOurs && signed.length === 1;
    return !isCommitted;
  });
}

/** Returns the sum of outputs. */
export function totalOf(outputs: readonly Pick<BitcoinOutput, 'value'>[]): bigint {
  return outputs.reduce((sum, { value }) => sum + value, 0n);
}

/** Returns true if an output has the script of the signing account. */
export function goesBack({ accountScript }: BitcoinTransaction, output: BitcoinOutput): boolean {
  return equalBytes(output.script, accountScript);
}

/** Returns true for an OP_RETURN script, which is unspendable. */
export function isData(script: Uint8Array): boolean {
  return script[0] === 0x6a;
}

/**
 * Returns everything that may leave the account: each output to another script, and the fee as a transfer to
 * ''. If the fee is unknown, uses a lower bound: the stated amounts of the account's own inputs minus all
 * outputs.
 */
export function bitcoinTransfers(
  transaction: BitcoinTransaction,
  { address }: SigningAccount,
): readonly VisibleTransfer[] {
  const { unsigned, network, inputs } = transaction;
  const paid = unsigned.outputs.filter((output) => !goesBack(transaction, output));
  const own = inputs.flatMap(({ isOurs, spent }) => (isOurs && spent ? [spent] : []));
  const fee = feeOf(transaction);
  const least = fee ?? totalOf(own) - totalOf(unsigned.outputs);
  const paidFee = { token: '', from: address, to: '', amount: least > 0n ? least : 0n };
  return [
    ...paid.map(({ value, script }) => ({
      token: '',
      from: address,
      to: describeOutputScript(script, network).address,
      amount: value,
    })),
    ...(fee === undefined ? [{ ...paidFee, isAtLeast: true as const }] : []),
    ...(fee !== undefined && fee > 0n ? [paidFee] : []),
  ];
}

/** Returns the hash of a transaction in the reversed order of user interfaces. */
function transactionIdText(transactionId: Uint8Array): string {
  return hex(transactionId.toReversed());
}
