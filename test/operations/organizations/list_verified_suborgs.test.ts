import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startTestService } from '../../support/harness.ts';
import { checkQuery } from '../checks.ts';
import { addChild, changeOrganization } from '../other_callers.ts';
import { makeUser } from '../users/user_requests.ts';

test('list_verified_suborgs: the children whose users have shown to hold a contact', async (t) => {
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
