// Plans policies. Their ids are replaced by those of the target.

import { marksIn } from './find_differences.ts';
import { keyLike, walletLike } from './plan_keys.ts';
import { lackedKeys } from './plan_users.ts';
import { onlyOne, type PlannedRow } from './rows.ts';
import type { OrganizationState, UserState } from './state.ts';

/** Returns true if the user of this name in the target has other keys, and may be another person. */
function hasStranger(user: UserState, target: OrganizationState, nowMs: number): boolean {
  const found = onlyOne(target.users, user.name);
  return found !== undefined && lackedKeys(user, found, nowMs).length > 0;
}

/** Maps source ids to target ids. Names alone do not identify users. */
export function idsOf(
  source: OrganizationState,
  target: OrganizationState,
  nowMs: number,
): ReadonlyMap<string, string> {
  const byName = (['users', 'userTags', 'privateKeyTags'] as const).flatMap((list) =>
    source[list].flatMap(({ id, name }) => {
      const found = onlyOne(target[list], name);
      const isOnly = onlyOne(source[list], name) !== undefined;
      return found === undefined || !isOnly ? [] : [[id, found.id] as const];
    }),
  );
  const strangers = new Set(
    source.users.filter((user) => hasStranger(user, target, nowMs)).map(({ id }) => id),
  );
  const byKey = [
    ...source.wallets.map((wallet) => [wallet.id, walletLike(wallet, source, target)?.id] as const),
    ...source.privateKeys.map((key) => [key.id, keyLike(key, source, target)?.id] as const),
  ];
  return new Map([
    [source.organizationId, target.organizationId] as const,
    ...byName.filter(([from]) => !strangers.has(from)),
    ...byKey.flatMap(([from, to]) => (to === undefined ? [] : [[from, to] as const])),
  ]);
}

const identifier = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/gi;

export function policyRow(
  policy: OrganizationState['policies'][number],
  {
    source,
    target,
    nowMs,
  }: {
    readonly source: OrganizationState;
    readonly target: OrganizationState;
    readonly nowMs: number;
  },
  ids: ReadonlyMap<string, string>,
  movesKeys: boolean,
): PlannedRow {
  const { name, effect, time, notes } = policy;
  const about = { kind: 'policy', name } as const;
  const created = [
    ...source.users,
    ...source.userTags,
    ...(movesKeys ? [...source.wallets, ...source.privateKeys, ...source.privateKeyTags] : []),
  ];
  const own = new Set(created.map(({ id }) => id.toLowerCase()));
  const named = [policy.condition, policy.consensus].flatMap(
    (text) => text.match(identifier) ?? [],
  );
  const unknown = named.map((id) => id.toLowerCase()).filter((id) => !ids.has(id));
  const foreign = unknown.filter((id) => !own.has(id));
  if (foreign.length > 0) {
    const note = `names ${foreign[0]}, which is not in the target: move wallets and keys first`;
    return { ...about, state: 'by hand', note };
  }
  const stranger = source.users.find(
    (user) => unknown.includes(user.id.toLowerCase()) && hasStranger(user, target, nowMs),
  );
  if (stranger !== undefined) {
    const note = `names the user ${stranger.name}, who has other keys in the target: compare them first`;
    return { ...about, state: 'by hand', note };
  }
  const moved = (text: string) => text.replace(identifier, (id) => ids.get(id.toLowerCase()) ?? id);
  const [condition, consensus] = [moved(policy.condition), moved(policy.consensus)];
  const found = onlyOne(target.policies, name);
  const titles = new Set(
    marksIn('policy', `${condition}\n${consensus}`).map(({ of }) => of.title.toLowerCase()),
  );
  const note = titles.size === 0 ? '' : `behaves differently: ${[...titles].join(', ')}`;
  if (found !== undefined) {
    const isEqual =
      found.effect === effect &&
      found.condition === condition &&
      found.consensus === consensus &&
      found.time === time;
    return isEqual
      ? { ...about, state: 'done', note }
      : { ...about, state: 'differs', note: 'the policy of the target has other clauses' };
  }
  if (unknown.length > 0)
    return { ...about, state: 'create', note: 'after the rows that it names' };
  const parameters = {
    policyName: name,
    effect,
    notes,
    ...(condition === '' ? {} : { condition }),
    ...(consensus === '' ? {} : { consensus }),
    ...(time === '' ? {} : { time }),
  };
  const creation = {
    operation: 'create_policies',
    parameters: { policies: [parameters] },
  } as const;
  return { ...about, state: 'create', note, creation };
}
