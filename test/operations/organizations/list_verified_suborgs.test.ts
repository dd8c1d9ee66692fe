import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startTestService } from '../../support/harness.ts';
import { checkQuery } from '../checks.ts';
import { addChild, changeOrganization } from '../other_callers.ts';
import { makeUser } from '../users/user_requests.ts';

test('list_verified_suborgs: finds children whose users verified a contact', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const child = await addChild(service);
  const contacts = { userEmail: 'Alice@example.com', userPhoneNumber: '+4930123456' };
  const userId = await makeUser(service, 'Alice', contacts, child);
  await changeOrganization(
    service,
    (draft) => {
      const user = draft.get('user', userId);
      assert(user !== undefined);
      draft.put('user', { ...user, emailVerified: true });
      return undefined;
    },
    child.organizationId,
  );
  const body = {
    filterType: 'EMAIL',
    filterValue: 'ALICE@example.com',
    paginationOptions: { limit: '1' },
  };
  const answer = await checkQuery(service, {
    operation: 'list_verified_suborgs',
    body,
    optional: ['paginationOptions'],
    malformed: [
      { field: 'filterType', parameters: { ...body, filterType: 'NAME' } },
      { field: 'filterType', parameters: { ...body, filterType: '' } },
      { field: 'filterValue', parameters: { ...body, filterValue: '' } },
      {
        field: 'paginationOptions.limit',
        parameters: { ...body, paginationOptions: { limit: '101' } },
      },
    ],
  });
  assert.deepEqual(answer, { organizationIds: [child.organizationId] });
  for (const filter of [
    { filterType: 'EMAIL', filterValue: 'bob@example.com' },
    { filterType: 'PHONE_NUMBER', filterValue: '+4930123456' },
    { filterType: 'PHONE_NUMBER', filterValue: 'alice@example.com' },
  ]) {
    const { body: none } = await service.query('list_verified_suborgs', filter);
    assert.deepEqual(none, { organizationIds: [] });
  }
});

test('list_verified_suborgs: without a filter, lists all verified children in pages', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const verified: string[] = [];
  for (const [i, mark] of ['emailVerified', undefined, 'phoneNumberVerified'].entries()) {
    const child = await addChild(service);
    const contacts = { userEmail: `a${i}@example.com`, userPhoneNumber: `+4930123450${i}` };
    const userId = await makeUser(service, 'Alice', contacts, child);
    if (mark === undefined) continue;
    verified.push(child.organizationId);
    await changeOrganization(
      service,
      (draft) => {
        const user = draft.get('user', userId);
        assert(user !== undefined);
        draft.put('user', { ...user, [mark]: true });
        return undefined;
      },
      child.organizationId,
    );
  }
  const [first = '', second = ''] = verified;
  const list = async (paginationOptions: object) =>
    (await service.query('list_verified_suborgs', { paginationOptions })).body;
  assert.deepEqual(await list({}), { organizationIds: verified });
  assert.deepEqual(await list({ limit: '1' }), { organizationIds: [first] });
  assert.deepEqual(await list({ limit: '1', after: first }), { organizationIds: [second] });
  assert.deepEqual(await list({ after: second }), { organizationIds: [] });
  assert.deepEqual(await list({ before: second }), { organizationIds: [first] });
  for (const filter of [{ filterType: 'EMAIL' }, { filterValue: 'a0@example.com' }]) {
    const { status } = await service.query('list_verified_suborgs', filter);
    assert.equal(status, 400);
  }
});
