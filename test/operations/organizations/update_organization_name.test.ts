import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startTestService, type TestService } from '../../support/harness.ts';
import { checkActivity, checkRefused } from '../checks.ts';
import { addChild } from '../other_callers.ts';

let service: TestService;
before(async () => {
  service = await startTestService();
});
after(() => service.close());

const operation = 'update_organization_name';
const type = 'ACTIVITY_TYPE_UPDATE_ORGANIZATION_NAME';

// OP-UPDATE-ORG-NAME-01 … OP-UPDATE-ORG-NAME-07
test('the root quorum renames its organization', async () => {
  const result = await checkActivity(service, {
    operation,
    type,
    intent: 'updateOrganizationNameIntent',
    result: 'updateOrganizationNameResult',
    parameters: { organizationName: 'Another name' },
    malformed: ['', ' ', 'a\nb', 'x'.repeat(256)].map((organizationName) => ({
      field: 'parameters.organizationName',
      parameters: { organizationName },
    })),
  });
  const { organizationId } = service.root;
  assert.deepEqual(result, { organizationId, organizationName: 'Another name' });
  assert.equal((await service.query('whoami')).body.organizationName, 'Another name');
});

test('names need not be unique, and may have 255 characters of any script', async () => {
  const child = await addChild(service);
  for (const organizationName of ['Another name', 'é'.repeat(255), '財布 👛']) {
    const { status, body } = await service.submit(operation, type, { organizationName }, child);
    assert.equal(status, 200, body.message);
    assert.equal(
      (await service.query('whoami', {}, child)).body.organizationName,
      organizationName,
    );
  }
});

test('a child is found by its new name, and no longer by its old name', async () => {
  const child = await addChild(service);
  const found = async (filterValue: string) => {
    const { body } = await service.query('list_suborgs', { filterType: 'NAME', filterValue });
    return body.organizationIds.includes(child.organizationId);
  };
  assert.equal(await found('Child'), true);
  await service.submit(operation, type, { organizationName: 'Grown up' }, child);
  assert.equal(await found('Grown up'), true);
  assert.equal(await found('Child'), false);
});

test('a child does not rename its parent', async () => {
  const child = await addChild(service);
  await checkRefused(
    service,
    { operation, type, parameters: { organizationName: 'Theirs' }, as: { key: child.key } },
    { status: 401, code: 16, text: /^could not find public key in organization/ },
  );
});
