import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startTestService } from '../../support/harness.ts';
import { assertRefused, checkQuery } from '../checks.ts';
import { addChild } from '../other_callers.ts';
import { unknownId } from '../wallets/wallet_requests.ts';
import { make, makeApp, makeLiveApp, shown, timeOf } from './deployment_requests.ts';

const operation = 'get_app_status';

test('get_app_status: shows desired and reported replicas', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const { appId, liveId, otherId } = await makeLiveApp(service);
  const { appStatus } = await checkQuery(service, {
    operation,
    body: { appId: appId.toUpperCase() },
    malformed: [{ field: 'appId', parameters: { appId: 'x' } }],
  });
  const updatedAt = async (id: string) => (await shown(service, id)).updatedAt;
  assert.deepEqual(appStatus, {
    appId,
    deployments: [
      {
        deploymentId: liveId,
        readyReplicas: 0,
        desiredReplicas: 3,
        lastUpdatedTime: await updatedAt(liveId),
      },
      {
        // Not approved, so no replica is desired yet.
        deploymentId: otherId,
        readyReplicas: 0,
        desiredReplicas: 0,
        lastUpdatedTime: await updatedAt(otherId),
      },
    ],
    targetedDeploymentId: liveId,
  });
  service.advance(60_000);
  await make(service, 'set_tvc_deployment_status', { deploymentId: liveId, readyReplicas: 2 });
  const reportedAt = timeOf(service.now());
  const { body } = await service.query(operation, { appId });
  assert.deepEqual(body.appStatus.deployments[0], {
    ...appStatus.deployments[0],
    readyReplicas: 2,
    lastUpdatedTime: reportedAt,
  });
});

test('get_app_status: an application has no live deployment at first', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const appId = await makeApp(service);
  const { body } = await service.query(operation, { appId });
  assert.deepEqual(body.appStatus, { appId, deployments: [], targetedDeploymentId: '' });
});

test('get_app_status: finds only applications of this organization', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const ofChild = await makeApp(service, {}, await addChild(service));
  for (const appId of [unknownId, ofChild]) {
    assertRefused(await service.query(operation, { appId }), 404, 5);
  }
});
