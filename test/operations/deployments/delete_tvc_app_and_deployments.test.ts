import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startTestService } from '../../support/harness.ts';
import { checkActivity, checkRefused } from '../checks.ts';
import { addChild } from '../other_callers.ts';
import { unknownId } from '../wallets/wallet_requests.ts';
import {
  make,
  makeApp,
  makeDeployment,
  makeLiveApp,
  shown,
  shownApp,
} from './deployment_requests.ts';

const wire = {
  operation: 'delete_tvc_app_and_deployments',
  type: 'ACTIVITY_TYPE_DELETE_TVC_APP_AND_DEPLOYMENTS',
  intent: 'deleteTvcAppAndDeploymentsIntent',
  result: 'deleteTvcAppAndDeploymentsResult',
};

test('delete_tvc_app_and_deployments: marks all as deleted, and still shows them', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const { appId, liveId, otherId } = await makeLiveApp(service);
  await make(service, 'delete_tvc_deployment', { deploymentId: otherId });
  const deletedBefore = await shown(service, otherId);
  const kept = await makeDeployment(service, await makeApp(service, { name: 'Another' }));
  const result = await checkActivity(service, {
    ...wire,
    parameters: { appId: appId.toUpperCase() },
    malformed: [{ field: 'parameters.appId', parameters: { appId: 'x' } }],
  });
  assert.deepEqual(result, { appId });
  const app = await shownApp(service, appId);
  assert.equal('liveDeploymentId' in app, false);
  assert.equal((await shown(service, liveId)).delete, true);
  assert.deepEqual(await shown(service, otherId), deletedBefore);
  assert.equal((await shown(service, kept)).delete, false);
  assert.equal((await service.query('list_tvc_apps')).body.tvcApps.length, 2);
  const { body } = await service.query('get_app_status', { appId });
  assert.equal(body.appStatus.targetedDeploymentId, '');
  for (const status of body.appStatus.deployments) assert.equal(status.desiredReplicas, 0);
  await make(service, wire.operation, { appId });
  assert.deepEqual(await shownApp(service, appId), app, 'once more changes nothing');
});

test('delete_tvc_app_and_deployments: takes only applications of this organization', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const ofChild = await makeApp(service, {}, await addChild(service));
  for (const appId of [unknownId, ofChild]) {
    await checkRefused(
      service,
      { ...wire, parameters: { appId } },
      { status: 404, code: 5, text: new RegExp(`^unable to find application ${appId} `) },
    );
  }
});
