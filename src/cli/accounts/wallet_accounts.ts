// Finds accounts of wallets by the words that people type: `shop`, `shop/ethereum`, `shop/m/44'/60'/0'/0/0`.

import type { Client } from '../../client/connect.ts';
import type { Queries } from '../../client/generated/operations.ts';
import { quoted } from '../files/files.ts';
import { visible } from '../output/output.ts';
import { findByName } from '../service/find.ts';
import { isKind } from '../words/address_kinds.ts';
import { Failure } from '../words/failures.ts';
import { allRows } from '../words/rows.ts';

export type Account = Queries['list_wallet_accounts']['result']['accounts'][number];

/** Returns every account of a wallet, oldest first. */
export async function accountsOf(client: Client, walletId: string): Promise<readonly Account[]> {
  return await allRows(client.pages('list_wallet_accounts', { walletId }));
}

/** Returns the wallet of WALLET[/ACCOUNT] and at least one matching account. Throws `not_found`. */
export async function findAccounts(client: Client, word: string) {
  const { wallets } = await client.query('list_wallets');
  const named = wallets.map((wallet) => ({
    ...wallet,
    id: wallet.walletId,
    name: wallet.walletName,
  }));
  const meant = named.flatMap((wallet) =>
    partsBelow(word, [wallet.id, wallet.name]).map(({ name, part }) => ({ name, part })),
  );
  const { name, part } = meant[0] ?? { name: word.split('/')[0] ?? word, part: '' };
  const wallet = findByName('wallet', name, named);
  const accounts = matchAccounts(await accountsOf(client, wallet.walletId), part);
  if (accounts.length > 0) return { wallet, accounts };
  throw new Failure({
    exit: 'not_found',
    message:
      part === ''
        ? `The wallet ${visible(name)} has no accounts.`
        : `The wallet ${visible(name)} has no account ${visible(part)}.`,
    next:
      part === ''
        ? `keywright wallet account add ${quoted(name)} ethereum`
        : `keywright wallet account list ${quoted(name)}`,
  });
}

/**
 * Returns the accounts with this name, address or path, else the accounts of this kind. An empty word matches
 * all.
 */
export function matchAccounts(accounts: readonly Account[], word: string): readonly Account[] {
  if (word === '') return accounts;
  const exact = accounts.filter(
    ({ name, address, path }) => name === word || path === word || isSameAddress(address, word),
  );
  if (exact.length > 0) return exact;
  return accounts.filter(({ addressFormat }) => isKind(word, addressFormat));
}

/** Maximum accounts to search for an address. */
const maximumAccounts = 10_000;

/**
 * Returns the first account of the organization with this address; undefined if there is none. Throws
 * `not_found` if the organization has more accounts than the search reads.
 */
export async function accountWithAddress(
  client: Client,
  address: string,
): Promise<Account | undefined> {
  let looked = 0;
  for await (const account of client.pages('list_wallet_accounts')) {
    if (isSameAddress(account.address, address)) return account;
    looked += 1;
    if (looked < maximumAccounts) continue;
    throw new Failure({
      exit: 'not_found',
      message: `None of the first ${maximumAccounts} accounts has the address ${visible(address)}.`,
      next: 'Name it by its wallet: WALLET/ACCOUNT.',
    });
  }
  return undefined;
}

/**
 * Returns the part after each name and a slash; an empty part for the name itself. Omits names that do not
 * match.
 */
export const partsBelow = (word: string, names: readonly string[]) =>
  [...new Set(names)].flatMap((name) => {
    if (word === name) return [{ name, part: '' }];
    return word.startsWith(`${name}/`) ? [{ name, part: word.slice(name.length + 1) }] : [];
  });

/** Compares addresses. Hexadecimal addresses are equal in any letter case. */
export function isSameAddress(address: string | undefined, word: string): boolean {
  if (address === undefined || address === word) return address === word;
  return /^0x[0-9a-f]+$/i.test(address) && address.toLowerCase() === word.toLowerCase();
}
