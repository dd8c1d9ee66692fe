import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startTestService, type TestService } from '../../support/harness.ts';
import { checkActivity, checkRefused } from '../checks.ts';
import { addChild, changeOrganization } from '../other_callers.ts';
import { unknownId } from '../wallets/wallet_requests.ts';
import {
  approve,
  ask,
  describedDeployment,
  describedSet,
  make,
  makeApp,
  makeDeployment,
  makeLiveApp,
  manifestIn,
  operatorKey,
  shown,
  shownApp,
} from './deployment_requests.ts';

const wire = {
  operation: 'create_tvc_deployment',
  type: 'ACTIVITY_TYPE_CREATE_TVC_DEPLOYMENT',
  intent: 'createTvcDeploymentIntent',
  result: 'createTvcDeploymentResult',
};
const debug = { enableDebugModeDeployments: true };

test('create_tvc_deployment: creates the manifest, and makes nothing live', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const appId = await makeApp(service, debug);
  const given = describedDeployment(appId, {
    nonce: 7,
    pivotContainerEncryptedPullSecret: 'sealed',
    debugMode: false,
    replicas: 5,
    instanceSizeCpus: 4,
    instanceSizeRam: 16,
  });
  const { deploymentId, manifestId } = await checkActivity(service, {
    ...wire,
    parameters: given,
    optional: [
      'nonce',
      'pivotContainerEncryptedPullSecret',
      'debugMode',
      'replicas',
      'instanceSizeCpus',
      'instanceSizeRam',
    ],
    malformed: [
      { appId: 'x' },
      { qosVersion: '' },
      { qosVersion: '0.12' },
      { qosVersion: 'toString' },
      { pivotContainerImageUrl: '' },
      { pivotContainerImageUrl: 'x'.repeat(2_001) },
      { pivotPath: '' },
      { pivotPath: 'x'.repeat(2_001) },
      { pivotArgs: ['x'.repeat(5_000), 'x'.repeat(5_001)] },
      { pivotArgs: Array(101).fill('') },
      { expectedPivotDigest: '' },
      { expectedPivotDigest: 'ab'.repeat(31) },
      { expectedPivotDigest: 'ab'.repeat(33) },
      { expectedPivotDigest: `sha512:${'ab'.repeat(32)}` },
      { nonce: -1 },
      { nonce: 1.5 },
      { nonce: '7' },
      { nonce: 2 ** 32 },
      { healthCheckType: 'HTTP' },
      { healthCheckPort: 0 },
      { healthCheckPort: 65_536 },
      { publicIngressPort: 0 },
      { publicIngressPort: 65_536 },
      { replicas: 0 },
      { replicas: 101 },
      { instanceSizeCpus: 0 },
      { instanceSizeCpus: 1_001 },
      { instanceSizeRam: 0 },
      { instanceSizeRam: 10_001 },
      // Debug mode allows one replica.
      { replicas: 3, debugMode: true },
    ].map((changes) => ({
      field: `parameters.${Object.keys(changes)[0]}`,
      parameters: { ...given, ...changes },
    })),
  });
  const deployment = await shown(service, deploymentId);
  assert.equal(deployment.manifest.id, manifestId);
  assert.notEqual(manifestId, deploymentId);
  assert.deepEqual([deployment.instanceSizeCpus, deployment.instanceSizeRam], [4, 16]);
  const app = await shownApp(service, appId);
  assert.equal(app.liveDeploymentId, undefined);
  const quorumOf = (names: readonly string[], threshold: number) => ({
    threshold,
    members: names.map((alias) => ({ alias, pubKey: operatorKey(alias) })),
  });
  assert.deepEqual(manifestIn(deployment), {
    namespace: { name: `prod/tvc/${appId}`, nonce: 7, quorumKey: operatorKey('quorum') },
    pivot: {
      hash: 'ab'.repeat(32),
      restart: 'Always',
      bridgeConfig: [
        { type: 'server', port: 3000, host: '0.0.0.0' },
        { type: 'server', port: 3001, host: '0.0.0.0' },
      ],
      debugMode: false,
      args: ['--level', 'high'],
    },
    manifestSet: quorumOf(['Ada', 'Bob', 'Eve'], 2),
    shareSet: quorumOf(['Ada', 'Dan'], 2),
    enclave: {
      pcr0: '',
      pcr1: '',
      pcr2: '',
      pcr3: '',
      awsRootCertificate: '',
      qosCommit: '82d8e18b8875362cdb639f962b6a7f78bd42d320',
    },
    patchSet: { threshold: 0, members: [] },
  });
});

