// The API forms of applications, deployments and operators.

import { bytesOfHex, utf8 } from '../base/bytes.ts';
import { timestampObject, timestampsOf } from '../base/compatibility.ts';
import { assert } from '../errors/errors.ts';
import type {
  TvcApp,
  TvcApproval,
  TvcDeployment,
  TvcOperator,
  TvcOperatorSet,
  TvcProvisioningShare,
  TvcQuorumKey,
} from '../organization/records/deployments.ts';
import type { OrganizationView } from '../organization/state.ts';
import { manifestOf, storedApp, storedSet } from './deployment_manifest.ts';
import { manifestText } from './manifest.ts';
import { pointsOf } from './operator_keys.ts';
import { operatorsOf, storedOperator } from './operators.ts';
import { externalRunner } from './runner.ts';

/** Protocol buffers write bytes as base64 with padding in JSON. */
const base64 = (bytes: Uint8Array): string => bytes.toBase64();

export function operatorView(operator: TvcOperator) {
  const { id, name, publicKey, keySource } = operator;
  const { encrypt: encryptPublicKey, sign: signPublicKey } = pointsOf(publicKey);
  const keys = { publicKey, encryptPublicKey, signPublicKey, keySource };
  return { id, name, ...keys, ...timestampsOf(operator) };
}

export function quorumKeyView({ id, publicKey, threshold, shares, ...times }: TvcQuorumKey) {
  return {
    id,
    publicKey,
    threshold,
    operatorIds: shares.map(({ operatorId }) => operatorId),
    shares: shares.map(({ id: shareId, operatorId, encryptedShare }) => {
      return { shareId, operatorId, encryptedShare };
    }),
    ...timestampsOf(times),
  };
}

export function provisioningShareView(share: TvcProvisioningShare) {
  const { id: provisioningShareId, operatorId, ephemeralPublicKey, signature } = share;
  const reEncryptedShareHex = share.encryptedShare;
  const createdAt = timestampObject(share.createdAtMs);
  const ephemeralPublicKeyHex = ephemeralPublicKey;
  const bundle = { operatorId, reEncryptedShareHex, signature };
  return { provisioningShareId, ephemeralPublicKeyHex, ...bundle, createdAt };
}

const operatorSetView = (set: TvcOperatorSet, organization: OrganizationView) => ({
  id: set.id,
  name: set.name,
  organizationId: organization.id,
  operators: operatorsOf(set, organization).map(operatorView),
  threshold: set.threshold,
  ...timestampsOf(set),
});

/** A domain that never resolves (RFC 2606), since this service does not serve the application. */
const publicDomainOf = ({ id }: TvcApp): string => `app-${id}.invalid`;

export const appView = (app: TvcApp, organization: OrganizationView) => ({
  id: app.id,
  organizationId: organization.id,
  name: app.name,
  quorumPublicKey: app.quorumPublicKey,
  manifestSet: operatorSetView(storedSet(organization, app.manifestSetId), organization),
  shareSet: operatorSetView(storedSet(organization, app.shareSetId), organization),
  enableEgress: app.enableEgress,
  ...timestampsOf(app),
  ...(app.liveDeploymentId === undefined ? {} : { liveDeploymentId: app.liveDeploymentId }),
  publicDomain: publicDomainOf(app),
  enableDebugModeDeployments: app.enableDebugModeDeployments,
});

export function deploymentView(deployment: TvcDeployment, organization: OrganizationView) {
  const app = storedApp(organization, deployment.appId);
  const { instanceSizeCpus, instanceSizeRam } = deployment;
  const { createdAt } = timestampsOf(deployment);
  return {
    id: deployment.id,
    organizationId: organization.id,
    appId: app.id,
    manifestSet: operatorSetView(storedSet(organization, app.manifestSetId), organization),
    shareSet: operatorSetView(storedSet(organization, app.shareSetId), organization),
    manifest: {
      id: deployment.manifestId,
      manifest: base64(utf8(manifestText(manifestOf(deployment, organization)))),
      createdAt,
      updatedAt: createdAt,
    },
    manifestApprovals: deployment.approvals.map((approval) =>
      approvalView(approval, deployment.manifestId, organization),
    ),
    qosVersion: deployment.qosVersion,
    pivotContainer: {
      containerUrl: deployment.imageUrl,
      path: deployment.path,
      args: deployment.args,
      hasPullSecret: deployment.hasPullSecret,
      healthCheckType: deployment.healthCheckType,
      healthCheckPort: deployment.healthCheckPort,
      publicIngressPort: deployment.publicIngressPort,
    },
    ...timestampsOf(deployment),
    delete: deployment.isDeleted,
    debugMode: deployment.debugMode,
    ...(instanceSizeCpus === undefined ? {} : { instanceSizeCpus }),
    ...(instanceSizeRam === undefined ? {} : { instanceSizeRam }),
  };
}

function approvalView(approval: TvcApproval, manifestId: string, organization: OrganizationView) {
  const signature = bytesOfHex(approval.signature);
  assert(signature !== undefined, 'a stored signature is hex');
  const createdAt = timestampObject(approval.createdAtMs);
  return {
    id: approval.id,
    manifestId,
    operator: operatorView(storedOperator(organization, approval.operatorId)),
    approval: base64(signature),
    createdAt,
    updatedAt: createdAt,
  };
}

/** Returns the running state of an application, without cleaned-up deployments. */
export const appStatusView = (
  app: TvcApp,
  deployments: readonly TvcDeployment[],
  organization: OrganizationView,
) => ({
  appId: app.id,
  deployments: deployments
    .filter((deployment) => !externalRunner.isCleanedUp(deployment))
    .map((deployment) => {
      const status = externalRunner.status(deployment);
      const runs = !deployment.isDeleted && isApproved(deployment, organization);
      return {
        deploymentId: deployment.id,
        readyReplicas: status?.readyReplicas ?? 0,
        desiredReplicas: runs ? deployment.replicas : 0,
        lastUpdatedTime: timestampObject(status?.atMs ?? deployment.updatedAtMs),
      };
    }),
  targetedDeploymentId: app.liveDeploymentId ?? '',
});

/** Returns true if the approvals reach the threshold of the manifest set. */
export function isApproved(
  { appId, approvals }: TvcDeployment,
  organization: OrganizationView,
): boolean {
  const { manifestSetId } = storedApp(organization, appId);
  return approvals.length >= storedSet(organization, manifestSetId).threshold;
}
