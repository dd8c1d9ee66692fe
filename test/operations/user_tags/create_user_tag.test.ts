import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startTestService } from '../../support/harness.ts';
import { checkActivity, checkRefused } from '../checks.ts';
import { addChild } from '../other_callers.ts';
import { makeTag } from '../private_keys/private_key_requests.ts';
import { makeUser, makeUserTag, shownUser } from '../users/user_requests.ts';
import { unknownId } from '../wallets/wallet_requests.ts';

const wire = {
  operation: 'create_user_tag',
  type: 'ACTIVITY_TYPE_CREATE_USER_TAG',
  intent: 'createUserTagIntent',
  result: 'createUserTagResult',
};

test('create_user_tag: creates a tag and adds it to users', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const one = await makeUser(service, 'One');
  const two = await makeUser(service, 'Two');
  const three = await makeUser(service, 'Three');
  const parameters = { userTagName: 'Board', userIds: [three.toUpperCase(), one] };
  const result = await checkActivity(service, {
    ...wire,
    parameters,
    malformed: [
      { field: 'parameters.userTagName', parameters: { ...parameters, userTagName: '' } },
      { field: 'parameters.userIds.0', parameters: { ...parameters, userIds: ['x'] } },
      {
        field: 'parameters.userIds.1',
        parameters: { ...parameters, userIds: [one, one.toUpperCase()] },
      },
    ],
  });
  const { userTagId } = result;
  assert.deepEqual(result, { userTagId, userIds: [three, one] });
  const tagsOf = async (userId: string) => (await shownUser(service, userId)).userTags;
  assert.deepEqual(await tagsOf(one), [userTagId]);
  assert.deepEqual(await tagsOf(two), []);
  assert.deepEqual(await tagsOf(three), [userTagId]);
  // A second tag comes after the first.
  const second = await makeUserTag(service, 'Second', [one]);
  assert.deepEqual(await tagsOf(one), [userTagId, second]);
});

test('create_user_tag: names are unique among user tags, users must exist', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  await makeTag(service, 'Name');
  // Private key tags have their own names.
  await makeUserTag(service, 'Name');
  const ofChild = await makeUser(service, 'Of the child', {}, await addChild(service));
  const taken = { status: 400, code: 3, text: /^user tag label must be unique: `Name`/ };
  const missing = { status: 404, code: 5, text: /^unable to find user / };
  for (const [userTagName, userIds, refusal] of [
    ['Name', [], taken],
    ['Other', [unknownId], missing],
    ['Other', [ofChild], missing],
  ] as const) {
    await checkRefused(service, { ...wire, parameters: { userTagName, userIds } }, refusal);
  }
});

test('create_user_tag: tags of both kinds share their limit', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const child = await addChild(service);
  for (let i = 0; i < 5; i += 1) {
    await makeUserTag(service, `Tag ${i}`, [], child);
    await makeTag(service, `Tag ${i}`, [], child);
  }
  const parameters = { userTagName: 'One more', userIds: [] };
  const text = /^organization has exceeded maximum tags: the limit is 10$/;
  await checkRefused(service, { ...wire, parameters, as: child }, { status: 429, code: 8, text });
});
