// Pages of a few matching children among many others.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createIdSource } from '../../../src/core/base/ids.ts';
import { emptySmallState, type OrganizationState } from '../../../src/core/organization/state.ts';
import { createRootKeys } from '../../../src/enclave/keys/root_keys.ts';
import { createChildren } from '../../../src/enclave/records/children.ts';
import { seededRandom, testRootKey } from '../../support/harness.ts';

const newId = createIdSource({ clock: () => 1, random: seededRandom('children') });
const parentId = newId();
const times = { createdAtMs: 1, updatedAtMs: 1 };
const all = Array.from({ length: 2_500 }, newId);
/** Only the first and the last child have a verified contact. */
const verified = new Set([all.at(0), all.at(-1)]);

function childOf(id: string): OrganizationState {
  const records = emptySmallState();
  const user = { id: newId(), name: 'User', email: 'a@example.com', tagIds: [], ...times };
  const marked = verified.has(id) ? { ...user, emailVerified: true as const } : user;
  const rootQuorum = { threshold: 1, userIds: [] };
  return {
    id,
    parentId,
    version: 0,
    guard: 0,
    head: { name: 'Child', rootQuorum, features: [], ...times },
    records: { ...records, user: new Map([[user.id, marked]]) },
  };
}

const { verifiedPage } = createChildren({
  store: {
    lookup: async () => [],
    children: async ({ page: { greaterThan, lessThan, ascending, limit } }) => {
      const within = all.filter(
        (id) =>
          (greaterThan === undefined || id > greaterThan) &&
          (lessThan === undefined || id < lessThan),
      );
      return (ascending ? within : within.toReversed()).slice(0, limit);
    },
  },
  keys: createRootKeys(testRootKey()),
  organization: async (id) => ({ state: childOf(id) }),
  accountsIn: async () => [],
});

test('a page of verified children that ends early names the start of the next one', async () => {
  const from = (cursor: object) =>
    verifiedPage(parentId, { limit: 10, before: undefined, after: undefined, ...cursor });
  const [first, last] = [all.at(0), all.at(-1)];
  assert.deepEqual(await from({}), { ids: [first], seen: all[1_999] });
  assert.deepEqual(await from({ after: all[1_999] }), { ids: [last] });
  assert.deepEqual(await from({ before: last }), { ids: [], seen: all[499] });
  assert.deepEqual(await from({ before: all[499] }), { ids: [first] });
  assert.deepEqual(await from({ limit: 1 }), { ids: [first] });
});
