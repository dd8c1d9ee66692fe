// Checks that new accounts do not collide with stored ones.

import { fail } from '../../core/errors/errors.ts';
import { type DerivedAccount, failDuplicateAccount } from '../../core/keys/wallets.ts';
import type { Reader } from '../reader.ts';

/** Rejects names of existing accounts of the organization. Raises `label_not_unique`. */
export async function ensureAccountNamesFree(
  accounts: readonly { readonly name?: string }[],
  read: Reader,
): Promise<void> {
  const names = accounts.map((account) => account.name).filter((name) => name !== undefined);
  const taken = await Promise.all(names.map((name) => read.walletAccountsByName(name)));
  const label = names.find((_, i) => taken[i]?.length !== 0);
  if (label !== undefined) fail('label_not_unique', { resource: 'wallet account', label });
}

/**
 * Rejects accounts that the wallet already has. They are matched by address, because two spellings of a path
 * can be one account. Raises `already_exists`.
 */
export async function ensureAccountsNew(
  walletId: string,
  accounts: readonly DerivedAccount[],
  read: Reader,
): Promise<void> {
  const found = await Promise.all(
    accounts.map(({ address }) => read.walletAccountsByAddress(address)),
  );
  for (const [i, { path, addressFormat }] of accounts.entries()) {
    const isTaken = found[i]?.some(
      (known) => known.walletId === walletId && known.addressFormat === addressFormat,
    );
    if (isTaken) failDuplicateAccount(path, addressFormat);
  }
}
