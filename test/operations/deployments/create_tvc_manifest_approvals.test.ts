import assert from 'node:assert/strict';
import { test } from 'node:test';
import { p256 } from '@noble/curves/nist.js';
import { bytesOfHex, hex } from '../../../src/core/base/bytes.ts';
import { startTestService, type TestService } from '../../support/harness.ts';
import { checkActivity, checkRefused } from '../checks.ts';
import { addChild } from '../other_callers.ts';
import { unknownId } from '../wallets/wallet_requests.ts';
import {
  approvalsOf,
  approve,
  ask,
  describedDeployment,
  make,
  makeApp,
  makeDeployment,
  makeLiveApp,
  manifestDigestIn,
  shown,
  shownApp,
  signAs,
} from './deployment_requests.ts';

const wire = {
  operation: 'create_tvc_manifest_approvals',
  type: 'ACTIVITY_TYPE_CREATE_TVC_MANIFEST_APPROVALS',
  intent: 'createTvcManifestApprovalsIntent',
  result: 'createTvcManifestApprovalsResult',
};

test('create_tvc_manifest_approvals: two of three make the deployment live', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const appId = await makeApp(service);
  const deploymentId = await makeDeployment(service, appId);
  await approve(service, deploymentId, ['Eve']);
  assert.equal((await shownApp(service, appId)).liveDeploymentId, undefined);

  const parameters = await approvalsOf(service, deploymentId, ['Bob', 'Ada']);
  const [bob, ada] = parameters.approvals;
  assert.ok(ada && bob);
  const digest = manifestDigestIn(await shown(service, deploymentId));
  const { operatorId } = ada;
  const wrongSignatures = [
    '',
    'zz',
    ada.signature.slice(2),
    `${ada.signature}00`,
    '00'.repeat(64),
    bob.signature,
    // A signature over another manifest, over the text instead of its digest, and in DER.
    signAs('Ada', Uint8Array.from(digest).reverse()),
    signAs('Ada', new Uint8Array(0)),
    hex(p256.Signature.fromHex(ada.signature).toBytes('der')),
    'x'.repeat(201),
  ];
  const { approvalIds } = await checkActivity(service, {
    ...wire,
    parameters,
    malformed: [
      { field: 'parameters.manifestId', parameters: { ...parameters, manifestId: 'x' } },
      { field: 'parameters.approvals', parameters: { ...parameters, approvals: [] } },
      {
        field: 'parameters.approvals',
        parameters: { ...parameters, approvals: Array(51).fill(ada) },
      },
      ...wrongSignatures.map((signature) => ({
        field: 'parameters.approvals.0.signature',
        parameters: { ...parameters, approvals: [{ operatorId, signature }] },
      })),
      {
        field: 'parameters.approvals.1.signature',
        parameters: { ...parameters, approvals: [ada, { ...bob, signature: ada.signature }] },
      },
      {
        field: 'parameters.approvals.1',
        parameters: {
          ...parameters,
          approvals: [ada, { ...ada, operatorId: operatorId.toUpperCase() }],
        },
      },
      {
        field: 'parameters.approvals.0.operatorId',
        parameters: { ...parameters, approvals: [{ ...ada, operatorId: unknownId }] },
      },
      {
        field: 'parameters.approvals.0.operatorId',
        parameters: { ...parameters, approvals: [{ signature: ada.signature }] },
      },
    ],
  });
  const deployment = await shown(service, deploymentId);
  assert.deepEqual(
    deployment.manifestApprovals.map(nameOf),
    ['Eve', 'Bob', 'Ada'],
    'oldest first, in the order of the request',
  );
  const [, second, third] = deployment.manifestApprovals;
  assert.deepEqual(approvalIds, [second.id, third.id]);
  assert.equal(Buffer.from(third.approval, 'base64').toString('hex'), ada.signature);
  assert.equal(third.manifestId, parameters.manifestId);
  assert.equal((await shownApp(service, appId)).liveDeploymentId, deploymentId);
});

test('create_tvc_manifest_approvals: takes hex in any letter case, and both halves of s', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const deploymentId = await makeDeployment(service, await makeApp(service));
  const { manifestId, approvals } = await approvalsOf(service, deploymentId, ['Ada', 'Bob']);
  const swapped = approvals.map(({ operatorId, signature }) => ({
    operatorId: operatorId.toUpperCase(),
    signature: otherHalf(signature).toUpperCase(),
  }));
  await make(service, wire.operation, { manifestId: manifestId.toUpperCase(), approvals: swapped });
});

