// Plans users with their API keys and tags.

import { counted, onlyOne, type PlannedRow } from './rows.ts';
import type { OrganizationState, UserKey, UserState } from './state.ts';

export function userRow(
  user: UserState,
  source: OrganizationState,
  target: OrganizationState,
  nowMs: number,
): PlannedRow {
  const { name, passkeys, identities } = user;
  const about = { kind: 'user', name } as const;
  const isAmbiguous = [source, target].some(
    ({ users }) => users.filter((row) => row.name === name).length > 1,
  );
  if (isAmbiguous) return { ...about, state: 'by hand', note: 'several users have this name' };
  const left = [
    ...(passkeys > 0 ? [`registers ${counted(passkeys, 'passkey')} again`] : []),
    ...(identities > 0
      ? [`adds ${counted(identities, 'OAuth identity', 'OAuth identities')} again`]
      : []),
  ].join(', ');
  const found = onlyOne(target.users, name);
  if (found !== undefined) {
    const lacks = lackedKeys(user, found, nowMs);
    const lacksTags = user.tags.filter((tag) => !found.tags.includes(tag));
    const missing = [
      ...lacks.map(({ apiKeyName }) => `the key ${apiKeyName}`),
      ...lacksTags.map((tag) => `the tag ${tag}`),
    ];
    return missing.length === 0
      ? { ...about, state: 'done', note: left }
      : { ...about, state: 'differs', note: `lacks ${missing.join(', ')}` };
  }
  const created = createdUser(user, nowMs);
  if (created === undefined) {
    return { ...about, state: 'by hand', note: 'has no API key without an end: invite the user' };
  }
  const tagIds = user.tags.map((tag) => onlyOne(target.userTags, tag)?.id);
  const userTags = tagIds.filter((id) => id !== undefined);
  if (userTags.length < tagIds.length) return { ...about, state: 'create', note: left };
  const users = [{ ...created, userTags }];
  const creation = { operation: 'create_users', parameters: { users } } as const;
  return { ...about, state: 'create', note: left, creation };
}

/** Returns the keys of a user that its namesake does not have. */
export const lackedKeys = (
  user: UserState,
  namesake: UserState,
  nowMs: number,
): readonly UserKey[] =>
  livingKeys(user, nowMs).filter(
    (key) => !namesake.keys.some(({ publicKey }) => publicKey === key.publicKey),
  );

/** Returns the parameters of a user without tags; undefined if each of the user's keys expires. */
export function createdUser(user: UserState, nowMs: number) {
  const { name, email, phone } = user;
  const keys = livingKeys(user, nowMs);
  if (!keys.some(({ expiresAtMs }) => expiresAtMs === undefined)) return undefined;
  return {
    userName: name,
    ...(email === undefined || email === '' ? {} : { userEmail: email }),
    ...(phone === undefined || phone === '' ? {} : { userPhoneNumber: phone }),
    apiKeys: keys.map((key) => createdKey(key, nowMs)),
    authenticators: [],
    oauthProviders: [],
  };
}

const livingKeys = ({ keys }: UserState, nowMs: number): readonly UserKey[] =>
  keys.filter(({ expiresAtMs }) => (expiresAtMs ?? nowMs + 1) > nowMs);

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
