// The maximum amounts that a transaction can take from an account, including the fee, if the signed bytes
// bound them.

import type { Effect, WarningCode } from '../../organization/records/transaction_explanation.ts';
import { hasBoundedFees } from '../ethereum/known_chains.ts';
import type { ExplainedTransaction } from '../explain_signed.ts';
import { assetText, isKnownAsset } from './asset_text.ts';
import { addressKey, furtherEffects } from './headline.ts';

export type LeavingTotal = {
  /** For example `0.502 ETH`, one for each asset. The amount of the fee's coin includes the fee. */
  readonly amounts: readonly string[];
  /** False if the chain may charge fees beyond the named maximum. */
  readonly hasAllFees: boolean;
};

/** Warnings that do not mean further losses of the account. Every other warning leaves the total unknown. */
const harmless: readonly WarningCode[] = [
  'HIGH_FEE',
  'DURABLE_NONCE',
  'FEE_PAYER_IS_ANOTHER',
  'OTHER_SIGNERS',
  'UNUSUAL_TEXT',
];

/**
 * Returns undefined unless each effect is a payment of the account in a known asset. Allowances, unread calls
 * and requests to markets have no total.
 */
export function leavingTotal(
  { effects, fee, warnings, chain, market }: ExplainedTransaction,
  signer: string,
): LeavingTotal | undefined {
  if (fee === undefined || market !== undefined || furtherEffects(effects) > 0) return undefined;
  if (warnings.some(({ code }) => !harmless.includes(code))) return undefined;
  const isOwn = (address: string): boolean => addressKey(address) === addressKey(signer);
  const totals = new Map<string, bigint>();
  const add = (asset: string, amount: string) =>
    totals.set(asset, (totals.get(asset) ?? 0n) + BigInt(amount));
  for (const { kind, from = signer, to = '', asset, amount } of effects) {
    if (asset === undefined || amount === undefined) {
      if (!withoutAmount.includes(kind)) return undefined;
      continue;
    }
    if (!payments.includes(kind) || !isOwn(from)) return undefined;
    if (!isOwn(to)) add(asset, amount);
  }
  if (totals.size === 0) return undefined;
  const isPaidByOther = fee.payer !== undefined && !isOwn(fee.payer);
  if (!isPaidByOther && fee.maximum !== '0') add(fee.asset, fee.maximum);
  if (![...totals.keys()].every((asset) => isKnownAsset(asset, chain))) return undefined;
  return {
    amounts: [...totals].map(([asset, amount]) => assetText(amount, asset, chain)),
    hasAllFees: hasBoundedFees(chain),
  };
}

/** Kinds of payments. A data output may destroy an amount. */
const payments: readonly Effect['kind'][] = ['TRANSFER', 'TOKEN_TRANSFER', 'DATA'];

/** Kinds that move nothing without an amount. Each CALL belongs to a token transfer; see `furtherEffects`. */
const withoutAmount: readonly Effect['kind'][] = [
  'CALL',
  'DATA',
  'VALIDITY',
  'DESCRIPTION',
  'RESOURCE_CHANGE',
];
