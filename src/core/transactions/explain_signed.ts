// A transaction, explained where people approve it: on their machine, by the readers of the enclave.

import { keyOfAddress } from '../address/key_of_address.ts';
import { ServiceError } from '../errors/errors.ts';
import type { TransactionExplanation } from '../organization/records/transaction_explanation.ts';
import type { Descriptions } from './described.ts';
import type { MarketTerms } from './headline/market_terms.ts';
import { accountFormatsOf, readTransaction, requireTransactionType } from './kinds.ts';

/** An account as a service reports it. The report may be false. */
type ReportedAccount = {
  readonly address: string;
  readonly addressFormat: string;
  readonly publicKey: string;
};

export type ExplainedTransaction = TransactionExplanation & {
  /** The chain in CAIP-2 form, or only its namespace. */
  readonly chain: string;
  /** The network that the request names, in CAIP-2 form, if the signed bytes name none. */
  readonly requestedChain?: string | undefined;
  /** The terms of a deposit, withdrawal or swap. */
  readonly market?: MarketTerms;
};

/**
 * Explains a transaction; returns undefined if it has another type, or if the public key does not match the
 * address. With a foreign key, payments to its owner would look like change. Interfaces of contracts are not
 * used, since a lying service could name functions by them. Descriptions only add to the explanation.
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
    const { address } = account;
    const transaction = readTransaction(kind, text, { address, format, publicKey });
    return { ...transaction.explain(new Map(), descriptions), chain: transaction.chain };
  } catch (error) {
    if (error instanceof ServiceError) return undefined;
    throw error;
  }
}
