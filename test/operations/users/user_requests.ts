import assert from 'node:assert/strict';
import type { FeatureName } from '../../../src/core/base/enums.ts';
import { emptySmallState, viewOf } from '../../../src/core/organization/state.ts';
import type { Facts } from '../../../src/core/policy/decision/access.ts';
import type { JsonObject } from '../../../src/core/schema/json.ts';
import type { ActivityOperation } from '../../../src/operations/operation.ts';
import { type Sender, type TestService, testKey } from '../../support/harness.ts';
import { changeOrganization } from '../other_callers.ts';

/** Returns a P-256 API key in the form of requests; each name has its own key. */
export const describedKey = (name: string, changes: object = {}) => ({
  apiKeyName: name,
  publicKey: testKey(name).publicKey,
  curveType: 'API_KEY_CURVE_P256',
  ...changes,
});

/** Returns a user with one long-lived key, that of its name. */
export const describedUser = (userName: string, changes: object = {}) => ({
  userName,
  userTags: [] as string[],
  apiKeys: [describedKey(userName)],
  authenticators: [] as object[],
  oauthProviders: [] as object[],
  ...changes,
});

/** Sends create_users in its newest form. */
export const sendUsers = (service: TestService, users: readonly object[], as: Sender = {}) =>
  service.submit('create_users', 'ACTIVITY_TYPE_CREATE_USERS_V4', { users }, as);

/** Creates users, by default as the root user of the first organization. */
export async function makeUsers(
  service: TestService,
  users: readonly object[],
  as: Sender = {},
): Promise<string[]> {
  const { status, body } = await sendUsers(service, users, as);
  assert.equal(status, 200, JSON.stringify(body));
  return body.activity.result.createUsersResult.userIds;
}

/** Creates a user with one long-lived key, that of its name. */
export async function makeUser(
  service: TestService,
  name: string,
  changes: object = {},
  as: Sender = {},
): Promise<string> {
  const [userId] = await makeUsers(service, [describedUser(name, changes)], as);
  assert(userId !== undefined);
  return userId;
}

/** Returns a user as the service shows it. */
// biome-ignore lint/suspicious/noExplicitAny: answers are looked into by path in tests
export async function shownUser(service: TestService, userId: string): Promise<any> {
  const { status, body } = await service.query('get_user', { userId });
  assert.equal(status, 200, JSON.stringify(body));
  return body.user;
}

/** Creates a user tag on some users. */
export async function makeUserTag(
  service: TestService,
  userTagName: string,
  userIds: readonly string[] = [],
  as: Sender = {},
): Promise<string> {
  const type = 'ACTIVITY_TYPE_CREATE_USER_TAG';
  const { status, body } = await service.submit(
    'create_user_tag',
    type,
    { userTagName, userIds },
    as,
  );
  assert.equal(status, 200, JSON.stringify(body));
  return body.activity.result.createUserTagResult.userTagId;
}

/** Enables exactly these features in the first organization. */
export async function setFeatures(
  service: TestService,
  names: readonly FeatureName[],
): Promise<void> {
  await changeOrganization(service, (draft) => {
    draft.setHead({ features: names.map((name) => ({ name })) });
    return undefined;
  });
}

/** Returns the facts that policies see of a request in an empty organization. */
export function factsOf(operation: ActivityOperation, parameters: JsonObject): Facts {
  const times = { createdAtMs: 0, updatedAtMs: 0 };
  const rootQuorum = { threshold: 1, userIds: [] };
  const head = { name: 'Empty', rootQuorum, features: [], ...times };
  const records = emptySmallState();
  const organization = viewOf({ id: '', parentId: undefined, version: 1, guard: 1, head, records });
  return operation.facts({ organization, parameters, loaded: undefined });
}

/** Returns a point in time in the form of answers. */
export const timestampOf = (ms: number) => ({
  seconds: String(Math.floor(ms / 1000)),
  nanos: String((ms % 1000) * 1_000_000),
});
