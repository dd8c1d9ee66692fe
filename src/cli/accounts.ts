// The account that a request names, as the service tells it.

import type { Client } from '../client/connect.ts';
import { RequestFailed } from '../client/errors.ts';
import type { AccountOf } from './signed_content.ts';

/** Finds accounts by address, and private keys by address or id. */
export function accountFinder(client: Client): AccountOf {
  return async (signWith) => {
    for (const find of [ofWallet, ofPrivateKey]) {
      const found = await find(client, signWith).catch((error: unknown) => {
        if (error instanceof RequestFailed) return undefined;
        throw error;
      });
      if (found !== undefined) return found;
    }
    return undefined;
  };
}

/** Accounts are looked through page by page, and no further than this. */
const maximumAccounts = 10_000;

async function ofWallet(client: Client, address: string) {
  let looked = 0;
  for await (const { publicKey, ...account } of client.pages('list_wallet_accounts', {})) {
    const isIt = account.address.toLowerCase() === address.toLowerCase();
    if (isIt && publicKey !== undefined) return { ...account, publicKey };
    looked += 1;
    if (looked === maximumAccounts) return undefined;
  }
  return undefined;
}

async function ofPrivateKey(client: Client, word: string) {
  const { privateKeys } = await client.query('list_private_keys');
  for (const { privateKeyId, publicKey, addresses } of privateKeys) {
    const named = addresses.find(({ address }) => address?.toLowerCase() === word.toLowerCase());
    const own = named ?? (privateKeyId === word.toLowerCase() ? addresses[0] : undefined);
    const { address, format } = own ?? {};
    if (address !== undefined && format !== undefined) {
      return { address, addressFormat: format, publicKey };
    }
  }
  return undefined;
}
