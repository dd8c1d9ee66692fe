import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startTestService } from '../../support/harness.ts';
import { checkQuery } from '../checks.ts';
import { makeApp, makeDeployment } from './deployment_requests.ts';

const operation = 'get_tvc_qos_versions';

test('get_tvc_qos_versions: lists the versions that deployments can use', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const { availableVersions, latestVersion } = await checkQuery(service, { operation, body: {} });
  assert.equal(availableVersions.at(-1), latestVersion);
  assert.ok(availableVersions.includes('0.12.1'), 'what clients ask for by default');
  const appId = await makeApp(service);
  for (const qosVersion of availableVersions) await makeDeployment(service, appId, { qosVersion });
});
