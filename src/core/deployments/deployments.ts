// Rules of deployments: creation, approval by operators, live deployment, deletion and restoration.

import { bytesOfHex, hex, utf8 } from '../base/bytes.ts';
import type { Context } from '../base/context.ts';
import { verifyP256 } from '../crypto/verify.ts';
import { assert, fail, failField } from '../errors/errors.ts';
import { checkLimit, limitOf } from '../organization/limits.ts';
import type { TvcApp, TvcApproval, TvcDeployment } from '../organization/records/deployments.ts';
import { failNotFound, requiredRecord } from '../organization/required_record.ts';
import type { OrganizationDraft, OrganizationView } from '../organization/state.ts';
import { distinctIds } from '../schema/distinct_ids.ts';
import { requireApp } from './apps.ts';
import { makeManifest, storedApp, storedSet } from './deployment_manifest.ts';
import { manifestDigest } from './manifest.ts';
import { verifyingKeyOf } from './operator_keys.ts';
import { storedOperator } from './operators.ts';
import { qosCommitOf } from './qos_versions.ts';
import { externalRunner } from './runner.ts';
import { deploymentView, isApproved } from './views.ts';

/** Maximum total length of the arguments of a program. */
export const maximumArgumentCharacters = 10_000;
/** Maximum size of all deployments of an organization in an answer, with all approvals. */
const maximumJsonBytes = 4_000_000;
/** The manifest stores the nonce in 32 bits. */
export const maximumNonce = 2 ** 32 - 1;

const defaultReplicas = 3;
/** Number of replicas in debug mode. */
const debugReplicas = 1;

/** Parameters of a deployment. */
type DeploymentParameters = {
  readonly appId: string;
  readonly qosVersion: string;
  readonly pivotContainerImageUrl: string;
  readonly pivotPath: string;
  readonly pivotArgs: readonly string[];
  readonly expectedPivotDigest: string;
  readonly nonce?: number;
  readonly pivotContainerEncryptedPullSecret?: string;
  readonly debugMode?: boolean;
  readonly healthCheckType: TvcDeployment['healthCheckType'];
  readonly healthCheckPort: number;
  readonly publicIngressPort: number;
  readonly replicas?: number;
  readonly instanceSizeCpus?: number;
  readonly instanceSizeRam?: number;
};

/**
 * Creates a deployment, which runs once its manifest is approved. Removes the oldest deleted ones if there is
 * no room. Raises `field_invalid`, `resource_not_found`, `deployment_refused`, `already_exists` and
 * `limit_exceeded`.
 */
export function createDeployment(
  parameters: DeploymentParameters,
  organization: OrganizationDraft,
  context: Context,
): TvcDeployment {
  const app = requireApp(organization, parameters.appId);
  if (app.isDeleted) refuseOfDeletedApp(app);
  qosCommitOf(parameters.qosVersion);
  const { pivotArgs: args, debugMode = false } = parameters;
  const characters = args.reduce((sum, argument) => sum + argument.length, 0);
  if (characters > maximumArgumentCharacters) {
    failField('parameters.pivotArgs', `expected at most ${maximumArgumentCharacters} characters`);
  }
  if (debugMode && !app.enableDebugModeDeployments) {
    const expected = 'expected an application that was made with `enableDebugModeDeployments`';
    failField('parameters.debugMode', expected);
  }
  const { replicas = debugMode ? debugReplicas : defaultReplicas } = parameters;
  const { instanceSizeCpus, instanceSizeRam } = parameters;
  if (debugMode && replicas !== debugReplicas) {
    failField('parameters.replicas', `expected ${debugReplicas} in debug mode`);
  }
  const described = {
    id: context.newId(),
    appId: app.id,
    manifestId: context.newId(),
    nonce: nonceOf(parameters.nonce, app, organization, context.now),
    qosVersion: parameters.qosVersion,
    imageUrl: parameters.pivotContainerImageUrl,
    hasPullSecret: (parameters.pivotContainerEncryptedPullSecret ?? '') !== '',
    path: parameters.pivotPath,
    args,
    pivotDigest: pivotDigestOf(parameters.expectedPivotDigest),
    debugMode,
    healthCheckType: parameters.healthCheckType,
    healthCheckPort: parameters.healthCheckPort,
    publicIngressPort: parameters.publicIngressPort,
    replicas,
    ...(instanceSizeCpus === undefined ? {} : { instanceSizeCpus }),
    ...(instanceSizeRam === undefined ? {} : { instanceSizeRam }),
    approvals: [],
    isDeleted: false,
    createdAtMs: context.now,
    updatedAtMs: context.now,
  };
  const digest = hex(manifestDigest(makeManifest(described, organization)));
  const withoutSize = { ...described, manifestDigest: digest, jsonBytes: 0 };
  const jsonBytes = jsonBytesOf(withoutSize, app, organization);
  makeRoom(jsonBytes, organization);
  const deployment: TvcDeployment = { ...withoutSize, jsonBytes };
  organization.put('tvc_deployment', deployment);
  return deployment;
}

