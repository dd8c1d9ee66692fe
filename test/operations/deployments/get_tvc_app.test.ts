import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startTestService } from '../../support/harness.ts';
import { assertRefused, checkQuery } from '../checks.ts';
import { addChild } from '../other_callers.ts';
import { unknownId } from '../wallets/wallet_requests.ts';
import { makeApp, makeLiveApp, operatorKey, timeOf } from './deployment_requests.ts';

const operation = 'get_tvc_app';

test('get_tvc_app: shows the application with its operators', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const appId = await makeApp(service);
  const createdAt = timeOf(service.now());
  const { tvcApp } = await checkQuery(service, {
    operation,
    body: { tvcAppId: appId.toUpperCase() },
    malformed: [{ field: 'tvcAppId', parameters: { tvcAppId: 'x' } }],
  });
  const { organizationId } = service.root;
  const times = { createdAt, updatedAt: createdAt };
  const setOf = (set: typeof tvcApp.manifestSet, name: string, members: readonly string[]) => ({
    id: set.id,
    name,
    organizationId,
    operators: members.map((member, i) => ({
      id: set.operators[i]?.id,
      name: member,
      publicKey: operatorKey(member),
      encryptPublicKey: operatorKey(member).slice(0, 260 / 2),
      signPublicKey: operatorKey(member).slice(260 / 2),
      keySource: 'EXTERNAL_KEY',
      ...times,
    })),
    threshold: 2,
    ...times,
  });
  assert.deepEqual(tvcApp, {
    id: appId,
    organizationId,
    name: 'Application',
    quorumPublicKey: operatorKey('quorum'),
    manifestSet: setOf(tvcApp.manifestSet, 'Approvers', ['Ada', 'Bob', 'Eve']),
    shareSet: setOf(tvcApp.shareSet, 'Holders', ['Ada', 'Dan']),
    enableEgress: false,
    ...times,
    publicDomain: `app-${appId}.invalid`,
    enableDebugModeDeployments: false,
  });
  const ids = [...tvcApp.manifestSet.operators, ...tvcApp.shareSet.operators].map(({ id }) => id);
  assert.equal(new Set(ids).size, 4);
});

test('get_tvc_app: names the live deployment', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const { appId: tvcAppId, liveId } = await makeLiveApp(service);
  const { body } = await service.query(operation, { tvcAppId });
  assert.equal(body.tvcApp.liveDeploymentId, liveId);
});

test('get_tvc_app: finds only applications of this organization', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const child = await addChild(service);
  const ofChild = await makeApp(service, {}, child);
  for (const tvcAppId of [unknownId, ofChild]) {
    assertRefused(await service.query(operation, { tvcAppId }), 404, 5);
  }
  const { organizationId } = child;
  const read = { tvcAppId: ofChild };
  assert.equal((await service.query(operation, read, { organizationId })).status, 200);
});
