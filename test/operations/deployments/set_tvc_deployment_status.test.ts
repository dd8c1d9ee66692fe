import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startTestService, type TestService } from '../../support/harness.ts';
import { checkActivity, checkRefused } from '../checks.ts';
import { addChild } from '../other_callers.ts';
import { unknownId } from '../wallets/wallet_requests.ts';
import { describedDeployment, make, makeApp, makeLiveApp, shown } from './deployment_requests.ts';

const wire = {
  operation: 'set_tvc_deployment_status',
  type: 'ACTIVITY_TYPE_SET_TVC_DEPLOYMENT_STATUS',
  intent: 'setTvcDeploymentStatusIntent',
  result: 'setTvcDeploymentStatusResult',
};
const failedPrecondition = { status: 400, code: 9 };

test('set_tvc_deployment_status: shows the reported replicas', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const { appId, liveId, otherId } = await makeLiveApp(service);
  const before = await shown(service, liveId);
  const parameters = { deploymentId: liveId, readyReplicas: 2, cleanedUp: false };
  const result = await checkActivity(service, {
    ...wire,
    parameters,
    optional: ['cleanedUp'],
    malformed: [
      { deploymentId: 'x' },
      { readyReplicas: -1 },
      { readyReplicas: 1_001 },
      { readyReplicas: 0.5 },
      { cleanedUp: 'true' },
    ].map((changes) => ({
      field: `parameters.${Object.keys(changes)[0]}`,
      parameters: { ...parameters, ...changes },
    })),
  });
  assert.deepEqual(result, { deploymentId: liveId });
  assert.deepEqual(await readyReplicas(service, appId), { [liveId]: 2, [otherId]: 0 });
  assert.deepEqual(await shown(service, liveId), before, 'what runs is not what was asked for');
});

test('set_tvc_deployment_status: refuses replicas of an unapproved deployment', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const { otherId: deploymentId } = await makeLiveApp(service);
  await checkRefused(
    service,
    { ...wire, parameters: { deploymentId, readyReplicas: 1 } },
    { ...failedPrecondition, text: /: its manifest is not approved by enough operators$/ },
  );
  await make(service, wire.operation, { deploymentId, readyReplicas: 0 });
});

test('set_tvc_deployment_status: no status follows a clean-up', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const { appId, liveId, otherId } = await makeLiveApp(service);
  const cleanedUp = { deploymentId: liveId, readyReplicas: 0, cleanedUp: true };
  await checkRefused(
    service,
    { ...wire, parameters: cleanedUp },
    { ...failedPrecondition, text: /: it is not deleted$/ },
  );
  await make(service, 'delete_tvc_app_and_deployments', { appId });
  await checkRefused(
    service,
    { ...wire, parameters: { ...cleanedUp, readyReplicas: 1 } },
    { ...failedPrecondition, text: /: a cleaned-up deployment has no replicas$/ },
  );
  // Replicas may still run until the clean-up.
  await make(service, wire.operation, { deploymentId: liveId, readyReplicas: 1 });
  await make(service, wire.operation, cleanedUp);
  assert.deepEqual(await readyReplicas(service, appId), { [otherId]: 0 });
  for (const parameters of [cleanedUp, { deploymentId: liveId, readyReplicas: 0 }]) {
    const text = /: it is cleaned up already$/;
    await checkRefused(service, { ...wire, parameters }, { ...failedPrecondition, text });
  }
});

test('set_tvc_deployment_status: takes only deployments of this organization', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const child = await addChild(service);
  const described = describedDeployment(await makeApp(service, {}, child));
  const ofChild = await make(service, 'create_tvc_deployment', described, child);
  for (const deploymentId of [unknownId, ofChild.deploymentId]) {
    await checkRefused(
      service,
      { ...wire, parameters: { deploymentId, readyReplicas: 0 } },
      { status: 404, code: 5, text: new RegExp(`^unable to find deployment ${deploymentId} `) },
    );
  }
});

async function readyReplicas(service: TestService, appId: string) {
  const { body } = await service.query('get_app_status', { appId });
  const statuses: readonly { readonly deploymentId: string; readonly readyReplicas: number }[] =
    body.appStatus.deployments;
  return Object.fromEntries(statuses.map((status) => [status.deploymentId, status.readyReplicas]));
}
