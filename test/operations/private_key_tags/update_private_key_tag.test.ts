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
  operation: 'update_private_key_tag',
  type: 'ACTIVITY_TYPE_UPDATE_PRIVATE_KEY_TAG',
  intent: 'updatePrivateKeyTagIntent',
  result: 'updatePrivateKeyTagResult',
};

test('update_private_key_tag: renames the tag, and adds and removes it', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const ids = (await makePrivateKeys(service, Array(3).fill(described()))).map(
    (key) => key.privateKeyId,
  );
  const [one, two, three] = ids as [string, string, string];
  const tag = await makeTag(service, 'Hot', [one, two]);
  const other = await makeTag(service, 'Other', [one]);
  const parameters = {
    privateKeyTagId: tag,
    newPrivateKeyTagName: 'Cold',
    // One key already has the tag and one does not; the same for the removal.
    addPrivateKeyIds: [three, two],
    removePrivateKeyIds: [one],
  };
  const result = await checkActivity(service, {
    ...wire,
    parameters,
    optional: ['newPrivateKeyTagName'],
    malformed: [
      { field: 'parameters.privateKeyTagId', parameters: { ...parameters, privateKeyTagId: 'x' } },
      {
        field: 'parameters.newPrivateKeyTagName',
        parameters: { ...parameters, newPrivateKeyTagName: '' },
      },
      {
        field: 'parameters.addPrivateKeyIds.1',
        parameters: { ...parameters, addPrivateKeyIds: [two, two] },
      },
      {
        field: 'parameters.removePrivateKeyIds.1',
        parameters: { ...parameters, removePrivateKeyIds: [one, three] },
      },
    ],
  });
  assert.deepEqual(result, { privateKeyTagId: tag });
  assert.deepEqual(await Promise.all(ids.map((id) => tagsOf(service, id))), [
    [other],
    [tag],
    [tag],
  ]);
  const [renamed] = (await service.query('list_private_key_tags')).body.privateKeyTags;
  assert.equal(renamed.tagName, 'Cold');
  assert.notDeepEqual(renamed.updatedAt, renamed.createdAt);

  // Its own name and a key without the tag change nothing.
  await checkActivity(service, {
    ...wire,
    parameters: { ...parameters, addPrivateKeyIds: [], removePrivateKeyIds: [one] },
    optional: ['newPrivateKeyTagName'],
  });
  assert.deepEqual(await Promise.all(ids.map((id) => tagsOf(service, id))), [
    [other],
    [tag],
    [tag],
  ]);
});

test('update_private_key_tag: refuses used names and unknown ids', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const child = await addChild(service);
  const tagOfChild = await makeTag(service, 'Tag', [], child);
  const [keyOfChild] = await makePrivateKeys(service, [described()], child);
  const tag = await makeTag(service, 'Hot');
  await makeTag(service, 'Taken');
  const parameters = { privateKeyTagId: tag, addPrivateKeyIds: [], removePrivateKeyIds: [] };
  const noTag = { status: 404, code: 5, text: /^unable to find private key tag / };
  const noKey = { status: 404, code: 5, text: /^unable to find private key / };
  const taken = { status: 400, code: 3, text: /^private key tag label must be unique: `Taken`/ };
  for (const [changes, refusal] of [
    [{ newPrivateKeyTagName: 'Taken' }, taken],
    [{ privateKeyTagId: unknownId }, noTag],
    [{ privateKeyTagId: tagOfChild }, noTag],
    [{ addPrivateKeyIds: [unknownId] }, noKey],
    [{ addPrivateKeyIds: [keyOfChild?.privateKeyId] }, noKey],
    [{ removePrivateKeyIds: [unknownId], newPrivateKeyTagName: 'New' }, noKey],
  ] as const) {
    await checkRefused(service, { ...wire, parameters: { ...parameters, ...changes } }, refusal);
  }
});
