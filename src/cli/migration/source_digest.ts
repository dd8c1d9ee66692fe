// The digest of what a migration reads from its source. A run requires the digest of the reviewed plan.

import { createHash } from 'node:crypto';
import type { OrganizationState, UserState } from './state.ts';
import type { SubOrganization } from './sub_organizations.ts';

/**
 * Returns `sha256:` and the SHA-256 in hex of the rows from which a run creates others: users with their
 * keys, tags, policies, webhooks, accounts, private keys and sub-organizations. The order of rows does not
 * matter.
 */
export function sourceDigest(
  source: OrganizationState,
  children: readonly SubOrganization[],
): string {
  const { organizationId, rootQuorum, endpoints = [] } = source;
  const parts = [
    organizationId,
    [rootQuorum.threshold, rootQuorum.userIds.toSorted()],
    sorted(source.users, contentOf),
    ...[source.userTags, source.privateKeyTags].map((tags) =>
      sorted(tags, ({ id, name }) => [id, name]),
    ),
    sorted(source.policies, ({ id, name, effect, condition, consensus, time, notes }) => [
      ...[id, name, effect, condition],
      ...[consensus, time, notes],
    ]),
    sorted(endpoints, ({ name, url, subscriptions }) => [name, url, subscriptions]),
    sorted(source.wallets, ({ id, name, accounts }) => [
      id,
      name,
      sorted(accounts, (account) => [
        ...[account.curve, account.pathFormat, account.path],
        ...[account.addressFormat, account.address, account.publicKey, account.name],
      ]),
    ]),
    sorted(source.privateKeys, ({ id, name, publicKey, curve, addresses, privateKeyTags }) => [
      ...[id, name, publicKey, curve],
      sorted(addresses, ({ format, address }) => [format, address]),
      privateKeyTags.toSorted(),
    ]),
    sorted(children, ({ id, name, threshold, rootUsers }) => [
      ...[id, name, threshold],
      sorted(rootUsers, contentOf),
    ]),
  ];
  return `sha256:${createHash('sha256').update(JSON.stringify(parts)).digest('hex')}`;
}

const contentOf = ({ id, name, email, phone, tags, keys }: UserState) => [
  ...[id, name, email, phone, tags.toSorted()],
  sorted(keys, ({ apiKeyName, publicKey, curveType, expiresAtMs }) => [
    ...[apiKeyName, publicKey],
    ...[curveType, expiresAtMs],
  ]),
];

/** Returns the content of each row as JSON, in the order of these texts. */
function sorted<Row>(rows: readonly Row[], content: (row: Row) => readonly unknown[]) {
  return rows.map((row) => JSON.stringify(content(row))).toSorted();
}
