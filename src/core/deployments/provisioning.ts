// Shares of quorum keys, re-encrypted by operators to an enclave of a deployment.

import { bytesOfHex } from '../base/bytes.ts';
import type { Context } from '../base/context.ts';
import { failField } from '../errors/errors.ts';
import type { TvcProvisioningShare } from '../organization/records/deployments.ts';
import type { OrganizationDraft } from '../organization/state.ts';
import { storedApp, storedSet } from './deployment_manifest.ts';
import { isManifestSignature, refuseDeleted, requireDeployment } from './deployments.ts';
import { parseKeyPair } from './operator_keys.ts';
import { storedOperator } from './operators.ts';

/** Minimum and maximum length in bytes of an envelope with a share. */
const bounds = { minimum: 12 + 65 + 4 + 16, maximum: 512 };

/**
 * Stores an operator's share for a deployment. It replaces an earlier share, because an enclave has a new key
 * after each start. Raises `resource_not_found`, `field_invalid` and `deployment_refused`.
 */
export function postShare(
  asked: {
    readonly deploymentId: string;
    readonly ephemeralPublicKeyHex: string;
    readonly shareApprovalBundle: {
      readonly operatorId: string;
      readonly reEncryptedShareHex: string;
      readonly signature: string;
    };
  },
  organization: OrganizationDraft,
  { now, newId }: Context,
): TvcProvisioningShare {
  const deployment = requireDeployment(organization, asked.deploymentId);
  refuseDeleted(deployment, organization);
  const field = 'parameters.shareApprovalBundle';
  const { reEncryptedShareHex, signature } = asked.shareApprovalBundle;
  const operatorId = asked.shareApprovalBundle.operatorId.toLowerCase();
  const { shareSetId } = storedApp(organization, deployment.appId);
  if (!storedSet(organization, shareSetId).operatorIds.includes(operatorId)) {
    failField(`${field}.operatorId`, 'expected a member of the share set');
  }
  const { publicKey } = storedOperator(organization, operatorId);
  if (!isManifestSignature(signature, deployment.manifestDigest, publicKey)) {
    failField(`${field}.signature`, 'expected the signature of the operator over the manifest');
  }
  const envelope = bytesOfHex(reEncryptedShareHex)?.length ?? 0;
  if (envelope < bounds.minimum || envelope > bounds.maximum) {
    const expected = `expected ${bounds.minimum} to ${bounds.maximum} bytes in hex`;
    failField(`${field}.reEncryptedShareHex`, expected);
  }
  const share: TvcProvisioningShare = {
    id: newId(),
    operatorId,
    ephemeralPublicKey: parseKeyPair(
      asked.ephemeralPublicKeyHex,
      'parameters.ephemeralPublicKeyHex',
    ),
    encryptedShare: reEncryptedShareHex.toLowerCase(),
    signature: signature.toLowerCase(),
    createdAtMs: now,
  };
  const others = (deployment.provisioningShares ?? []).filter(
    (each) => each.operatorId !== operatorId,
  );
  const provisioningShares = [...others, share];
  organization.put('tvc_deployment', { ...deployment, provisioningShares, updatedAtMs: now });
  return share;
}
