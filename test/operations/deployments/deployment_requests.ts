import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { p256 } from '@noble/curves/nist.js';
import { bytesOfHex, hex } from '../../../src/core/base/bytes.ts';
import type { Context } from '../../../src/core/base/context.ts';
import { createApp } from '../../../src/core/deployments/apps.ts';
import {
  approveManifest,
  createDeployment,
  deleteDeployment,
} from '../../../src/core/deployments/deployments.ts';
import type { OrganizationDraft } from '../../../src/core/organization/state.ts';
import { activityOperations } from '../../../src/operations/index.ts';
import { manifestForm } from '../../core/deployments/borsh.ts';
import { type Sender, type TestAnswer, type TestService, testKey } from '../../support/harness.ts';

/** Returns the public key of an operator, equal in every run: the encryption key, then the signing key. */
export const operatorKey = (name: string): string =>
  operatorKeys.getOrInsertComputed(name, () =>
    ['encrypt', 'sign'].map((use) => hex(p256.getPublicKey(secretOf(name, use), false))).join(''),
  );

const operatorKeys = new Map<string, string>();

/** Returns the encryption key of an operator: the first half of its public key. */
export const encryptKey = (name: string): string => operatorKey(name).slice(0, 130);

/** Signs a manifest digest like an operator; returns hex. */
export const signAs = (name: string, digest: Uint8Array): string =>
  hex(p256.sign(digest, secretOf(name, 'sign'), { format: 'compact' }));

const secretOf = (name: string, use: string): Uint8Array =>
  testKey(`operator ${name} ${use}`).privateKey;

/** Returns a set of new operators in the form of requests. */
export const describedSet = (names: readonly string[], threshold: number, name = 'Set') => ({
  name,
  newOperators: names.map((operator) => ({ name: operator, publicKey: operatorKey(operator) })),
  threshold,
});

/** Returns an application in the form of requests; two of three operators approve. */
export const describedApp = (changes: object = {}) => ({
  name: 'Application',
  quorumPublicKey: operatorKey('quorum'),
  manifestSetParams: describedSet(['Ada', 'Bob', 'Eve'], 2, 'Approvers'),
  shareSetParams: describedSet(['Ada', 'Dan'], 2, 'Holders'),
  ...changes,
});

/** Returns a deployment in the form of requests. */
export const describedDeployment = (appId: string, changes: object = {}) => ({
  appId,
  qosVersion: '0.12.1',
  pivotContainerImageUrl: `registry.example/program@sha256:${'12'.repeat(32)}`,
  pivotPath: '/program',
  pivotArgs: ['--level', 'high'],
  expectedPivotDigest: 'ab'.repeat(32),
  healthCheckType: 'TVC_HEALTH_CHECK_TYPE_HTTP' as const,
  healthCheckPort: 3001,
  publicIngressPort: 3000,
  ...changes,
});

/** Submits as the root user; returns the answer. */
export function ask(
  service: TestService,
  operation: string,
  parameters: object,
  as: Sender = {},
): Promise<TestAnswer> {
  const type = activityOperations[operation]?.wire.type ?? '';
  return service.submit(operation, type, parameters, as);
}

/** Submits an activity that must complete; returns its result. */
export async function make(
  service: TestService,
  operation: string,
  parameters: object,
  as: Sender = {},
  // biome-ignore lint/suspicious/noExplicitAny: answers are looked into by path in tests
): Promise<any> {
  const { status, body } = await ask(service, operation, parameters, as);
  assert.equal(status, 200, JSON.stringify(body));
  return Object.values(body.activity.result)[0];
}

/** Creates an application; returns its id. */
export async function makeApp(
  service: TestService,
  changes: object = {},
  as: Sender = {},
): Promise<string> {
  return (await make(service, 'create_tvc_app', describedApp(changes), as)).appId;
}

/** Creates a deployment; returns its id. */
export async function makeDeployment(
  service: TestService,
  appId: string,
  changes: object = {},
): Promise<string> {
  const parameters = describedDeployment(appId, changes);
  return (await make(service, 'create_tvc_deployment', parameters)).deploymentId;
}

