import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startTestService } from '../../support/harness.ts';
import { checkActivity, checkRefused } from '../checks.ts';
import { addChild } from '../other_callers.ts';
import {
  described,
  makePrivateKeys,
  makeTag,
  tagsOf,
} from '../private_keys/private_key_requests.ts';
import { unknownId } from '../wallets/wallet_requests.ts';

const wire = {
  operation: 'delete_private_key_tags',
  type: 'ACTIVITY_TYPE_DELETE_PRIVATE_KEY_TAGS',
  intent: 'deletePrivateKeyTagsIntent',
  result: 'deletePrivateKeyTagsResult',
};

test('delete_private_key_tags: removes the tags from their keys, and returns each key once', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const ids = (await makePrivateKeys(service, Array(3).fill(described()))).map(
    (key) => key.privateKeyId,
  );
  const [one, two] = ids as [string, string, string];
  const hot = await makeTag(service, 'Hot', [two, one]);
  const cold = await makeTag(service, 'Cold', [one]);
  const kept = await makeTag(service, 'Kept', [one]);
  const parameters = { privateKeyTagIds: [cold, hot] };
  const result = await checkActivity(service, {
    ...wire,
    parameters,
    malformed: [
      { field: 'parameters.privateKeyTagIds', parameters: { privateKeyTagIds: [] } },
      { field: 'parameters.privateKeyTagIds.0', parameters: { privateKeyTagIds: ['x'] } },
      { field: 'parameters.privateKeyTagIds.1', parameters: { privateKeyTagIds: [hot, hot] } },
    ],
  });
  assert.deepEqual(result, { privateKeyTagIds: [cold, hot], privateKeyIds: [one, two] });
  assert.deepEqual(await Promise.all(ids.map((id) => tagsOf(service, id))), [[kept], [], []]);
  const { privateKeyTags } = (await service.query('list_private_key_tags')).body;
  assert.deepEqual(
    privateKeyTags.map((tag: { tagId: string }) => tag.tagId),
    [kept],
  );
  await makeTag(service, 'Hot');
});

test('delete_private_key_tags: deletes all or none, only of this organization', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const tagOfChild = await makeTag(service, 'Tag', [], await addChild(service));
  const tag = await makeTag(service, 'Hot');
  for (const id of [unknownId, tagOfChild]) {
    const parameters = { privateKeyTagIds: [tag, id] };
    const text = new RegExp(`^unable to find private key tag ${id} in organization`);
    await checkRefused(service, { ...wire, parameters }, { status: 404, code: 5, text });
  }
});
