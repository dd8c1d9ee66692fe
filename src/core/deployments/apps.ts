// Rules of applications that run in enclaves: creation with two operator sets, and deletion.

import type { Context } from '../base/context.ts';
import { fail } from '../errors/errors.ts';
import { checkLimit, limitOf } from '../organization/limits.ts';
import type { TvcApp, TvcDeployment, TvcOperatorSet } from '../organization/records/deployments.ts';
import { requiredRecord } from '../organization/required_record.ts';
import type { OrganizationDraft, OrganizationView } from '../organization/state.ts';
import { parseKeyPair } from './operator_keys.ts';
import { chooseOperatorSet, type OperatorSetParameters } from './operators.ts';

/** With a threshold of one, a single share would be the quorum key. */
const minimumShareThreshold = 2;

/** Parameters of an application. */
type AppParameters = {
  readonly name: string;
  readonly quorumPublicKey: string;
  readonly manifestSetId?: string;
  readonly manifestSetParams?: OperatorSetParameters;
  readonly shareSetId?: string;
  readonly shareSetParams?: OperatorSetParameters;
  readonly enableEgress?: boolean;
  readonly enableDebugModeDeployments?: boolean;
};

/** An application and its operator sets. */
type CreatedApp = {
  readonly app: TvcApp;
  readonly manifestSet: TvcOperatorSet;
  readonly shareSet: TvcOperatorSet;
};

/**
 * Creates an application. Removes the oldest deleted one if there is no room. Raises `field_invalid`,
 * `resource_not_found`, `label_not_unique` and `limit_exceeded`.
 */
export function createApp(
  parameters: AppParameters,
  organization: OrganizationDraft,
  context: Context,
): CreatedApp {
  const { name, manifestSetId, manifestSetParams, shareSetId, shareSetParams } = parameters;
  const quorumPublicKey = parseKeyPair(parameters.quorumPublicKey, 'parameters.quorumPublicKey');
  if (organization.list('tvc_app').some((app) => app.name === name && !app.isDeleted)) {
    fail('label_not_unique', { resource: 'application', label: name });
  }
  const manifestSet = chooseOperatorSet(
    {
      id: manifestSetId,
      parameters: manifestSetParams,
      idField: 'parameters.manifestSetId',
      parametersField: 'parameters.manifestSetParams',
      minimumThreshold: 1,
    },
    organization,
    context,
  );
  const shareSet = chooseOperatorSet(
    {
      id: shareSetId,
      parameters: shareSetParams,
      idField: 'parameters.shareSetId',
      parametersField: 'parameters.shareSetParams',
      minimumThreshold: minimumShareThreshold,
    },
    organization,
    context,
  );
  makeRoom(organization);
  const app: TvcApp = {
    id: context.newId(),
    name,
    quorumPublicKey,
    manifestSetId: manifestSet.id,
    shareSetId: shareSet.id,
    enableEgress: parameters.enableEgress ?? false,
    enableDebugModeDeployments: parameters.enableDebugModeDeployments ?? false,
    isDeleted: false,
    createdAtMs: context.now,
    updatedAtMs: context.now,
  };
  organization.put('tvc_app', app);
  return { app, manifestSet, shareSet };
}

/** Finds an application by its ID in any letter case, deleted or not. Raises `resource_not_found`. */
export const requireApp = requiredRecord('tvc_app', 'application');

/** Returns the deployments of an application, oldest first. */
export function deploymentsOf(app: TvcApp, organization: OrganizationView): TvcDeployment[] {
  return organization.list('tvc_deployment').filter((deployment) => deployment.appId === app.id);
}

/** Deletes an application and its deployments, including the live one. Idempotent. */
export function deleteApp(app: TvcApp, organization: OrganizationDraft, now: number): void {
  if (app.isDeleted) return;
  const { liveDeploymentId: _, ...rest } = app;
  organization.put('tvc_app', { ...rest, isDeleted: true, updatedAtMs: now });
  for (const deployment of deploymentsOf(app, organization)) {
    if (deployment.isDeleted) continue;
    organization.put('tvc_deployment', { ...deployment, isDeleted: true, updatedAtMs: now });
  }
}

function makeRoom(organization: OrganizationDraft): void {
  const apps = organization.list('tvc_app');
  const oldest = apps.find((app) => app.isDeleted);
  if (oldest === undefined || apps.length < limitOf('tvcApps', organization)) {
    checkLimit('tvcApps', apps.length + 1, organization);
    return;
  }
  for (const { id } of deploymentsOf(oldest, organization)) {
    organization.remove('tvc_deployment', id);
  }
  organization.remove('tvc_app', oldest.id);
}
