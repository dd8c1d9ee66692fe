// Computes the plan of `keywright migrate` from both organizations. Rows of one kind match by name, so a new
// plan continues an interrupted run.

import type { Submits } from '../../client/generated/operations.ts';
import type { Named } from '../service/find.ts';
import type { Endpoint, OrganizationState, UserKey, UserState } from './state.ts';

/** Kinds in the order of creation. Rows refer only to earlier kinds. */
export const kinds = ['user tag', 'user', 'policy', 'webhook', 'wallet', 'private key'] as const;
type Kind = (typeof kinds)[number];

/** The request that creates a row. */
type Creation = {
  [Name in 'create_user_tag' | 'create_users' | 'create_policies' | 'create_webhook_endpoint']: {
    readonly operation: Name;
    readonly parameters: Submits[Name]['parameters'];
  };
}['create_user_tag' | 'create_users' | 'create_policies' | 'create_webhook_endpoint'];

export type PlannedRow = {
  readonly kind: Kind;
  readonly name: string;
  /** `create`: the run creates the row. `by hand`: a person must move it. */
  readonly state: 'create' | 'done' | 'differs' | 'by hand';
  readonly note: string;
  /** Undefined until the referenced rows exist. */
  readonly creation?: Creation;
};

/** Name of the onboarding proxy's user, and prefix of its policies. Each service creates its own. */
const proxyName = 'Onboarding proxy';

/** Returns a planned row for each row of the source. `nowMs`: milliseconds since 1970. */
export function planOf(
  source: OrganizationState,
  target: OrganizationState,
  nowMs: number,
): readonly PlannedRow[] {
  const ids = idsOf(source, target);
  return [
    ...source.userTags.map((tag) => tagRow(tag, target)),
    ...source.users
      .filter(({ name }) => name !== proxyName)
      .map((user) => userRow(user, source, target, nowMs)),
    ...source.policies
      .filter(({ name }) => !name.startsWith(`${proxyName} `))
      .map((policy) => policyRow(policy, source, target, ids)),
    ...(source.endpoints ?? []).map((endpoint) => endpointRow(endpoint, target)),
    ...source.wallets.map((wallet) => keyRow('wallet', wallet, target.wallets)),
    ...source.privateKeys.map((key) => keyRow('private key', key, target.privateKeys)),
  ];
}

/** Maps source ids to target ids, for rows whose name is unique on both sides. */
function idsOf(source: OrganizationState, target: OrganizationState): ReadonlyMap<string, string> {
  const pairs = (['users', 'userTags', 'wallets', 'privateKeys'] as const).flatMap((list) =>
    source[list].flatMap(({ id, name }) => {
      const found = onlyOne(target[list], name);
      const isOnly = onlyOne(source[list], name) !== undefined;
      return found === undefined || !isOnly ? [] : [[id, found.id] as const];
    }),
  );
  return new Map([[source.organizationId, target.organizationId] as const, ...pairs]);
}

/** Returns the only row with this name; undefined for none or several. */
function onlyOne<Row extends Named>(rows: readonly Row[], name: string): Row | undefined {
  const [first, ...others] = rows.filter((row) => row.name === name);
  return others.length === 0 ? first : undefined;
}

const isAmbiguous = (rows: readonly Named[], name: string): boolean =>
  rows.filter((row) => row.name === name).length > 1;

function tagRow({ name }: Named, target: OrganizationState): PlannedRow {
  const about = { kind: 'user tag', name } as const;
  if (onlyOne(target.userTags, name) !== undefined) return { ...about, state: 'done', note: '' };
  const parameters = { userTagName: name, userIds: [] };
  const creation = { operation: 'create_user_tag', parameters } as const;
  return { ...about, state: 'create', note: '', creation };
}

