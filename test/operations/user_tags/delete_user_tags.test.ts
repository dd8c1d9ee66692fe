import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startTestService } from '../../support/harness.ts';
import { checkActivity, checkRefused } from '../checks.ts';
import { addChild } from '../other_callers.ts';
import { makeTag } from '../private_keys/private_key_requests.ts';
import { makeUser, makeUserTag, shownUser } from '../users/user_requests.ts';
import { unknownId } from '../wallets/wallet_requests.ts';

const wire = {
  operation: 'delete_user_tags',
  type: 'ACTIVITY_TYPE_DELETE_USER_TAGS',
  intent: 'deleteUserTagsIntent',
  result: 'deleteUserTagsResult',
};

test('delete_user_tags: deletes the tags, also from the users', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const one = await makeUser(service, 'One');
  const two = await makeUser(service, 'Two');
  const three = await makeUser(service, 'Three');
  const first = await makeUserTag(service, 'First', [one, two]);
  const kept = await makeUserTag(service, 'Kept', [two, three]);
  const last = await makeUserTag(service, 'Last', [two]);
  const userTagIds = [last.toUpperCase(), first];
  const result = await checkActivity(service, {
    ...wire,
    parameters: { userTagIds },
    malformed: [
      { field: 'parameters.userTagIds', parameters: { userTagIds: [] } },
      { field: 'parameters.userTagIds.0', parameters: { userTagIds: ['x'] } },
      { field: 'parameters.userTagIds.1', parameters: { userTagIds: [first, first] } },
    ],
  });
  // Each user once, even with several of the tags.
  assert.deepEqual(result, { userTagIds: [last, first], userIds: [two, one] });
  const users = await Promise.all([one, two, three].map((userId) => shownUser(service, userId)));
  assert.deepEqual(
    users.map((user) => user.userTags),
    [[], [kept], [kept]],
  );
  const { userTags } = (await service.query('list_user_tags')).body;
  assert.deepEqual(
    userTags.map((tag: { tagId: string }) => tag.tagId),
    [kept],
  );
  // The name is free again.
  await makeUserTag(service, 'First');
});

test('delete_user_tags: deletes all or none', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const tag = await makeUserTag(service, 'Tag', [service.root.userId]);
  const missing = { status: 404, code: 5, text: /^unable to find user tag / };
  for (const other of [
    unknownId,
    await makeTag(service, 'Of keys'),
    await makeUserTag(service, 'Of the child', [], await addChild(service)),
  ]) {
    await checkRefused(service, { ...wire, parameters: { userTagIds: [tag, other] } }, missing);
  }
  assert.deepEqual((await shownUser(service, service.root.userId)).userTags, [tag]);
});
