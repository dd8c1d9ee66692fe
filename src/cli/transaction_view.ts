// A transaction, explained on this machine by the readers of the enclave.

import { type AddressFormatName, addressFormats } from '../core/address/index.ts';
import { bytesOfHex } from '../core/base/bytes.ts';
import { ServiceError } from '../core/errors/errors.ts';
import type { TransactionExplanation } from '../core/organization/records/transaction_explanation.ts';
import { readTransaction, requireTransactionType } from '../core/transactions/kinds.ts';

/**
 * What a transaction does; undefined where it is not one of its type. Interfaces of contracts are left
 * out: a service that lies could name a function by them as it likes.
 */
export function explainTransaction(
  type: string,
  text: string,
  account: { readonly address: string; readonly addressFormat: string; readonly publicKey: string },
): TransactionExplanation | undefined {
  const publicKey = bytesOfHex(account.publicKey);
  const names = Object.keys(addressFormats) as readonly AddressFormatName[];
  const format = names.find((name) => name === account.addressFormat);
  if (publicKey === undefined || format === undefined) return undefined;
  try {
    const { address } = account;
    const kind = requireTransactionType(type);
    return readTransaction(kind, text, { address, format, publicKey }).explain(new Map());
  } catch (error) {
    if (error instanceof ServiceError) return undefined;
    throw error;
  }
}