/** Finds a deployment by its ID in any letter case. Raises `resource_not_found`. */
export const requireDeployment = requiredRecord('tvc_deployment', 'deployment');

/**
 * Adds signatures of members of the manifest set. When they reach the threshold, the deployment becomes live
 * if the application has no live one. Returns the IDs of the approvals. Raises `resource_not_found`,
 * `field_invalid`, `already_exists` and `deployment_refused`.
 */
export function approveManifest(
  manifestId: string,
  approvals: readonly { readonly operatorId: string; readonly signature: string }[],
  organization: OrganizationDraft,
  context: Context,
): string[] {
  const deployment = requireManifest(organization, manifestId);
  const app = storedApp(organization, deployment.appId);
  refuseDeleted(deployment, organization);
  const operatorIds = approvals.map(({ operatorId }) => operatorId);
  distinctIds(operatorIds, 'parameters.approvals');
  const made = approvals.map(({ operatorId, signature }, i): TvcApproval => {
    const id = operatorId.toLowerCase();
    const field = `parameters.approvals.${i}`;
    if (!storedSet(organization, app.manifestSetId).operatorIds.includes(id)) {
      failField(`${field}.operatorId`, 'expected a member of the manifest set');
    }
    if (deployment.approvals.some((known) => known.operatorId === id)) {
      fail('already_exists', { resource: 'manifest approval', what: `of operator ${id}` });
    }
    const { publicKey } = storedOperator(organization, id);
    if (!isManifestSignature(signature, deployment.manifestDigest, publicKey)) {
      failField(`${field}.signature`, 'expected the signature of the operator over this manifest');
    }
    return {
      id: context.newId(),
      operatorId: id,
      signature: signature.toLowerCase(),
      createdAtMs: context.now,
    };
  });
  const approved: TvcDeployment = {
    ...deployment,
    approvals: [...deployment.approvals, ...made],
    updatedAtMs: context.now,
  };
  organization.put('tvc_deployment', approved);
  if (app.liveDeploymentId === undefined && isApproved(approved, organization)) {
    makeLive(approved, app, organization, context.now);
  }
  return made.map(({ id }) => id);
}

/**
 * Sets the live deployment of an application. Raises `deployment_refused` if it is deleted, not approved, or
 * reported to have no ready replica.
 */
export function setLive(
  deployment: TvcDeployment,
  organization: OrganizationDraft,
  now: number,
): void {
  const app = storedApp(organization, deployment.appId);
  refuseDeleted(deployment, organization);
  if (!isApproved(deployment, organization)) {
    refuse(deployment, 'its manifest is not approved by enough operators');
  }
  // Without a report, the deployment counts as healthy.
  if (externalRunner.status(deployment)?.readyReplicas === 0) {
    refuse(deployment, 'none of its replicas is ready');
  }
  if (app.liveDeploymentId !== deployment.id) makeLive(deployment, app, organization, now);
}

/** Marks a deployment as deleted. Idempotent. Raises `deployment_refused` for the live one. */
export function deleteDeployment(
  deployment: TvcDeployment,
  organization: OrganizationDraft,
  now: number,
): void {
  if (deployment.isDeleted) return;
  if (storedApp(organization, deployment.appId).liveDeploymentId === deployment.id) {
    refuse(deployment, 'it is live: make another one live first, or delete the application');
  }
  organization.put('tvc_deployment', { ...deployment, isDeleted: true, updatedAtMs: now });
}

/**
 * Restores a deleted deployment, which does not become live. Raises `deployment_refused` if it is not
 * deleted, is cleaned up, or its application is deleted.
 */
export function restoreDeployment(
  deployment: TvcDeployment,
  organization: OrganizationDraft,
  now: number,
): void {
  const app = storedApp(organization, deployment.appId);
  if (app.isDeleted) refuseOfDeletedApp(app);
  if (!deployment.isDeleted) refuse(deployment, 'it is not deleted');
  if (externalRunner.isCleanedUp(deployment)) refuse(deployment, 'it is cleaned up already');
  organization.put('tvc_deployment', { ...deployment, isDeleted: false, updatedAtMs: now });
}

/**
 * Stores the status that the runner of a deployment reports. Raises `deployment_refused` for an impossible
 * status: replicas of a deployment that is not approved or is cleaned up, and clean-up of a deployment that
 * is not deleted.
 */
export function reportStatus(
  deployment: TvcDeployment,
  report: { readonly readyReplicas: number; readonly isCleanedUp: boolean },
  organization: OrganizationDraft,
  now: number,
): void {
  if (externalRunner.isCleanedUp(deployment)) refuse(deployment, 'it is cleaned up already');
  if (report.readyReplicas > 0 && !isApproved(deployment, organization)) {
    refuse(deployment, 'its manifest is not approved by enough operators');
  }
  if (report.isCleanedUp && !deployment.isDeleted) refuse(deployment, 'it is not deleted');
  if (report.isCleanedUp && report.readyReplicas > 0) {
    refuse(deployment, 'a cleaned-up deployment has no replicas');
  }
  organization.put('tvc_deployment', { ...deployment, report: { ...report, atMs: now } });
}

