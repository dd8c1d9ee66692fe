// Plans sub-organizations. The parent creates them with their root users. Their wallets and keys belong to
// their own users, who run the migration there.

import type { Client } from '../../client/connect.ts';
import { allRows } from '../words/rows.ts';
import { createdUser } from './plan_users.ts';
import { counted, type PlannedRow } from './rows.ts';
import { type UserState, userState } from './state.ts';

export type SubOrganization = {
  readonly id: string;
  readonly name: string;
  readonly rootUsers: readonly UserState[];
  readonly threshold: number;
  /** Public keys of the private keys, and names of the wallets. */
  readonly holds: readonly string[];
};

/** Reads sub-organizations; each only once. */
export function subOrganizationsOf(client: Client): () => Promise<readonly SubOrganization[]> {
  const known = new Map<string, SubOrganization>();
  return async () => {
    const ids = await allRows(client.pages('list_suborgs'));
    for (const id of ids) {
      if (!known.has(id)) known.set(id, await readSubOrganization(client.within(id), id));
    }
    return ids.flatMap((id) => known.get(id) ?? []);
  };
}

async function readSubOrganization(client: Client, id: string): Promise<SubOrganization> {
  const { organizationData } = await client.query('get_organization');
  const { name, users, rootQuorum, wallets, privateKeys } = organizationData;
  return {
    id,
    name,
    rootUsers: users
      .filter(({ userId }) => rootQuorum.userIds.includes(userId))
      .map((user) => userState(user, new Map())),
    threshold: rootQuorum.threshold,
    holds: [
      ...wallets.map(({ walletName }) => `wallet ${walletName}`),
      ...privateKeys.map(({ publicKey }) => `key ${publicKey}`),
    ],
  };
}

/** Returns the sub-organization of the target with the same name and a key of the same root user. */
function subOrganizationLike(
  { name, rootUsers }: SubOrganization,
  targets: readonly SubOrganization[],
): SubOrganization | undefined {
  const keys = new Set(rootUsers.flatMap((user) => user.keys.map(({ publicKey }) => publicKey)));
  return targets.find(
    (other) =>
      other.name === name &&
      other.rootUsers.some((user) => user.keys.some(({ publicKey }) => keys.has(publicKey))),
  );
}

export function subOrganizationRow(
  organization: SubOrganization,
  targets: readonly SubOrganization[],
  nowMs: number,
): PlannedRow {
  const { name, rootUsers, threshold, holds } = organization;
  const about = { kind: 'sub-organization', name } as const;
  const found = subOrganizationLike(organization, targets);
  if (found !== undefined) {
    const left = holds.filter((held) => !found.holds.includes(held)).length;
    if (left === 0) return { ...about, state: 'done', note: found.id };
    const what = counted(left, 'wallet or key', 'wallets and keys');
    return { ...about, state: 'waits', note: `${what} for its own users to move into ${found.id}` };
  }
  const users = rootUsers.map((user) => ({ user, created: createdUser(user, nowMs) }));
  const able = users.flatMap(({ created }) => created ?? []);
  const others = users.flatMap(({ user, created }) => (created === undefined ? [user.name] : []));
  if (able.length < threshold) {
    const note = `${others.join(', ')} must sign up again: no API key without an end`;
    return { ...about, state: 'by hand', note };
  }
  const parameters = {
    subOrganizationName: name,
    rootQuorumThreshold: threshold,
    rootUsers: able,
  };
  const creation = { operation: 'create_sub_organization', parameters } as const;
  const note = others.length === 0 ? '' : `without ${others.join(', ')}, who must join again`;
  return { ...about, state: 'create', note, creation };
}
