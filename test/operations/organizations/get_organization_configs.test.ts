import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startTestService, type TestService } from '../../support/harness.ts';
import { checkQuery } from '../checks.ts';
import { addChild, changeOrganization } from '../other_callers.ts';

let service: TestService;
before(async () => {
  service = await startTestService();
});
after(() => service.close());

test('users of the organization read its features and root quorum', async () => {
  const answer = await checkQuery(service, { operation: 'get_organization_configs', body: {} });
  assert.deepEqual(answer, {
    configs: { features: [], quorum: { threshold: 1, userIds: [service.root.userId] } },
  });
});

// RES-FEATURE-01, RES-FEATURE-02
test('a feature is a name and an optional value', async () => {
  const features = [
    { name: 'FEATURE_NAME_EMAIL_AUTH' },
    { name: 'FEATURE_NAME_WEBAUTHN_ORIGINS', value: 'https://wallet.example' },
  ] as const;
  await changeOrganization(service, (draft) => {
    draft.setHead({ features });
  });
  const { body } = await service.query('get_organization_configs');
  assert.deepEqual(body.configs.features, features);
});

test('a parent reads the features and root quorum of its child', async () => {
  const child = await addChild(service);
  const { organizationId } = child;
  const own = await service.query('get_organization_configs', {}, child);
  assert.equal(own.body.configs.quorum.threshold, 1);
  assert.deepEqual(await service.query('get_organization_configs', {}, { organizationId }), own);
});
