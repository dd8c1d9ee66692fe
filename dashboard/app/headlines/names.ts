// Reads the names of users, tags, wallets, private keys and policies by id, as the service reports them.

import { useMemo } from 'preact/hooks';
import type { Reading } from '../service/queries.ts';
import { together } from '../service/queries.ts';
import {
  usePolicies,
  usePrivateKeys,
  useUsers,
  useUserTags,
  useWallets,
} from '../service/reads.ts';

export type Names = ReadonlyMap<string, string>;

export const noNames: Names = new Map();

/** Placeholders for the five reads, because the number of dependencies of a hook must stay the same. */
const notThere = Array.from({ length: 5 });

/** Reads all names. Screens show ids until the names are read. */
export function useNames(): Reading<Names> {
  const { data, ...read } = together(
    useUsers(),
    useUserTags(),
    useWallets(),
    usePrivateKeys(),
    usePolicies(),
  );
  const names = useMemo(() => data && namesOf(...data), data ?? notThere);
  return { ...read, data: names };
}

function namesOf(
  users: readonly { readonly userId: string; readonly userName: string }[],
  tags: readonly { readonly tagId: string; readonly tagName: string }[],
  wallets: readonly { readonly walletId: string; readonly walletName: string }[],
  keys: readonly { readonly privateKeyId: string; readonly privateKeyName: string }[],
  policies: readonly { readonly policyId: string; readonly policyName: string }[],
): Names {
  return new Map([
    ...users.map(({ userId, userName }) => [userId, userName] as const),
    ...tags.map(({ tagId, tagName }) => [tagId, tagName] as const),
    ...wallets.map(({ walletId, walletName }) => [walletId, walletName] as const),
    ...keys.map(({ privateKeyId, privateKeyName }) => [privateKeyId, privateKeyName] as const),
    ...policies.map(({ policyId, policyName }) => [policyId, policyName] as const),
  ]);
}