test('create_tvc_manifest_approvals: refuses a member of another set', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const deploymentId = await makeDeployment(service, await makeApp(service));
  const { manifest, shareSet } = await shown(service, deploymentId);
  const dan = shareSet.operators.find(({ name }: { readonly name: string }) => name === 'Dan');
  const signature = signAs('Dan', manifestDigestIn(await shown(service, deploymentId)));
  await checkRefused(
    service,
    {
      ...wire,
      parameters: { manifestId: manifest.id, approvals: [{ operatorId: dan.id, signature }] },
    },
    {
      status: 400,
      code: 3,
      text: /expected a member of the manifest set/,
      field: 'parameters.approvals.0.operatorId',
    },
  );
});

test('create_tvc_manifest_approvals: an operator approves once', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const deploymentId = await makeDeployment(service, await makeApp(service));
  await approve(service, deploymentId, ['Ada']);
  const text = /^manifest approval already exists: of operator /;
  const parameters = await approvalsOf(service, deploymentId, ['Bob', 'Ada']);
  await checkRefused(service, { ...wire, parameters }, { status: 409, code: 6, text });
  const { manifestApprovals } = await shown(service, deploymentId);
  assert.deepEqual(manifestApprovals.map(nameOf), ['Ada']);
});

test('create_tvc_manifest_approvals: counts both of two concurrent approvals', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const appId = await makeApp(service);
  const deploymentId = await makeDeployment(service, appId);
  const requests = await Promise.all(
    ['Ada', 'Bob'].map((name) => approvalsOf(service, deploymentId, [name])),
  );
  const answers = await Promise.all(
    requests.map((request) => ask(service, wire.operation, request)),
  );
  assert.deepEqual(
    answers.map(({ status }) => status),
    [200, 200],
  );
  assert.equal((await shown(service, deploymentId)).manifestApprovals.length, 2);
  assert.equal((await shownApp(service, appId)).liveDeploymentId, deploymentId);
});

test('create_tvc_manifest_approvals: a live deployment stays live', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const { appId, liveId, otherId } = await makeLiveApp(service);
  await approve(service, otherId, ['Ada', 'Bob', 'Eve']);
  assert.equal((await shownApp(service, appId)).liveDeploymentId, liveId);
  await approve(service, liveId, ['Eve']);
});

test('create_tvc_manifest_approvals: refuses deleted deployments', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const { appId, otherId: deploymentId } = await makeLiveApp(service);
  const parameters = await approvalsOf(service, deploymentId, ['Ada']);
  await make(service, 'delete_tvc_deployment', { deploymentId });
  const refusal = { status: 400, code: 9 };
  await checkRefused(
    service,
    { ...wire, parameters },
    { ...refusal, text: /^cannot change deployment .*: it is deleted$/ },
  );
  await make(service, 'delete_tvc_app_and_deployments', { appId });
  await checkRefused(
    service,
    { ...wire, parameters },
    { ...refusal, text: /^cannot change application .*: it is deleted$/ },
  );
});

test('create_tvc_manifest_approvals: takes only manifests of this organization', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const child = await addChild(service);
  const approvals = [{ operatorId: unknownId, signature: '00' }];
  for (const manifestId of [unknownId, await manifestOf(service, child)]) {
    await checkRefused(
      service,
      { ...wire, parameters: { manifestId, approvals } },
      { status: 404, code: 5, text: new RegExp(`^unable to find manifest ${manifestId} `) },
    );
  }
});

const nameOf = ({ operator }: { readonly operator: { readonly name: string } }) => operator.name;

/** Returns the same signature with the other of the two valid s values. */
function otherHalf(signature: string): string {
  const s = BigInt(`0x${signature.slice(64)}`);
  const other = p256.Point.Fn.ORDER - s;
  assert.notEqual(other, s);
  assert.equal(bytesOfHex(signature)?.length, 64);
  return `${signature.slice(0, 64)}${other.toString(16).padStart(64, '0')}`;
}

async function manifestOf(service: TestService, child: Awaited<ReturnType<typeof addChild>>) {
  const appId = await makeApp(service, {}, child);
  return (await make(service, 'create_tvc_deployment', describedDeployment(appId), child))
    .manifestId;
}
