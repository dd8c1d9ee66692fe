// Finds the account of a request, as the service reports it.

import type { Client } from '../../client/connect.ts';
import { RequestFailed } from '../../client/errors.ts';
import { accountWithAddress, isSameAddress } from '../accounts/wallet_accounts.ts';
import { Failure } from '../words/failures.ts';
import type { AccountOf } from './signed_content.ts';

/** Returns a function that finds wallet accounts by address, and private keys by address or id. */
export function accountFinder(client: Client): AccountOf {
  return async (signWith) => {
    for (const find of [ofWallet, ofPrivateKey]) {
      const found = await find(client, signWith).catch((error: unknown) => {
        // A missing account is no error here: the caller reports it.
        if (error instanceof RequestFailed || error instanceof Failure) return undefined;
        throw error;
      });
      if (found !== undefined) return found;
    }
    return undefined;
  };
}

async function ofWallet(client: Client, address: string) {
  const account = await accountWithAddress(client, address);
  const publicKey = account?.publicKey;
  return account === undefined || publicKey === undefined ? undefined : { ...account, publicKey };
}

async function ofPrivateKey(client: Client, word: string) {
  const { privateKeys } = await client.query('list_private_keys');
  for (const { privateKeyId, publicKey, addresses } of privateKeys) {
    const named = addresses.find(({ address }) => isSameAddress(address, word));
    const own = named ?? (privateKeyId === word.toLowerCase() ? addresses[0] : undefined);
    const { address, format } = own ?? {};
    if (address !== undefined && format !== undefined) {
      return { address, addressFormat: format, publicKey };
    }
  }
  return undefined;
}
