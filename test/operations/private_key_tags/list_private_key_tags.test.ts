import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startTestService } from '../../support/harness.ts';
import { checkQuery } from '../checks.ts';
import { addChild, changeOrganization } from '../other_callers.ts';
import { makeTag } from '../private_keys/private_key_requests.ts';

test('list_private_key_tags: lists only tags of private keys, oldest first', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const first = await makeTag(service, 'First');
  const seconds = String(Math.floor(service.now() / 1000));
  const createdAt = { seconds, nanos: '1000000' };
  const second = await makeTag(service, 'Second');
  await makeTag(service, 'Of the child', [], await addChild(service));
  await changeOrganization(service, (draft, newId) => {
    const times = { createdAtMs: service.now(), updatedAtMs: service.now() };
    draft.put('tag', { id: newId(), name: 'Of users', type: 'TAG_TYPE_USER', ...times });
  });
  const operation = 'list_private_key_tags';
  const { privateKeyTags } = await checkQuery(service, { operation, body: {} });
  assert.deepEqual(privateKeyTags[0], {
    tagId: first,
    tagName: 'First',
    tagType: 'TAG_TYPE_PRIVATE_KEY',
    createdAt,
    updatedAt: createdAt,
  });
  assert.deepEqual(
    privateKeyTags.map((tag: { tagId: string }) => tag.tagId),
    [first, second],
  );
});
