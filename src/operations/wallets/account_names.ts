import { fail } from '../../core/errors.ts';
import type { Reader } from '../operation.ts';

/** Refuses names that an account of the organization has already. Raises `label_not_unique`. */
export async function ensureAccountNamesFree(
  accounts: readonly { readonly name?: string }[],
  read: Reader,
): Promise<void> {
  const names = accounts.map((account) => account.name).filter((name) => name !== undefined);
  const taken = await Promise.all(names.map((name) => read.walletAccountsByName(name)));
  const label = names.find((_, i) => taken[i]?.length !== 0);
  if (label !== undefined) fail('label_not_unique', { resource: 'wallet account', label });
}
