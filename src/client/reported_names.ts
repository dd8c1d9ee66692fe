// Reads the names of users, wallets, private keys and frozen subjects, as a service reports them.

import type { Client } from './connect.ts';
import type { CallOptions } from './requests.ts';

/** Returns names by id. A freeze has the name of its subject. */
export async function readReportedNames(
  client: Client,
  options: CallOptions = {},
): Promise<ReadonlyMap<string, string>> {
  const [{ users }, { wallets }, { privateKeys }, { freezes }] = await Promise.all([
    client.query('list_users', {}, options),
    client.query('list_wallets', {}, options),
    client.query('list_private_keys', {}, options),
    client.query('list_freezes', {}, options),
  ]);
  const rows = [
    ...users.map(({ userId, userName }) => [userId, userName] as const),
    ...wallets.map(({ walletId, walletName }) => [walletId, walletName] as const),
    ...privateKeys.map(
      ({ privateKeyId, privateKeyName }) => [privateKeyId, privateKeyName] as const,
    ),
  ];
  const names = new Map(rows.map(([id]) => [id, reportedName(id, rows)]));
  for (const { freezeId, type, resourceId = '' } of freezes) {
    const subject = type
      .replace(/^FREEZE_TYPE_/, '')
      .toLowerCase()
      .replaceAll('_', ' ');
    names.set(freezeId, `the ${subject} ${names.get(resourceId) ?? resourceId}`.trimEnd());
  }
  return names;
}

/**
 * Returns the name for an id among rows of ids and names. Adds the id to a name that several rows have, and
 * returns the id alone without a row.
 */
export function reportedName(
  id: string,
  rows: readonly (readonly [id: string, name: string])[],
): string {
  const name = rows.find(([own]) => own === id.toLowerCase())?.[1];
  if (name === undefined) return id;
  const isUnique = rows.filter((row) => row[1] === name).length === 1;
  return isUnique ? name : `${name} (${id})`;
}