test('create_tvc_deployment: omitted members have defaults', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const appId = await makeApp(service);
  const deploymentId = await makeDeployment(service, appId, {
    expectedPivotDigest: `sha256:${'AB'.repeat(32)}`,
    healthCheckPort: 3000,
  });
  const { nonce, pivot } = await manifestPartsOf(service, deploymentId);
  assert.equal(nonce, Math.floor(service.now() / 1000));
  assert.equal(pivot.hash, 'ab'.repeat(32));
  assert.deepEqual(pivot.bridgeConfig, [{ type: 'server', port: 3000, host: '0.0.0.0' }]);
  const { pivotContainer, debugMode } = await shown(service, deploymentId);
  assert.equal(pivotContainer.hasPullSecret, false);
  assert.equal(debugMode, false);
  assert.equal(await desiredReplicas(service, appId, deploymentId), 3);
  // An empty pull secret counts as absent.
  const other = await makeDeployment(service, appId, { pivotContainerEncryptedPullSecret: '' });
  assert.equal((await shown(service, other)).pivotContainer.hasPullSecret, false);
});

test('create_tvc_deployment: debug mode needs an application that allows it', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const plain = await makeApp(service);
  await checkRefused(
    service,
    { ...wire, parameters: describedDeployment(plain, { debugMode: true }) },
    { status: 400, code: 3, text: /enableDebugModeDeployments/, field: 'parameters.debugMode' },
  );
  const appId = await makeApp(service, { name: 'Debugged', ...debug });
  const deploymentId = await makeDeployment(service, appId, { debugMode: true });
  assert.equal((await shown(service, deploymentId)).debugMode, true);
  const { pivot, enclave } = await manifestPartsOf(service, deploymentId);
  assert.equal(pivot.debugMode, true);
  for (const pcr of ['pcr0', 'pcr1', 'pcr2', 'pcr3']) assert.equal(enclave[pcr], '00'.repeat(48));
  assert.equal(await desiredReplicas(service, appId, deploymentId), 1);
});

test('create_tvc_deployment: manifests of an application have different nonces', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const appId = await makeApp(service);
  const nonceOf = async (deploymentId: string) =>
    (await manifestPartsOf(service, deploymentId)).nonce;
  const first = await nonceOf(await makeDeployment(service, appId));
  // The second deployment in one second, and the next one after a nonce in the future.
  assert.equal(await nonceOf(await makeDeployment(service, appId)), first + 1);
  await makeDeployment(service, appId, { nonce: 2 ** 32 - 2 });
  assert.equal(await nonceOf(await makeDeployment(service, appId)), 2 ** 32 - 1);
  await checkRefused(
    service,
    { ...wire, parameters: describedDeployment(appId) },
    { status: 400, code: 3, text: /greatest nonce is in use/, field: 'parameters.nonce' },
  );
  await checkRefused(
    service,
    { ...wire, parameters: describedDeployment(appId, { nonce: first }) },
    { status: 409, code: 6, text: /^manifest already exists: of nonce \d+ in this application$/ },
  );
  await makeDeployment(service, await makeApp(service, { name: 'Another' }), { nonce: first });
});

test('create_tvc_deployment: needs an undeleted application of this organization', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const ofChild = await makeApp(service, {}, await addChild(service));
  for (const appId of [unknownId, ofChild]) {
    await checkRefused(
      service,
      { ...wire, parameters: describedDeployment(appId) },
      { status: 404, code: 5, text: new RegExp(`^unable to find application ${appId} `) },
    );
  }
  const appId = await makeApp(service);
  await make(service, 'delete_tvc_app_and_deployments', { appId });
  await checkRefused(
    service,
    { ...wire, parameters: describedDeployment(appId) },
    { status: 400, code: 9, text: /^cannot change application .*: it is deleted$/ },
  );
});

