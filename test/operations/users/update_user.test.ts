// OP-UPDATE-USER-01
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startTestService, testKey } from '../../support/harness.ts';
import { checkActivity, checkRefused } from '../checks.ts';
import { addChild } from '../other_callers.ts';
import { makeTag } from '../private_keys/private_key_requests.ts';
import { unknownId } from '../wallets/wallet_requests.ts';
import { makeUser, makeUserTag, shownUser, timestampOf } from './user_requests.ts';

const wire = {
  operation: 'update_user',
  type: 'ACTIVITY_TYPE_UPDATE_USER', // OP-UPDATE-USER-02
  intent: 'updateUserIntent', // OP-UPDATE-USER-11
  result: 'updateUserResult', // OP-UPDATE-USER-12
};

test('update_user: changes what is sent and keeps the rest', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const tags = [
    await makeUserTag(service, 'One'),
    await makeUserTag(service, 'Two'),
    await makeUserTag(service, 'Three'),
  ] as const;
  const userId = await makeUser(service, 'Alice', { userTags: [tags[0], tags[1]] });
  const before = await shownUser(service, userId);
  // OP-UPDATE-USER-03 to OP-UPDATE-USER-06, OP-UPDATE-USER-09
  const parameters = {
    userId: userId.toUpperCase(),
    userName: 'Alice Example',
    userEmail: 'alice@example.com',
    userTagIds: [tags[2], tags[1].toUpperCase()],
    userPhoneNumber: '+12025550123',
  };
  const result = await checkActivity(service, {
    ...wire,
    parameters,
    optional: ['userName', 'userEmail', 'userTagIds', 'userPhoneNumber'],
    malformed: [
      { field: 'parameters.userId', parameters: { ...parameters, userId: 'x' } },
      { field: 'parameters.userName', parameters: { ...parameters, userName: '' } },
      { field: 'parameters.userEmail', parameters: { ...parameters, userEmail: '' } },
      { field: 'parameters.userEmail', parameters: { ...parameters, userEmail: 'alice' } },
      // OP-UPDATE-USER-10
      { field: 'parameters.userPhoneNumber', parameters: { ...parameters, userPhoneNumber: '' } },
      {
        field: 'parameters.userPhoneNumber',
        parameters: { ...parameters, userPhoneNumber: '2025550123' },
      },
      { field: 'parameters.userTagIds.0', parameters: { ...parameters, userTagIds: ['x'] } },
      {
        field: 'parameters.userTagIds.1',
        parameters: { ...parameters, userTagIds: [tags[0], tags[0].toUpperCase()] },
      },
    ],
  });
  assert.deepEqual(result, { userId }); // OP-UPDATE-USER-13
  const changed = await shownUser(service, userId);
  const { userName, userEmail, userPhoneNumber } = parameters;
  assert.deepEqual(changed, {
    ...before,
    userName,
    userEmail,
    userPhoneNumber,
    userTags: [tags[2], tags[1]], // OP-UPDATE-USER-07
    updatedAt: timestampOf(service.now()),
  });

  const update = async (changes: object) => {
    const { status } = await service.submit(wire.operation, wire.type, { userId, ...changes });
    assert.equal(status, 200);
    const { updatedAt, ...shown } = await shownUser(service, userId);
    assert.deepEqual(updatedAt, timestampOf(service.now()));
    return shown;
  };
  const { updatedAt: _, ...kept } = changed;
  assert.deepEqual(await update({}), kept);
  // Unmodified clients send an empty list for no change; update_user_tag removes tags.
  assert.deepEqual(await update({ userTagIds: [] }), kept);
  assert.deepEqual(await update({ userName: 'A' }), { ...kept, userName: 'A' });
});

test('update_user: refuses unknown users and tags', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const child = await addChild(service);
  const userId = await makeUser(service, 'Alice');
  const ofChild = await makeUser(service, 'Of the child', {}, child);
  const noUser = { status: 404, code: 5, text: /^unable to find user / };
  const noTag = { status: 404, code: 5, text: /^unable to find user tag / };
  for (const [changes, refusal] of [
    [{ userId: unknownId }, noUser],
    [{ userId: ofChild }, noUser],
    [{ userTagIds: [unknownId] }, noTag],
    [{ userTagIds: [await makeTag(service, 'Of keys')] }, noTag],
    [{ userTagIds: [await makeUserTag(service, 'Of the child', [], child)] }, noTag],
  ] as const) {
    const parameters = { userId, userName: 'New name', ...changes };
    await checkRefused(service, { ...wire, parameters }, refusal);
  }
  // Users may not change their own record.
  await checkRefused(
    service,
    { ...wire, parameters: { userId, userName: 'New name' }, as: { key: testKey('Alice') } },
    { status: 403, code: 7, text: /^You don't have sufficient permissions/ },
  );
  assert.equal((await shownUser(service, userId)).userName, 'Alice');
});

test('update_user: a malformed e-mail address has its own code', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const parameters = { userId: await makeUser(service, 'Alice'), userEmail: 'alice@localhost' };
  await checkRefused(
    service,
    { ...wire, parameters },
    { status: 400, code: 3, text: /^invalid email address/, clientCode: 'INVALID_EMAIL' },
  );
});