function requireManifest(organization: OrganizationView, id: string): TvcDeployment {
  const requested = id.toLowerCase();
  const found = organization
    .list('tvc_deployment')
    .find(({ manifestId }) => manifestId === requested);
  return found ?? failNotFound('manifest', id, organization);
}

function makeLive(
  deployment: TvcDeployment,
  app: TvcApp,
  organization: OrganizationDraft,
  now: number,
): void {
  organization.put('tvc_app', { ...app, liveDeploymentId: deployment.id, updatedAtMs: now });
}

/** Raises `deployment_refused` for a deleted deployment or application. */
export function refuseDeleted(deployment: TvcDeployment, organization: OrganizationView): void {
  const app = storedApp(organization, deployment.appId);
  if (app.isDeleted) refuseOfDeletedApp(app);
  if (deployment.isDeleted) refuse(deployment, 'it is deleted');
}

function refuse({ id }: TvcDeployment, reason: string): never {
  return fail('deployment_refused', { what: `deployment ${id}`, reason });
}

function refuseOfDeletedApp({ id }: TvcApp): never {
  return fail('deployment_refused', { what: `application ${id}`, reason: 'it is deleted' });
}

/** Verifies an operator's signature over the digest as a message, r and s in 64 bytes. */
export function isManifestSignature(text: string, digest: string, publicKey: string): boolean {
  const signature = bytesOfHex(text);
  const message = bytesOfHex(digest);
  assert(message !== undefined, 'a stored digest is hex');
  return signature?.length === 64 && verifyP256(verifyingKeyOf(publicKey), signature, message);
}

/** Parses 64 hex digits, optionally after `sha256:`. */
function pivotDigestOf(text: string): string {
  const digits = /^(?:sha256:)?([0-9a-f]{64})$/i.exec(text)?.[1];
  if (digits !== undefined) return digits.toLowerCase();
  return failField('parameters.expectedPivotDigest', 'expected SHA-256 in hex, 64 digits');
}

/**
 * Returns an unused nonce, so that an approval is valid for only one manifest of the application, including
 * removed ones. Enclaves reject nonces below the highest that they have seen. Default: the time in seconds,
 * or one more than the highest nonce.
 */
function nonceOf(
  requested: number | undefined,
  app: TvcApp,
  organization: OrganizationView,
  now: number,
): number {
  const nonces = organization
    .list('tvc_deployment')
    .flatMap(({ appId, nonce }) => (appId === app.id ? [nonce] : []));
  const { lowestNonce = 0 } = app;
  const next = nonces.map((known) => known + 1);
  const nonce = requested ?? Math.max(Math.floor(now / 1000), lowestNonce, ...next);
  if (nonce > maximumNonce) {
    failField('parameters.nonce', 'expected one, because the greatest nonce is in use');
  }
  if (nonce < lowestNonce) {
    failField('parameters.nonce', `expected at least ${lowestNonce}: lower ones may be used up`);
  }
  if (nonces.includes(nonce)) {
    fail('already_exists', { resource: 'manifest', what: `of nonce ${nonce} in this application` });
  }
  return nonce;
}

function jsonBytesOf(
  deployment: TvcDeployment,
  app: TvcApp,
  organization: OrganizationView,
): number {
  const { operatorIds } = storedSet(organization, app.manifestSetId);
  const approvals = operatorIds.map((operatorId) => ({
    id: operatorId,
    operatorId,
    signature: '00'.repeat(64),
    createdAtMs: deployment.createdAtMs,
  }));
  const view = deploymentView({ ...deployment, approvals }, organization);
  return utf8(JSON.stringify(view)).length;
}

function makeRoom(jsonBytes: number, organization: OrganizationDraft): void {
  let kept = organization.list('tvc_deployment');
  const total = () => kept.reduce((sum, other) => sum + other.jsonBytes, jsonBytes);
  const limit = limitOf('tvcDeployments', organization);
  while (kept.length >= limit || total() > maximumJsonBytes) {
    const oldest = kept.find(({ isDeleted }) => isDeleted);
    if (oldest === undefined) break;
    organization.remove('tvc_deployment', oldest.id);
    const app = storedApp(organization, oldest.appId);
    const lowestNonce = Math.max(app.lowestNonce ?? 0, oldest.nonce + 1);
    organization.put('tvc_app', { ...app, lowestNonce });
    kept = kept.filter((other) => other !== oldest);
  }
  checkLimit('tvcDeployments', kept.length + 1, organization);
  if (total() > maximumJsonBytes) {
    const resource = 'bytes of deployments';
    fail('limit_exceeded', { owner: 'organization', resource, limit: maximumJsonBytes });
  }
}
