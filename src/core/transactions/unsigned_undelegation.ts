// Reads a transaction whose authorizations are not signed yet.

import { ethereumAccount } from '../address/ethereum.ts';
import type { SigningAccount } from '../chains/chain.ts';
import type { EthereumTransaction } from '../chains/ethereum/transaction.ts';
import { ethereumKind } from './ethereum/index.ts';
import { type ReadTransaction, readBytes, rowOfKind } from './kinds.ts';

const row = rowOfKind<EthereumTransaction>({
  ...ethereumKind,
  format: {
    ...ethereumKind.format,
    read: (bytes, account) => {
      const transaction = ethereumKind.format.read(bytes, account);
      const authority = ethereumAccount(account.publicKey, 'CURVE_SECP256K1');
      const authorizationList = transaction.authorizationList.map((each) => ({
        ...each,
        authority,
      }));
      return { ...transaction, authorizationList };
    },
  },
});

/** Reads a transaction whose authorizations `account` will sign. */
export function readBeforeAuthorization(
  bytes: Uint8Array,
  account: SigningAccount,
): ReadTransaction {
  return readBytes(row, bytes, account);
}
