// A transaction, explained where people approve it: on their machine, by the readers of the enclave.

import { keyOfAddress } from '../address/key_of_address.ts';
import { ServiceError } from '../errors/errors.ts';
import type { TransactionExplanation } from '../organization/records/transaction_explanation.ts';
import { accountFormatsOf, readTransaction, requireTransactionType } from './kinds.ts';

/** An account as a service tells of it, which may lie. */
type ToldAccount = {
  readonly address: string;
  readonly addressFormat: string;
  readonly publicKey: string;
};

/**
 * Explains a transaction; returns undefined if it is not one of its type, or if the public key is not that
 * of the address: with the key of somebody else, what they get would be told as change. Interfaces of
 * contracts are left out: a service that lies could name a function by them as it likes.
 */
export function explainTransaction(
  type: string,
  text: string,
  account: ToldAccount,
): TransactionExplanation | undefined {
  try {
    const kind = requireTransactionType(type);
    const format = accountFormatsOf(kind).find((name) => name === account.addressFormat);
    const publicKey = format && keyOfAddress(account, format);
    if (format === undefined || publicKey === undefined) return undefined;
    const { address } = account;
    return readTransaction(kind, text, { address, format, publicKey }).explain(new Map());
  } catch (error) {
    if (error instanceof ServiceError) return undefined;
    throw error;
  }
}
