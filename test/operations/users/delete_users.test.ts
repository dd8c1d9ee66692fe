import assert from 'node:assert/strict';
import { test } from 'node:test';
import { delete_users } from '../../../src/operations/users/delete_users.ts';
import { startTestService, testKey } from '../../support/harness.ts';
import { assertRefused, checkActivity, checkRefused } from '../checks.ts';
import { addChild } from '../other_callers.ts';
import { unknownId } from '../wallets/wallet_requests.ts';
import { factsOf, makeUser, makeUserTag, shownUser } from './user_requests.ts';

const wire = {
  operation: 'delete_users',
  type: 'ACTIVITY_TYPE_DELETE_USERS',
  intent: 'deleteUsersIntent',
  result: 'deleteUsersResult',
};

test('delete_users: deletes the users with their keys', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const names = ['Alice', 'Bob', 'Carol'] as const;
  const [alice, bob, carol] = [
    await makeUser(service, names[0]),
    await makeUser(service, names[1]),
    await makeUser(service, names[2]),
  ];
  await makeUserTag(service, 'Tag', [alice, carol]);
  const apiKeyId = (await shownUser(service, alice)).apiKeys[0].apiKeyId;
  const result = await checkActivity(service, {
    ...wire,
    parameters: { userIds: [carol, alice.toUpperCase()] },
    malformed: [
      { field: 'parameters.userIds', parameters: { userIds: [] } },
      { field: 'parameters.userIds.1', parameters: { userIds: [alice, 'x'] } },
      {
        field: 'parameters.userIds.1',
        parameters: { userIds: [alice, alice.toUpperCase()] },
      },
    ],
  });
  assert.deepEqual(result, { userIds: [carol, alice] });
  for (const userId of [alice, carol]) {
    assertRefused(await service.query('get_user', { userId }), 404, 5);
  }
  assertRefused(await service.query('get_api_key', { apiKeyId }), 404, 5);
  for (const name of [names[0], names[2]]) {
    const answer = await service.query('whoami', {}, { key: testKey(name) });
    assertRefused(answer, 401, 16);
    assert.equal(answer.body.turnkeyErrorCode, 'PUBLIC_KEY_NOT_FOUND');
  }
  const { body } = await service.query('whoami', {}, { key: testKey(names[1]) });
  assert.equal(body.userId, bob);
  // The public key of a deleted user is free.
  await makeUser(service, names[0]);
});

test('delete_users: keeps members of the root quorum, and deletes all given users or none', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const root = service.root.userId;
  const alice = await makeUser(service, 'Alice');
  const ofChild = await makeUser(service, 'Of the child', {}, await addChild(service));
  const inQuorum = { status: 400, code: 3, text: /quorum users missing/ };
  const missing = { status: 404, code: 5, text: /^unable to find user / };
  for (const [userIds, refusal] of [
    [[root], { ...inQuorum, field: 'parameters.userIds.0' }],
    [[alice, root], { ...inQuorum, field: 'parameters.userIds.1' }],
    [[alice, unknownId], missing],
    [[alice, ofChild], missing],
  ] as const) {
    await checkRefused(service, { ...wire, parameters: { userIds } }, refusal);
  }
  assert.equal((await shownUser(service, alice)).userId, alice);

  // Outside of the quorum, the former root user can be deleted.
  const quorum = { threshold: 1, userIds: [alice] };
  await service.submit('update_root_quorum', 'ACTIVITY_TYPE_UPDATE_ROOT_QUORUM', quorum);
  const as = { key: testKey('Alice') };
  const { status } = await service.submit(wire.operation, wire.type, { userIds: [root] }, as);
  assert.equal(status, 200);
  const { body } = await service.query('list_users', {}, as);
  assert.deepEqual(
    body.users.map((user: { userId: string }) => user.userId),
    [alice],
  );
  const last = { ...wire, parameters: { userIds: [alice] }, as };
  await checkRefused(service, last, inQuorum);
});

test('delete_users: a member of the root quorum stays, even if the others would suffice', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const alice = await makeUser(service, 'Alice');
  const bob = await makeUser(service, 'Bob');
  const { userId: root } = service.root;
  const quorum = { threshold: 1, userIds: [root, alice] };
  const changed = await service.submit(
    'update_root_quorum',
    'ACTIVITY_TYPE_UPDATE_ROOT_QUORUM',
    quorum,
  );
  assert.equal(changed.status, 200);
  const inQuorum = { status: 400, code: 3, text: /quorum users missing/ };
  // By another member, by itself, in upper case, and next to a user outside of the quorum.
  for (const [userIds, as] of [
    [[alice], {}],
    [[root], { key: testKey('Alice') }],
    [[alice], { key: testKey('Alice') }],
    [[alice.toUpperCase()], {}],
    [[bob, alice], {}],
  ] as const) {
    await checkRefused(service, { ...wire, parameters: { userIds }, as }, inQuorum);
  }
  const { body } = await service.query('get_organization_configs');
  assert.deepEqual(body.configs.quorum, quorum);
  assert.equal((await shownUser(service, bob)).userId, bob);
});

test('delete_users: a user may not delete itself or others without a grant', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const as = { key: testKey('Alice') };
  const alice = await makeUser(service, 'Alice');
  const bob = await makeUser(service, 'Bob');
  for (const userId of [alice, bob]) {
    await checkRefused(
      service,
      { ...wire, parameters: { userIds: [userId] }, as },
      { status: 403, code: 7, text: /^You don't have sufficient permissions/ },
    );
  }
});

test('delete_users: policies see ids in lower case', () => {
  const id = unknownId.replace('0', 'A');
  assert.deepEqual(factsOf(delete_users, { userIds: [id, unknownId] }), {
    params: { user_ids: [id.toLowerCase(), unknownId] },
  });
});
