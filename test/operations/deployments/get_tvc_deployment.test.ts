import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startTestService } from '../../support/harness.ts';
import { assertRefused, checkQuery } from '../checks.ts';
import { addChild } from '../other_callers.ts';
import { unknownId } from '../wallets/wallet_requests.ts';
import {
  approvalsOf,
  approve,
  describedDeployment,
  make,
  makeApp,
  shownApp,
  timeOf,
} from './deployment_requests.ts';

const operation = 'get_tvc_deployment';

test('get_tvc_deployment: shows the deployment, its manifest and its approvals', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const appId = await makeApp(service);
  const described = describedDeployment(appId, { pivotContainerEncryptedPullSecret: 'sealed' });
  const { deploymentId, manifestId } = await make(service, 'create_tvc_deployment', described);
  const createdAt = timeOf(service.now());
  const { approvals } = await approvalsOf(service, deploymentId, ['Ada']);
  await approve(service, deploymentId, ['Ada']);
  const approvedAt = timeOf(service.now());
  const { tvcDeployment } = await checkQuery(service, {
    operation,
    body: { deploymentId: deploymentId.toUpperCase() },
    malformed: [{ field: 'deploymentId', parameters: { deploymentId: 'x' } }],
  });
  const { manifestSet, shareSet } = await shownApp(service, appId);
  const [approval] = tvcDeployment.manifestApprovals;
  assert.deepEqual(tvcDeployment, {
    id: deploymentId,
    organizationId: service.root.organizationId,
    appId,
    manifestSet,
    shareSet,
    manifest: {
      id: manifestId,
      manifest: tvcDeployment.manifest.manifest,
      createdAt,
      updatedAt: createdAt,
    },
    manifestApprovals: [
      {
        id: approval.id,
        manifestId,
        operator: manifestSet.operators[0],
        approval: Buffer.from(approvals[0]?.signature ?? '', 'hex').toString('base64'),
        createdAt: approvedAt,
        updatedAt: approvedAt,
      },
    ],
    qosVersion: '0.12.1',
    pivotContainer: {
      containerUrl: described.pivotContainerImageUrl,
      path: '/program',
      args: ['--level', 'high'],
      hasPullSecret: true,
      healthCheckType: 'TVC_HEALTH_CHECK_TYPE_HTTP',
      healthCheckPort: 3001,
      publicIngressPort: 3000,
    },
    createdAt,
    updatedAt: approvedAt,
    delete: false,
    debugMode: false,
  });
});

test('get_tvc_deployment: finds only deployments of this organization', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const child = await addChild(service);
  const described = describedDeployment(await makeApp(service, {}, child));
  const { deploymentId: ofChild } = await make(service, 'create_tvc_deployment', described, child);
  for (const deploymentId of [unknownId, ofChild]) {
    assertRefused(await service.query(operation, { deploymentId }), 404, 5);
  }
  const { organizationId } = child;
  const read = { deploymentId: ofChild };
  assert.equal((await service.query(operation, read, { organizationId })).status, 200);
});