test('create_tvc_deployment: an application has at most 100, and the oldest deleted one is replaced', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const appId = await makeApp(service);
  const made: string[] = [];
  for (let i = 0; i < 100; i += 1) made.push(await makeDeployment(service, appId));
  const [first = '', second = '', third = ''] = made;
  const text = /^organization has exceeded maximum deployments: the limit is 100$/;
  const parameters = describedDeployment(appId);
  await checkRefused(service, { ...wire, parameters }, { status: 429, code: 8, text });
  for (const deploymentId of [third, second]) {
    await make(service, 'delete_tvc_deployment', { deploymentId });
  }
  const last = await makeDeployment(service, appId);
  const { body } = await service.query('list_tvc_app_deployments', { appId });
  assert.deepEqual(
    body.tvcDeployments.map(({ id }: { readonly id: string }) => id),
    [first, third, ...made.slice(3), last],
  );
});

test('create_tvc_deployment: approvals of an evicted deployment do not count for another', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const { appId, otherId } = await makeLiveApp(service);
  const nonce = 1_000;
  const deploymentId = await makeDeployment(service, appId, { nonce });
  await approve(service, deploymentId, ['Ada', 'Bob']);
  await make(service, 'delete_tvc_deployment', { deploymentId });
  for (let i = 0; i < 98; i += 1) await makeDeployment(service, appId);
  assert.equal((await service.query('get_tvc_deployment', { deploymentId })).status, 404);
  await make(service, 'delete_tvc_deployment', { deploymentId: otherId });
  // With a used nonce the manifest would be identical, and its old approvals valid.
  for (const used of [nonce, nonce - 1]) {
    await checkRefused(
      service,
      { ...wire, parameters: describedDeployment(appId, { nonce: used }) },
      { status: 400, code: 3, text: /expected at least 1001/, field: 'parameters.nonce' },
    );
  }
  await makeDeployment(service, appId, { nonce: nonce + 1 });
});

test('create_tvc_deployment: bounds all deployments to 4,000,000 bytes with all approvals', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const names = Array.from({ length: 50 }, (_, i) => `Operator ${i}`);
  const set = describedSet(names, 50);
  const appId = await makeApp(service, { manifestSetParams: set, shareSetParams: set });
  const large = { pivotArgs: ['x'.repeat(10_000)] };
  const made: string[] = [];
  let refused = await ask(service, wire.operation, describedDeployment(appId, large));
  while (refused.status === 200) {
    made.push(refused.body.activity.result[wire.result].deploymentId);
    refused = await ask(service, wire.operation, describedDeployment(appId, large));
  }
  assert.equal(refused.status, 429);
  assert.match(
    refused.body.message,
    /^organization has exceeded maximum bytes of deployments: the limit is 4000000$/,
  );
  const [first = '', second = ''] = made;
  await approve(service, first, names);
  const bytes = JSON.stringify(await shown(service, first)).length;
  assert.ok(made.length * bytes <= 4_000_000 && (made.length + 1) * bytes > 4_000_000);
  await make(service, 'delete_tvc_deployment', { deploymentId: second });
  await makeDeployment(service, appId, large);
  assert.equal((await service.query('get_tvc_deployment', { deploymentId: second })).status, 404);
});

test('create_tvc_deployment: a manifest is not shown if its record was altered', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const appId = await makeApp(service);
  const deploymentId = await makeDeployment(service, appId);
  await changeOrganization(service, (draft) => {
    const app = draft.get('tvc_app', appId);
    assert(app !== undefined);
    draft.put('tvc_app', { ...app, quorumPublicKey: operatorKey('another') });
    return undefined;
  });
  assert.equal((await service.query('get_tvc_deployment', { deploymentId })).status, 500);
});

async function manifestPartsOf(service: TestService, deploymentId: string) {
  const manifest = manifestIn(await shown(service, deploymentId));
  return { ...manifest, nonce: manifest.namespace.nonce };
}

async function desiredReplicas(service: TestService, appId: string, deploymentId: string) {
  await approve(service, deploymentId, ['Ada', 'Bob']);
  const { body } = await service.query('get_app_status', { appId });
  return body.appStatus.deployments.find(
    (status: { readonly deploymentId: string }) => status.deploymentId === deploymentId,
  ).desiredReplicas;
}
