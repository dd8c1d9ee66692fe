import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startTestService } from '../../support/harness.ts';
import { checkActivity, checkRefused } from '../checks.ts';
import { addChild } from '../other_callers.ts';
import { makeTag } from '../private_keys/private_key_requests.ts';
import { makeUser, makeUserTag, shownUser } from '../users/user_requests.ts';
import { unknownId } from '../wallets/wallet_requests.ts';

const wire = {
  operation: 'update_user_tag',
  type: 'ACTIVITY_TYPE_UPDATE_USER_TAG',
  intent: 'updateUserTagIntent',
  result: 'updateUserTagResult',
};

test('update_user_tag: renames the tag, and adds and removes it', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const one = await makeUser(service, 'One');
  const two = await makeUser(service, 'Two');
  const three = await makeUser(service, 'Three');
  const tag = await makeUserTag(service, 'Board', [one, two]);
  const other = await makeUserTag(service, 'Other', [one]);
  const parameters = {
    userTagId: tag.toUpperCase(),
    newUserTagName: 'Council',
    // One user already has the tag and one does not; the same for the removal.
    addUserIds: [three, two.toUpperCase()],
    removeUserIds: [one],
  };
  const result = await checkActivity(service, {
    ...wire,
    parameters,
    optional: ['newUserTagName'],
    malformed: [
      { field: 'parameters.userTagId', parameters: { ...parameters, userTagId: 'x' } },
      { field: 'parameters.newUserTagName', parameters: { ...parameters, newUserTagName: '' } },
      { field: 'parameters.addUserIds.1', parameters: { ...parameters, addUserIds: [two, two] } },
      {
        field: 'parameters.removeUserIds.1',
        parameters: { ...parameters, removeUserIds: [one, three.toUpperCase()] },
      },
    ],
  });
  assert.deepEqual(result, { userTagId: tag });
  const tags = async () => {
    const users = await Promise.all([one, two, three].map((userId) => shownUser(service, userId)));
    return users.map((user) => user.userTags);
  };
  assert.deepEqual(await tags(), [[other], [tag], [tag]]);
  const [renamed] = (await service.query('list_user_tags')).body.userTags;
  assert.equal(renamed.tagName, 'Council');
  assert.notDeepEqual(renamed.updatedAt, renamed.createdAt);

  // Its own name and a user without the tag change nothing.
  const again = { ...parameters, addUserIds: [], removeUserIds: [one] };
  assert.equal((await service.submit(wire.operation, wire.type, again)).status, 200);
  assert.deepEqual(await tags(), [[other], [tag], [tag]]);
});

test('update_user_tag: refuses used names and unknown ids', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const child = await addChild(service);
  const userOfChild = await makeUser(service, 'Of the child', {}, child);
  const tagOfChild = await makeUserTag(service, 'Tag', [], child);
  const tag = await makeUserTag(service, 'Board');
  await makeUserTag(service, 'Taken');
  const parameters = { userTagId: tag, addUserIds: [], removeUserIds: [] };
  const noTag = { status: 404, code: 5, text: /^unable to find user tag / };
  const noUser = { status: 404, code: 5, text: /^unable to find user / };
  const taken = { status: 400, code: 3, text: /^user tag label must be unique: `Taken`/ };
  for (const [changes, refusal] of [
    [{ newUserTagName: 'Taken' }, taken],
    [{ userTagId: unknownId }, noTag],
    [{ userTagId: tagOfChild }, noTag],
    [{ userTagId: await makeTag(service, 'Of keys') }, noTag],
    [{ addUserIds: [unknownId] }, noUser],
    [{ addUserIds: [userOfChild] }, noUser],
    [{ removeUserIds: [unknownId], newUserTagName: 'New' }, noUser],
  ] as const) {
    await checkRefused(service, { ...wire, parameters: { ...parameters, ...changes } }, refusal);
  }
});
