import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startTestService } from '../../support/harness.ts';
import { assertRefused, checkQuery } from '../checks.ts';
import { addChild } from '../other_callers.ts';
import { unknownId } from '../wallets/wallet_requests.ts';
import { makeApp, makeDeployment, makeLiveApp, shown } from './deployment_requests.ts';

const operation = 'list_tvc_app_deployments';

test('list_tvc_app_deployments: lists deployments oldest first, each as get_tvc_deployment shows it', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const empty = await makeApp(service, { name: 'Empty' });
  assert.deepEqual(
    await checkQuery(service, {
      operation,
      body: { appId: empty.toUpperCase() },
      malformed: [{ field: 'appId', parameters: { appId: 'x' } }],
    }),
    { tvcDeployments: [] },
  );
  const { appId, liveId, otherId } = await makeLiveApp(service);
  await makeDeployment(service, empty);
  const { body } = await service.query(operation, { appId });
  const expected = [await shown(service, liveId), await shown(service, otherId)];
  assert.deepEqual(body.tvcDeployments, expected);
});

test('list_tvc_app_deployments: finds only applications of this organization', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const ofChild = await makeApp(service, {}, await addChild(service));
  for (const appId of [unknownId, ofChild]) {
    assertRefused(await service.query(operation, { appId }), 404, 5);
  }
});
