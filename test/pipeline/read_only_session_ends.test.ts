// A read-only session ends at once with its user and with the credential that created it.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertRefused } from '../operations/checks.ts';
import { addChild } from '../operations/other_callers.ts';
import { resultOf } from '../operations/sessions/session_requests.ts';
import { describedKey, describedUser, makeUsers } from '../operations/users/user_requests.ts';
import { startTestService, type TestService, testKey } from '../support/harness.ts';
import { bytesOf } from './requests.ts';

async function started(t: { after: (done: () => void) => void }, key: object = {}) {
  const service = await startTestService();
  t.after(() => service.close());
  const child = await addChild(service);
  const apiKeys = [describedKey('Alice', key), describedKey('spare of Alice')];
  const [userId = ''] = await makeUsers(service, [describedUser('Alice', { apiKeys })], child);
  const { organizationId } = child;
  const as = { organizationId, key: testKey('Alice') };
  const type = 'ACTIVITY_TYPE_CREATE_READ_ONLY_SESSION';
  const made = await service.submit('create_read_only_session', type, {}, as);
  const { session } = resultOf(made);
  const read = (named = organizationId) =>
    service.send('query', 'whoami', bytesOf({ organizationId: named }), [
      { name: 'x-session', value: session },
    ]);
  assert.equal((await read()).status, 200);
  return { service, child, userId, read };
}

const root = (service: TestService) => service.root.organizationId;

test('a session ends when its key expires', async (t) => {
  const { service, read } = await started(t, { expirationSeconds: '60' });
  service.advance(61_000);
  for (const named of [undefined, root(service)]) assertRefused(await read(named), 401, 16);
});

test('a session ends when its key is deleted, also if the key is registered again', async (t) => {
  const { service, child, userId, read } = await started(t);
  const { apiKeys } = (await service.query('get_api_keys', { userId }, child)).body;
  const { apiKeyId } = apiKeys.find((each: { apiKeyName: string }) => each.apiKeyName === 'Alice');
  const gone = { userId, apiKeyIds: [apiKeyId] };
  const deleted = 'ACTIVITY_TYPE_DELETE_API_KEYS';
  resultOf(await service.submit('delete_api_keys', deleted, gone, child));
  assertRefused(await read(), 401, 16);
  const again = { userId, apiKeys: [describedKey('Alice')] };
  const type = 'ACTIVITY_TYPE_CREATE_API_KEYS_V2';
  resultOf(await service.submit('create_api_keys', type, again, child));
  for (const named of [undefined, root(service)]) assertRefused(await read(named), 401, 16);
});

test('a session ends when its user or its organization is deleted', async (t) => {
  const first = await started(t);
  const users = { userIds: [first.userId] };
  const type = 'ACTIVITY_TYPE_DELETE_USERS';
  resultOf(await first.service.submit('delete_users', type, users, first.child));
  assertRefused(await first.read(), 401, 16);
  const second = await started(t);
  const { service, child, read } = second;
  const deletes = 'ACTIVITY_TYPE_DELETE_SUB_ORGANIZATION';
  const force = { deleteWithoutExport: true };
  resultOf(await service.submit('delete_sub_organization', deletes, force, child));
  for (const named of [undefined, root(service)]) {
    const { status } = await read(named);
    assert.ok(status === 401 || status === 404, String(status));
  }
});
