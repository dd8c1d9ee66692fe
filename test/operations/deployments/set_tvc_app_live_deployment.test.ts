import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startTestService, type TestService } from '../../support/harness.ts';
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
  shownApp,
} from './deployment_requests.ts';

const wire = {
  operation: 'set_tvc_app_live_deployment',
  type: 'ACTIVITY_TYPE_UPDATE_TVC_APP_LIVE_DEPLOYMENT',
  intent: 'updateTvcAppLiveDeploymentIntent',
  result: 'updateTvcAppLiveDeploymentResult',
};
const failedPrecondition = { status: 400, code: 9 };

test('set_tvc_app_live_deployment: replaces the live deployment', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const { appId, liveId, otherId } = await makeLiveApp(service);
  await approve(service, otherId, ['Bob', 'Eve']);
  const result = await checkActivity(service, {
    ...wire,
    parameters: { deploymentId: otherId.toUpperCase() },
    malformed: [{ field: 'parameters.deploymentId', parameters: { deploymentId: 'x' } }],
  });
  assert.deepEqual(result, {});
  const app = await shownApp(service, appId);
  assert.equal(app.liveDeploymentId, otherId);
  assert.equal(await targetOf(service, appId), otherId);
  // The former live deployment may now be deleted. Setting the same deployment again changes nothing.
  await make(service, 'delete_tvc_deployment', { deploymentId: liveId });
  await make(service, wire.operation, { deploymentId: otherId });
  assert.deepEqual((await shownApp(service, appId)).updatedAt, app.updatedAt);
});

test('set_tvc_app_live_deployment: requires enough approvals', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const { appId, liveId, otherId } = await makeLiveApp(service);
  const text = /^cannot change deployment .*: its manifest is not approved by enough/;
  const parameters = { deploymentId: otherId };
  await checkRefused(service, { ...wire, parameters }, { ...failedPrecondition, text });
  await approve(service, otherId, ['Ada']);
  await checkRefused(service, { ...wire, parameters }, { ...failedPrecondition, text });
  assert.equal((await shownApp(service, appId)).liveDeploymentId, liveId);
});

test('set_tvc_app_live_deployment: refuses a deleted deployment', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const { appId, liveId, otherId } = await makeLiveApp(service);
  await approve(service, otherId, ['Ada', 'Bob']);
  await make(service, 'delete_tvc_deployment', { deploymentId: otherId });
  await checkRefused(
    service,
    { ...wire, parameters: { deploymentId: otherId } },
    { ...failedPrecondition, text: /^cannot change deployment .*: it is deleted$/ },
  );
  await make(service, 'delete_tvc_app_and_deployments', { appId });
  await checkRefused(
    service,
    { ...wire, parameters: { deploymentId: liveId } },
    { ...failedPrecondition, text: /^cannot change application .*: it is deleted$/ },
  );
});

test('set_tvc_app_live_deployment: refuses a deployment that is reported as unready', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const { otherId: deploymentId } = await makeLiveApp(service);
  await approve(service, deploymentId, ['Ada', 'Bob']);
  const report = (readyReplicas: number) =>
    make(service, 'set_tvc_deployment_status', { deploymentId, readyReplicas });
  await report(0);
  await checkRefused(
    service,
    { ...wire, parameters: { deploymentId } },
    { ...failedPrecondition, text: /: none of its replicas is ready$/ },
  );
  await report(1);
  await make(service, wire.operation, { deploymentId });
});

test('set_tvc_app_live_deployment: with a concurrent deletion, exactly one of the two succeeds', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const { appId, liveId, otherId } = await makeLiveApp(service);
  await approve(service, otherId, ['Ada', 'Bob']);
  const answers = await Promise.all([
    ask(service, wire.operation, { deploymentId: otherId }),
    ask(service, 'delete_tvc_deployment', { deploymentId: otherId }),
  ]);
  // In either order, the live deployment is not deleted.
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 400]);
  const { liveDeploymentId } = await shownApp(service, appId);
  const isLive = answers[0].status === 200;
  assert.equal(liveDeploymentId, isLive ? otherId : liveId);
});

test('set_tvc_app_live_deployment: takes only deployments of this organization', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const child = await addChild(service);
  const appId = await makeApp(service, {}, child);
  const parameters = describedDeployment(appId);
  const ofChild = await make(service, 'create_tvc_deployment', parameters, child);
  for (const deploymentId of [unknownId, ofChild.deploymentId]) {
    await checkRefused(
      service,
      { ...wire, parameters: { deploymentId } },
      { status: 404, code: 5, text: new RegExp(`^unable to find deployment ${deploymentId} `) },
    );
  }
});

async function targetOf(service: TestService, appId: string): Promise<string> {
  const { body } = await service.query('get_app_status', { appId });
  return body.appStatus.targetedDeploymentId;
}