/** Creates an application with a live deployment, and another that waits for approvals. */
export async function makeLiveApp(service: TestService) {
  const appId = await makeApp(service);
  const liveId = await makeDeployment(service, appId);
  await approve(service, liveId, ['Ada', 'Bob']);
  return { appId, liveId, otherId: await makeDeployment(service, appId) };
}

/** Returns a deployment as the service shows it. */
// biome-ignore lint/suspicious/noExplicitAny: answers are looked into by path in tests
export async function shown(service: TestService, deploymentId: string): Promise<any> {
  const { status, body } = await service.query('get_tvc_deployment', { deploymentId });
  assert.equal(status, 200, JSON.stringify(body));
  return body.tvcDeployment;
}

/** Returns an application as the service shows it. */
// biome-ignore lint/suspicious/noExplicitAny: answers are looked into by path in tests
export async function shownApp(service: TestService, tvcAppId: string): Promise<any> {
  const { status, body } = await service.query('get_tvc_app', { tvcAppId });
  assert.equal(status, 200, JSON.stringify(body));
  return body.tvcApp;
}

/** Returns the parsed manifest of a shown deployment. */
// biome-ignore lint/suspicious/noExplicitAny: answers are looked into by path in tests
export const manifestIn = ({ manifest }: any) =>
  JSON.parse(Buffer.from(manifest.manifest, 'base64').toString('utf8'));

/** Returns the digest that operators sign for a shown deployment: 32 bytes. */
// biome-ignore lint/suspicious/noExplicitAny: answers are looked into by path in tests
export function manifestDigestIn(deployment: any): Uint8Array {
  const bytes = manifestForm.write(manifestIn(deployment));
  return Uint8Array.from(createHash('sha256').update(bytes).digest());
}

/** Returns a time in milliseconds in the form of answers. */
export const timeOf = (ms: number) => ({
  seconds: String(Math.floor(ms / 1000)),
  nanos: String((ms % 1000) * 1_000_000),
});

/** Returns the parameters of approvals by these operators, signed over the shown manifest. */
export async function approvalsOf(
  service: TestService,
  deploymentId: string,
  names: readonly string[],
) {
  const deployment = await shown(service, deploymentId);
  const digest = manifestDigestIn(deployment);
  const operators: readonly { readonly id: string; readonly name: string }[] =
    deployment.manifestSet.operators;
  return {
    manifestId: deployment.manifest.id,
    approvals: names.map((name) => ({
      operatorId: operators.find((operator) => operator.name === name)?.id ?? '',
      signature: signAs(name, digest),
    })),
  };
}

/** Approves as these operators. */
export async function approve(
  service: TestService,
  deploymentId: string,
  names: readonly string[],
): Promise<void> {
  const parameters = await approvalsOf(service, deploymentId, names);
  await make(service, 'create_tvc_manifest_approvals', parameters);
}

export type RegistryIds = Awaited<ReturnType<typeof putRegistry>>;

/** Adds an application with a live deployment, one that lacks its first approval, and a deleted one. */
export function putRegistry(organization: OrganizationDraft, context: Context) {
  const parameters = describedApp({
    manifestSetParams: describedSet(['Ada', 'Bob'], 1, 'Approvers'),
  });
  const { app, manifestSet } = createApp(parameters, organization, context);
  const deploy = () => createDeployment(describedDeployment(app.id), organization, context);
  const [operatorId = ''] = manifestSet.operatorIds;
  const approvalOf = ({ manifestDigest }: ReturnType<typeof deploy>) => {
    const digest = bytesOfHex(manifestDigest);
    assert(digest !== undefined);
    return { operatorId, signature: signAs('Ada', digest) };
  };
  const [live, open, deleted] = [deploy(), deploy(), deploy()];
  approveManifest(live.manifestId, [approvalOf(live)], organization, context);
  deleteDeployment(deleted, organization, context.now);
  return {
    tvcAppId: app.id,
    operatorSetId: manifestSet.id,
    operatorId,
    liveDeploymentId: live.id,
    openDeploymentId: open.id,
    deletedDeploymentId: deleted.id,
    manifestId: open.manifestId,
    approvalSignature: approvalOf(open).signature,
  };
}
