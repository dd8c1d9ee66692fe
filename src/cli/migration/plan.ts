// Computes the plan of `keywright migrate` from both organizations. Rows match by name, wallets and keys by
// their addresses, so a new plan continues an interrupted run.

import type { Named } from '../service/find.ts';
import { keyRow, keyTagRow, walletRow } from './plan_keys.ts';
import { idsOf, policyRow } from './plan_policies.ts';
import { userRow } from './plan_users.ts';
import { onlyOne, type PlannedRow } from './rows.ts';
import type { Endpoint, OrganizationState } from './state.ts';
import { type SubOrganization, subOrganizationRow } from './sub_organizations.ts';
import { parametersKey, type Transfers } from './transfers.ts';

export type PlanInput = {
  readonly source: OrganizationState;
  readonly target: OrganizationState;
  readonly sourceChildren: readonly SubOrganization[];
  readonly targetChildren: readonly SubOrganization[];
  /** Undefined if wallets and private keys stay. */
  readonly transfers: Transfers | undefined;
  /** Notes of creations that wait in the target, by their parameters. */
  readonly waiting: ReadonlyMap<string, string>;
  /** Milliseconds since 1970. */
  readonly nowMs: number;
};

/** Name of the onboarding proxy's user, and prefix of its policies. Each service creates its own. */
const proxyName = 'Onboarding proxy';

/** Returns a planned row for each row of the source. */
export function planOf(input: PlanInput): readonly PlannedRow[] {
  return rowsOf(input).map(({ creation, ...row }): PlannedRow => {
    if (creation === undefined) return row;
    const note = input.waiting.get(parametersKey(creation.parameters));
    return note === undefined ? { ...row, creation } : { ...row, state: 'waits', note };
  });
}

function rowsOf(input: PlanInput): readonly PlannedRow[] {
  const { source, target, sourceChildren, targetChildren, transfers, nowMs } = input;
  const ids = idsOf(source, target, nowMs);
  const both = { source, target, nowMs };
  return [
    ...source.userTags.map((tag) => tagRow(tag, target)),
    ...source.users
      .filter(({ name }) => name !== proxyName)
      .map((user) => userRow(user, source, target, nowMs)),
    quorumRow(source, target),
    ...source.policies
      .filter(({ name }) => !name.startsWith(`${proxyName} `))
      .map((policy) => policyRow(policy, both, ids, transfers !== undefined)),
    ...(source.endpoints ?? []).map((endpoint) => endpointRow(endpoint, target)),
    ...source.wallets.map((wallet) => walletRow(wallet, both, transfers)),
    ...source.privateKeys.map((key) => keyRow(key, both, transfers)),
    ...source.privateKeyTags.map((tag) => keyTagRow(tag, both)),
    ...sourceChildren.map((child) => subOrganizationRow(child, targetChildren, nowMs)),
    ...leftRows(source, target),
  ];
}

function tagRow({ name }: Named, target: OrganizationState): PlannedRow {
  const about = { kind: 'user tag', name } as const;
  if (onlyOne(target.userTags, name) !== undefined) return { ...about, state: 'done', note: '' };
  const parameters = { userTagName: name, userIds: [] };
  const creation = { operation: 'create_user_tag', parameters } as const;
  return { ...about, state: 'create', note: '', creation };
}

/** Compares the root quorum by the names of its members. A run does not change it. */
function quorumRow(source: OrganizationState, target: OrganizationState): PlannedRow {
  const [before, after] = [source, target].map(({ rootQuorum: { threshold, userIds }, users }) => {
    const names = userIds.map((id) => users.find((user) => user.id === id)?.name ?? id);
    return `${threshold} of ${names.toSorted().join(', ')}`;
  });
  const about = { kind: 'root quorum', name: before ?? '' } as const;
  return before === after
    ? { ...about, state: 'done', note: '' }
    : { ...about, state: 'by hand', note: `is ${after}: keywright org quorum set` };
}

function endpointRow(
  { name, url, subscriptions }: Endpoint,
  target: OrganizationState,
): PlannedRow {
  const about = { kind: 'webhook', name } as const;
  const found = onlyOne(target.endpoints ?? [], name);
  if (found !== undefined) {
    return found.url === url
      ? { ...about, state: 'done', note: '' }
      : { ...about, state: 'differs', note: 'the endpoint of the target has another address' };
  }
  const parameters = {
    name,
    ...(url === '' ? {} : { url }),
    ...(subscriptions === undefined ? {} : { subscriptions }),
  };
  const creation = { operation: 'create_webhook_endpoint', parameters } as const;
  return { ...about, state: 'create', note: 'signs by other keys', creation };
}

/** Reports the rows that no run moves, until the target has rows of the same kind and name. */
function leftRows(source: OrganizationState, target: OrganizationState): readonly PlannedRow[] {
  const there = new Set(target.left.map(({ kind, name }) => `${kind} ${name}`));
  return source.left.map(({ kind, name, why }) =>
    there.has(`${kind} ${name}`)
      ? { kind, name, state: 'done', note: 'of this name; its content is not compared' }
      : { kind, name, state: 'by hand', note: why },
  );
}
