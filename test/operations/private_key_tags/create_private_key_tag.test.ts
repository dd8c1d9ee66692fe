import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startTestService, type TestService } from '../../support/harness.ts';
import { checkActivity, checkRefused } from '../checks.ts';
import { addChild, changeOrganization } from '../other_callers.ts';
import {
  described,
  makePrivateKeys,
  makeTag,
  tagsOf,
} from '../private_keys/private_key_requests.ts';
import { unknownId } from '../wallets/wallet_requests.ts';

const wire = {
  operation: 'create_private_key_tag',
  type: 'ACTIVITY_TYPE_CREATE_PRIVATE_KEY_TAG',
  intent: 'createPrivateKeyTagIntent',
  result: 'createPrivateKeyTagResult',
};

test('create_private_key_tag: creates a tag and adds it to keys', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const [one, two, three] = await makePrivateKeys(service, Array(3).fill(described()));
  assert(one !== undefined && two !== undefined && three !== undefined);
  const privateKeyIds = [three.privateKeyId.toUpperCase(), one.privateKeyId];
  const parameters = { privateKeyTagName: 'Hot', privateKeyIds };
  const result = await checkActivity(service, {
    ...wire,
    parameters,
    malformed: [
      {
        field: 'parameters.privateKeyTagName',
        parameters: { ...parameters, privateKeyTagName: '' },
      },
      { field: 'parameters.privateKeyIds.0', parameters: { ...parameters, privateKeyIds: ['x'] } },
      {
        field: 'parameters.privateKeyIds.1',
        parameters: { ...parameters, privateKeyIds: Array(2).fill(one.privateKeyId) },
      },
    ],
  });
  const { privateKeyTagId } = result;
  assert.deepEqual(result, {
    privateKeyTagId,
    privateKeyIds: [three.privateKeyId, one.privateKeyId],
  });
  assert.deepEqual(await tagsOf(service, one.privateKeyId), [privateKeyTagId]); // RES-PRIVATE-KEY-09
  assert.deepEqual(await tagsOf(service, two.privateKeyId), []);
  assert.deepEqual(await tagsOf(service, three.privateKeyId), [privateKeyTagId]);
});

test('create_private_key_tag: names are unique among private key tags', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  await fillUserTags(service, 1);
  const [ofChild] = await makePrivateKeys(service, [described()], await addChild(service));
  // User tags have their own names.
  await makeTag(service, 'User tag 0');
  const missing = { status: 404, code: 5, text: /^unable to find private key / };
  for (const [privateKeyTagName, privateKeyIds, refusal] of [
    ['User tag 0', [], { status: 400, code: 3, text: /^private key tag label must be unique: / }],
    ['Other', [unknownId], missing],
    ['Other', [ofChild?.privateKeyId], missing],
  ] as const) {
    const parameters = { privateKeyTagName, privateKeyIds };
    await checkRefused(service, { ...wire, parameters }, refusal);
  }
});

test('create_private_key_tag: an organization has at most 100 tags, including user tags', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  await fillUserTags(service, 99);
  await makeTag(service, 'Last');
  const parameters = { privateKeyTagName: 'One more', privateKeyIds: [] };
  const text = /^organization has exceeded maximum tags: the limit is 100$/;
  await checkRefused(service, { ...wire, parameters }, { status: 429, code: 8, text });
});

test('create_private_key_tag: at most 10 tags in a child organization', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const child = await addChild(service);
  for (let i = 0; i < 10; i += 1) await makeTag(service, `Tag ${i}`, [], child);
  const parameters = { privateKeyTagName: 'One more', privateKeyIds: [] };
  const text = /the limit is 10$/;
  await checkRefused(service, { ...wire, parameters, as: child }, { status: 429, code: 8, text });
});

async function fillUserTags(service: TestService, count: number): Promise<void> {
  await changeOrganization(service, (draft, newId) => {
    const times = { createdAtMs: service.now(), updatedAtMs: service.now() };
    for (let i = 0; i < count; i += 1) {
      draft.put('tag', { id: newId(), name: `User tag ${i}`, type: 'TAG_TYPE_USER', ...times });
    }
  });
}
