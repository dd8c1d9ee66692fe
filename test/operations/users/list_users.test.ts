import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startTestService } from '../../support/harness.ts';
import { checkQuery } from '../checks.ts';
import { addChild } from '../other_callers.ts';
import { makeUser, shownUser } from './user_requests.ts';

test('list_users: lists the users of this organization, oldest first', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const alice = await makeUser(service, 'Alice', { userEmail: 'alice@example.com' });
  const bob = await makeUser(service, 'Bob');
  const child = await addChild(service);
  const ofChild = await makeUser(service, 'Of the child', {}, child);
  // `checkQuery` added the last user.
  const { users, ...rest } = await checkQuery(service, { operation: 'list_users', body: {} });
  assert.deepEqual(rest, {});
  const expected = [service.root.userId, alice, bob];
  const shown = await Promise.all(expected.map((userId) => shownUser(service, userId)));
  assert.deepEqual(users.slice(0, -1), shown);
  assert.equal(users.at(-1).userName, 'Plain user');

  const { organizationId } = child;
  const { body } = await service.query('list_users', {}, { organizationId });
  const names = body.users.map((user: { userName: string }) => user.userName);
  assert.deepEqual(names, ['Child root', 'Of the child']);
  assert.equal(body.users[1].userId, ofChild);
});
