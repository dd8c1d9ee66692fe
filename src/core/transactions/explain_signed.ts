// Explains a transaction on the approver's machine, with the readers of the enclave.

import { keyOfAddress } from '../address/key_of_address.ts';
import { ServiceError } from '../errors/errors.ts';
import type { TransactionExplanation } from '../organization/records/transaction_explanation.ts';
import type { Descriptions } from './described.ts';
import type { MarketTerms } from './headline/market_terms.ts';
import { accountFormatsOf, readTransaction, requireTransactionType } from './kinds.ts';

/** An account as reported by a service, which may be lying. */
type ReportedAccount = {
  readonly address: string;
  readonly addressFormat: string;
  readonly publicKey: string;
  /** Addresses of the other accounts that sign, as the request names them. */
  readonly others?: readonly string[];
};

export type ExplainedTransaction = TransactionExplanation & {
  /** CAIP-2 name of the chain, or only its namespace. */
  readonly chain: string;
  /** CAIP-2 name of the network in the request, if the signed bytes do not contain it. */
  readonly requestedChain?: string | undefined;
  /** The terms of a deposit, withdrawal or swap. */
  readonly market?: MarketTerms;
};

/**
 * Explains a transaction. Returns undefined for an unknown type, or if the public key does not match the
 * address: with a foreign key, payments to its owner would look like change. Ignores interfaces of contracts,
 * since a lying service could name functions through them. Descriptions only add to the explanation.
 */
export function explainTransaction(
  type: string,
  text: string,
  account: ReportedAccount,
  descriptions?: Descriptions,
): ExplainedTransaction | undefined {
  try {
    const kind = requireTransactionType(type);
    const format = accountFormatsOf(kind).find((name) => name === account.addressFormat);
    const publicKey = format && keyOfAddress(account, format);
    if (format === undefined || publicKey === undefined) return undefined;
    const { address, others = [] } = account;
    const transaction = readTransaction(kind, text, { address, format, publicKey, others });
    return { ...transaction.explain(new Map(), descriptions), chain: transaction.chain };
  } catch (error) {
    if (error instanceof ServiceError) return undefined;
    throw error;
  }
}
