// The manifest of a deployment. It is not stored, because it follows from records that never change; the
// deployment stores the digest of the first manifest.

import { hex } from '../base/bytes.ts';
import { assert } from '../errors/errors.ts';
import type { TvcApp, TvcDeployment, TvcOperatorSet } from '../organization/records/deployments.ts';
import type { OrganizationView } from '../organization/state.ts';
import { type DeploymentManifest, manifestDigest, type Quorum } from './manifest.ts';
import { operatorsOf } from './operators.ts';
import { qosCommitOf } from './qos_versions.ts';

/** Returns the manifest that operators saw when the deployment was created. */
export function manifestOf(
  deployment: TvcDeployment,
  organization: OrganizationView,
): DeploymentManifest {
  const manifest = makeManifest(deployment, organization);
  const isSame = hex(manifestDigest(manifest)) === deployment.manifestDigest;
  assert(isSame, 'a manifest that is made again is the one that was signed');
  return manifest;
}

/** Returns the manifest of a new deployment. */
export function makeManifest(
  deployment: Omit<TvcDeployment, 'manifestDigest' | 'jsonBytes'>,
  organization: OrganizationView,
): DeploymentManifest {
  const app = storedApp(organization, deployment.appId);
  const { publicIngressPort, healthCheckPort } = deployment;
  const measured = deployment.debugMode ? debugMeasurement : unknownMeasurement;
  return {
    namespace: {
      name: `prod/tvc/${app.id}`,
      nonce: deployment.nonce,
      quorumKey: app.quorumPublicKey,
    },
    pivot: {
      hash: deployment.pivotDigest,
      restart: 'Always',
      bridgeConfig: [...new Set([publicIngressPort, healthCheckPort])].map((port) => ({
        type: 'server',
        port,
        host: '0.0.0.0',
      })),
      debugMode: deployment.debugMode,
      args: deployment.args,
    },
    manifestSet: quorumOf(storedSet(organization, app.manifestSetId), organization),
    shareSet: quorumOf(storedSet(organization, app.shareSetId), organization),
    enclave: {
      pcr0: measured,
      pcr1: measured,
      pcr2: measured,
      pcr3: measured,
      awsRootCertificate: '',
      qosCommit: qosCommitOf(deployment.qosVersion),
    },
    patchSet: { threshold: 0, members: [] },
  };
}

/** Returns the application of a record. */
export function storedApp(organization: OrganizationView, id: string): TvcApp {
  const app = organization.get('tvc_app', id);
  assert(app !== undefined, 'the application of a deployment is there');
  return app;
}

/** Returns the operator set of a record. */
export function storedSet(organization: OrganizationView, id: string): TvcOperatorSet {
  const set = organization.get('tvc_operator_set', id);
  assert(set !== undefined, 'the operator sets of an application are there');
  return set;
}

/**
 * Only the operator of enclaves knows their measurements. No enclave has an empty measurement, so an approval
 * never matches an unmeasured enclave. In debug mode all measurements are zero.
 */
const unknownMeasurement = '';
const debugMeasurement = '00'.repeat(48);

const quorumOf = (set: TvcOperatorSet, organization: OrganizationView): Quorum => ({
  threshold: set.threshold,
  members: operatorsOf(set, organization).map(({ name, publicKey }) => ({
    alias: name,
    pubKey: publicKey,
  })),
});
