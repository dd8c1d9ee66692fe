import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startTestService } from '../../support/harness.ts';
import { checkQuery } from '../checks.ts';
import { addChild } from '../other_callers.ts';
import { makeTag } from '../private_keys/private_key_requests.ts';
import { makeUserTag, timestampOf } from '../users/user_requests.ts';

const operation = 'list_user_tags';

test('list_user_tags: lists the user tags of this organization, oldest first', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const child = await addChild(service);
  await makeTag(service, 'Of keys');
  const ofChild = await makeUserTag(service, 'Of the child', [], child);
  const made: object[] = [];
  for (const tagName of ['B', 'A']) {
    const tagId = await makeUserTag(service, tagName);
    const createdAt = timestampOf(service.now());
    made.push({ tagId, tagName, tagType: 'TAG_TYPE_USER', createdAt, updatedAt: createdAt });
  }
  assert.deepEqual(await checkQuery(service, { operation, body: {} }), { userTags: made });
  const { organizationId } = child;
  const { body } = await service.query(operation, {}, { organizationId });
  assert.deepEqual(
    body.userTags.map((tag: { tagId: string }) => tag.tagId),
    [ofChild],
  );
});