function userRow(
  user: UserState,
  source: OrganizationState,
  target: OrganizationState,
  nowMs: number,
): PlannedRow {
  const { name, email, phone, passkeys, identities } = user;
  const about = { kind: 'user', name } as const;
  if (isAmbiguous(source.users, name) || isAmbiguous(target.users, name)) {
    return { ...about, state: 'by hand', note: 'several users have this name' };
  }
  const keys = user.keys.filter(({ expiresAtMs }) => (expiresAtMs ?? nowMs + 1) > nowMs);
  const left = [
    ...(passkeys > 0 ? [`registers ${counted(passkeys, 'passkey')} again`] : []),
    ...(identities > 0
      ? [`adds ${counted(identities, 'OAuth identity', 'OAuth identities')} again`]
      : []),
  ].join(', ');
  const found = onlyOne(target.users, name);
  if (found !== undefined) {
    const lacks = keys.filter(
      (key) => !found.keys.some(({ publicKey }) => publicKey === key.publicKey),
    );
    const lacksTags = user.tags.filter((tag) => !found.tags.includes(tag));
    const missing = [
      ...lacks.map(({ apiKeyName }) => `the key ${apiKeyName}`),
      ...lacksTags.map((tag) => `the tag ${tag}`),
    ];
    return missing.length === 0
      ? { ...about, state: 'done', note: left }
      : { ...about, state: 'differs', note: `lacks ${missing.join(', ')}` };
  }
  if (!keys.some(({ expiresAtMs }) => expiresAtMs === undefined)) {
    return { ...about, state: 'by hand', note: 'has no API key without an end: invite the user' };
  }
  const tagIds = user.tags.map((tag) => onlyOne(target.userTags, tag)?.id);
  const userTags = tagIds.filter((id) => id !== undefined);
  if (userTags.length < tagIds.length) return { ...about, state: 'create', note: left };
  const created = {
    userName: name,
    ...(email === undefined || email === '' ? {} : { userEmail: email }),
    ...(phone === undefined || phone === '' ? {} : { userPhoneNumber: phone }),
    apiKeys: keys.map((key) => createdKey(key, nowMs)),
    authenticators: [],
    oauthProviders: [],
    userTags,
  };
  const creation = { operation: 'create_users', parameters: { users: [created] } } as const;
  return { ...about, state: 'create', note: left, creation };
}

/** Returns the parameters of a key. Converts its expiry time to remaining seconds. */
function createdKey({ apiKeyName, publicKey, curveType, expiresAtMs }: UserKey, nowMs: number) {
  const seconds = expiresAtMs === undefined ? undefined : Math.ceil((expiresAtMs - nowMs) / 1000);
  return {
    apiKeyName,
    publicKey,
    curveType: curveType as 'API_KEY_CURVE_P256',
    ...(seconds === undefined ? {} : { expirationSeconds: String(seconds) }),
  };
}

const identifier = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/gi;

function policyRow(
  policy: OrganizationState['policies'][number],
  source: OrganizationState,
  target: OrganizationState,
  ids: ReadonlyMap<string, string>,
): PlannedRow {
  const { name, effect, time, notes } = policy;
  const about = { kind: 'policy', name } as const;
  const own = new Set([...source.users, ...source.userTags].map(({ id }) => id.toLowerCase()));
  const named = [policy.condition, policy.consensus].flatMap(
    (text) => text.match(identifier) ?? [],
  );
  const unknown = named.map((id) => id.toLowerCase()).filter((id) => !ids.has(id));
  const foreign = unknown.filter((id) => !own.has(id));
  if (foreign.length > 0) {
    const note = `names ${foreign[0]}, which is not in the target: move wallets and keys first`;
    return { ...about, state: 'by hand', note };
  }
  const moved = (text: string) => text.replace(identifier, (id) => ids.get(id.toLowerCase()) ?? id);
  const [condition, consensus] = [moved(policy.condition), moved(policy.consensus)];
  const found = onlyOne(target.policies, name);
  if (found !== undefined) {
    const isEqual =
      found.effect === effect &&
      found.condition === condition &&
      found.consensus === consensus &&
      found.time === time;
    return isEqual
      ? { ...about, state: 'done', note: '' }
      : { ...about, state: 'differs', note: 'the policy of the target has other clauses' };
  }
  if (unknown.length > 0) return { ...about, state: 'create', note: '' };
  const created = {
    policyName: name,
    effect,
    notes,
    ...(condition === '' ? {} : { condition }),
    ...(consensus === '' ? {} : { consensus }),
    ...(time === '' ? {} : { time }),
  };
  const creation = { operation: 'create_policies', parameters: { policies: [created] } } as const;
  return { ...about, state: 'create', note: '', creation };
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

/** Plans a wallet or private key. It can move only by an export that its owner approves. */
function keyRow(
  kind: 'wallet' | 'private key',
  { name }: Named,
  rows: readonly Named[],
): PlannedRow {
  if (onlyOne(rows, name) !== undefined) return { kind, name, state: 'done', note: '' };
  const word = kind === 'wallet' ? 'wallet' : 'key';
  const note = `export it there, then: keywright import ${word}`;
  return { kind, name, state: 'by hand', note };
}

const counted = (count: number, one: string, several = `${one}s`): string =>
  `${count} ${count === 1 ? one : several}`;
