// Explains a Tempo transaction.

import { eip55 } from '../../address/ethereum.ts';
import { amountText } from '../../balances/amount_text.ts';
import { hex } from '../../base/bytes.ts';
import type { SigningAccount } from '../../chains/chain.ts';
import type { TempoCall, TempoTransaction } from '../../chains/tempo/transaction.ts';
import type {
  Effect,
  Fee,
  TransactionExplanation,
  Warning,
} from '../../organization/records/transaction_explanation.ts';
import {
  bytesText,
  callEffects,
  callWarnings,
  type UnknownCall,
} from '../calls/call_explanation.ts';
import { distinctWarnings } from '../text/distinct_warnings.ts';
import { instantText } from '../text/instant_text.ts';

/** Explains a Tempo transaction for the account that signs it. */
export function explainTempo(
  transaction: TempoTransaction,
  { address }: SigningAccount,
): TransactionExplanation {
  const { calls, feePayer } = transaction;
  const effects = calls.flatMap((call) => effectsOf(call, address));
  const [first] = effects;
  const isAlone = calls.length === 1 && first !== undefined;
  return {
    summary: isAlone ? first.text : `${address} makes ${calls.length} calls, all or none of them.`,
    effects: [...effects, ...validity(transaction)],
    ...(feePayer === undefined ? { fee: feeOf(transaction) } : {}),
    warnings: mostSeriousFirst([
      ...calls.flatMap((call) => warningsOf(call, address)),
      ...feePayerWarnings(transaction),
      ...feeWarnings(transaction),
    ]),
  };
}

/** Returns a 20-byte address in EIP-55. */
export function tempoAddress(account: Uint8Array): string {
  return eip55(hex(account));
}

function effectsOf(call: TempoCall, from: string): readonly Effect[] {
  if (call.to.length > 0) return callEffects(unknownCall(call, from));
  const text = `${from} creates a contract from ${bytesText(call.input)} of code.`;
  return [{ kind: 'CONTRACT_CREATION', text, from }];
}

function warningsOf(call: TempoCall, from: string): readonly Warning[] {
  if (call.to.length > 0) return callWarnings(unknownCall(call, from));
  return [{ code: 'UNREADABLE_CALL_DATA', text: 'The effects of the new contract are unknown.' }];
}

/** Returns unique warnings, with unlimited allowances first. */
function mostSeriousFirst(warnings: readonly Warning[]): readonly Warning[] {
  const once = distinctWarnings(warnings);
  const isUnlimited = ({ code }: Warning) => code === 'UNLIMITED_APPROVAL';
  return [...once.filter(isUnlimited), ...once.filter((warning) => !isUnlimited(warning))];
}

function unknownCall({ to, input }: TempoCall, caller: string): UnknownCall {
  return { caller, contract: tempoAddress(to), data: input, addressOf: tempoAddress };
}

function validity({ validAfter, validBefore }: TempoTransaction): readonly Effect[] {
  const after = validAfter === 0n ? '' : ` after ${instantText(validAfter * 1000n)}`;
  const before = validBefore === 0n ? '' : ` before ${instantText(validBefore * 1000n)}`;
  if (after === '' && before === '') return [];
  const both = after !== '' && before !== '' ? ' and' : '';
  return [{ kind: 'VALIDITY', text: `It is valid${after}${both}${before}.` }];
}

/** Gas prices are in 10^-18 dollars, and the fee is paid in a dollar token. */
const feeDecimals = 18;

function feeOf(transaction: TempoTransaction): Fee {
  const { feeToken } = transaction;
  const token =
    feeToken.length === 0 ? 'the usual fee token of the account' : tempoAddress(feeToken);
  return {
    maximum: String(maximumFee(transaction)),
    asset: 'USD',
    text: `At most ${feeText(transaction)}, in ${token}.`,
  };
}

function feePayerWarnings(transaction: TempoTransaction): readonly Warning[] {
  const { feePayer } = transaction;
  if (feePayer === undefined) return [];
  const who = feePayer === 'unsigned' ? 'Another account is to pay' : 'Another account pays';
  const text = `${who} the fee, at most ${feeText(transaction)}, and chooses the token for it.`;
  return [{ code: 'FEE_PAYER_IS_ANOTHER', text }];
}

/** 10 dollars, in 10^-18 dollars: thousands of times a usual fee. */
const highFee = 10n ** 19n;

function feeWarnings(transaction: TempoTransaction): readonly Warning[] {
  if (transaction.feePayer !== undefined || maximumFee(transaction) < highFee) return [];
  return [{ code: 'HIGH_FEE', text: `The fee may be as high as ${feeText(transaction)}.` }];
}

function feeText(transaction: TempoTransaction): string {
  return `${amountText(String(maximumFee(transaction)), feeDecimals)} dollars`;
}

function maximumFee({ gas, maxFeePerGas }: TempoTransaction): bigint {
  return gas * maxFeePerGas;
}
