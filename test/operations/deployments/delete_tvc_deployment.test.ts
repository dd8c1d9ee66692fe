import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startTestService } from '../../support/harness.ts';
import { checkActivity, checkRefused } from '../checks.ts';
import { addChild } from '../other_callers.ts';
import { unknownId } from '../wallets/wallet_requests.ts';
import { describedDeployment, make, makeApp, makeLiveApp, shown } from './deployment_requests.ts';

const wire = {
  operation: 'delete_tvc_deployment',
  type: 'ACTIVITY_TYPE_DELETE_TVC_DEPLOYMENT',
  intent: 'deleteTvcDeploymentIntent',
  result: 'deleteTvcDeploymentResult',
};

test('delete_tvc_deployment: marks the deployment as deleted, and still shows it', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const { appId, liveId, otherId } = await makeLiveApp(service);
  const before = await shown(service, otherId);
  assert.equal(before.delete, false);
  const result = await checkActivity(service, {
    ...wire,
    parameters: { deploymentId: otherId.toUpperCase() },
    malformed: [{ field: 'parameters.deploymentId', parameters: { deploymentId: 'x' } }],
  });
  assert.deepEqual(result, { deploymentId: otherId });
  const after = await shown(service, otherId);
  assert.deepEqual({ ...after, updatedAt: before.updatedAt }, { ...before, delete: true });
  assert.notDeepEqual(after.updatedAt, before.updatedAt);
  const { body } = await service.query('list_tvc_app_deployments', { appId });
  assert.deepEqual(
    body.tvcDeployments.map((deployment: { readonly id: string; readonly delete: boolean }) => [
      deployment.id,
      deployment.delete,
    ]),
    [
      [liveId, false],
      [otherId, true],
    ],
  );
  await make(service, wire.operation, { deploymentId: otherId });
  assert.deepEqual(await shown(service, otherId), after, 'once more changes nothing');
});

test('delete_tvc_deployment: refuses the live deployment', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const { liveId: deploymentId } = await makeLiveApp(service);
  await checkRefused(
    service,
    { ...wire, parameters: { deploymentId } },
    {
      status: 400,
      code: 9,
      text: /^cannot change deployment .*: it is live: make another one live first, or /,
    },
  );
  assert.equal((await shown(service, deploymentId)).delete, false);
});

test('delete_tvc_deployment: takes only deployments of this organization', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const child = await addChild(service);
  const parameters = describedDeployment(await makeApp(service, {}, child));
  const ofChild = await make(service, 'create_tvc_deployment', parameters, child);
  for (const deploymentId of [unknownId, ofChild.deploymentId]) {
    await checkRefused(
      service,
      { ...wire, parameters: { deploymentId } },
      { status: 404, code: 5, text: new RegExp(`^unable to find deployment ${deploymentId} `) },
    );
  }
});
