import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ApiKey, OrganizationHead, User } from '../../../src/core/organization/model.ts';
import {
  createDraft,
  newOrganizationState,
  stateAfter,
  viewOf,
} from '../../../src/core/organization/state.ts';
import { userView } from '../../../src/core/views/wire.ts';

const head = { name: 'organization' } as unknown as OrganizationHead;
const times = { createdAtMs: 1_000, updatedAtMs: 2_000 };
const user = { id: 'user', name: 'Name', tagIds: [], ...times } as unknown as User;
const key = (id: string): ApiKey =>
  ({
    id,
    userId: 'user',
    name: id,
    publicKey: `02${id}`,
    type: 'CREDENTIAL_TYPE_API_KEY_P256',
    ...times,
  }) as unknown as ApiKey;
const namesIn = (view: ReturnType<typeof userView>) =>
  view.apiKeys.map(({ apiKeyName }) => apiKeyName);

test('the view of a user is cached until one of its credentials or the user changes', () => {
  const draft = createDraft(newOrganizationState('organization', undefined, head));
  draft.put('user', user);
  draft.put('api_key', key('first'));
  const first = stateAfter(
    newOrganizationState('organization', undefined, head),
    draft.changes(),
    1,
  );
  const before = userView(user, viewOf(first));
  assert.deepEqual(namesIn(before), ['first']);
  assert.equal(userView(user, viewOf(first)), before);

  const later = createDraft(first);
  later.put('api_key', key('second'));
  assert.deepEqual(namesIn(userView(user, later)), ['first', 'second']);
  later.remove('api_key', 'first');
  assert.deepEqual(namesIn(userView(user, later)), ['second']);
  const second = stateAfter(first, later.changes(), 2);
  assert.deepEqual(namesIn(userView(user, viewOf(second))), ['second']);
  // The view of the earlier state is unchanged.
  assert.deepEqual(userView(user, viewOf(first)), before);

  const renamed: User = { ...user, name: 'Other' };
  assert.equal(userView(renamed, viewOf(second)).userName, 'Other');
});
