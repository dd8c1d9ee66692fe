import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startTestService } from '../../support/harness.ts';
import { checkActivity, checkRefused } from '../checks.ts';
import { addChild } from '../other_callers.ts';
import { unknownId } from '../wallets/wallet_requests.ts';
import {
  approve,
  ask,
  describedDeployment,
  make,
  makeApp,
  makeLiveApp,
  shown,
  shownApp,
} from './deployment_requests.ts';

// OP-RESTORE-TVC-01, OP-RESTORE-TVC-02, OP-RESTORE-TVC-05, OP-RESTORE-TVC-06, ENUM-08
const wire = {
  operation: 'restore_tvc_deployment',
  type: 'ACTIVITY_TYPE_RESTORE_TVC_DEPLOYMENT',
  intent: 'restoreTvcDeploymentIntent',
  result: 'restoreTvcDeploymentResult',
};
const failedPrecondition = { status: 400, code: 9 };

test('restore_tvc_deployment: restores the state before the deletion', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const { appId, liveId, otherId } = await makeLiveApp(service);
  await approve(service, otherId, ['Ada', 'Bob']);
  const before = await shown(service, otherId);
  await make(service, 'delete_tvc_deployment', { deploymentId: otherId });
  const result = await checkActivity(service, {
    ...wire,
    parameters: { deploymentId: otherId.toUpperCase() }, // OP-RESTORE-TVC-04
    malformed: [{ field: 'parameters.deploymentId', parameters: { deploymentId: 'x' } }],
  });
  assert.deepEqual(result, { deploymentId: otherId }); // OP-RESTORE-TVC-07
  const after = await shown(service, otherId);
  assert.deepEqual({ ...after, updatedAt: before.updatedAt }, before); // OP-RESTORE-TVC-03
  assert.equal((await shownApp(service, appId)).liveDeploymentId, liveId);
  await make(service, 'set_tvc_app_live_deployment', { deploymentId: otherId });
});

test('restore_tvc_deployment: refuses an undeleted deployment', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const { liveId, otherId } = await makeLiveApp(service);
  for (const deploymentId of [liveId, otherId]) {
    await checkRefused(
      service,
      { ...wire, parameters: { deploymentId } },
      { ...failedPrecondition, text: /^cannot change deployment .*: it is not deleted$/ },
    );
  }
  await make(service, 'delete_tvc_deployment', { deploymentId: otherId });
  const answers = await Promise.all(
    [1, 2].map(() => ask(service, wire.operation, { deploymentId: otherId })),
  );
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 400], 'it happens once');
});

test('restore_tvc_deployment: refuses a deployment of a deleted application', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const { appId, liveId, otherId } = await makeLiveApp(service);
  await make(service, 'delete_tvc_deployment', { deploymentId: otherId });
  await make(service, 'delete_tvc_app_and_deployments', { appId });
  for (const deploymentId of [liveId, otherId]) {
    await checkRefused(
      service,
      { ...wire, parameters: { deploymentId } },
      { ...failedPrecondition, text: /^cannot change application .*: it is deleted$/ },
    );
  }
});

test('restore_tvc_deployment: refuses a cleaned-up deployment', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const { otherId: deploymentId } = await makeLiveApp(service);
  await make(service, 'delete_tvc_deployment', { deploymentId });
  const status = { deploymentId, readyReplicas: 0 };
  await make(service, 'set_tvc_deployment_status', status);
  await make(service, wire.operation, { deploymentId });
  await make(service, 'delete_tvc_deployment', { deploymentId });
  await make(service, 'set_tvc_deployment_status', { ...status, cleanedUp: true });
  await checkRefused(
    service,
    { ...wire, parameters: { deploymentId } },
    { ...failedPrecondition, text: /^cannot change deployment .*: it is cleaned up/ },
  );
  assert.equal((await shown(service, deploymentId)).delete, true);
});

test('restore_tvc_deployment: takes only deployments of this organization', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const child = await addChild(service);
  const parameters = describedDeployment(await makeApp(service, {}, child));
  const { deploymentId: ofChild } = await make(service, 'create_tvc_deployment', parameters, child);
  await make(service, 'delete_tvc_deployment', { deploymentId: ofChild }, child);
  for (const deploymentId of [unknownId, ofChild]) {
    await checkRefused(
      service,
      { ...wire, parameters: { deploymentId } },
      { status: 404, code: 5, text: new RegExp(`^unable to find deployment ${deploymentId} `) },
    );
  }
});
