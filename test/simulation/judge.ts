// Judges answers by the changes that were durable by then.

import { hex, textOfUtf8, utf8 } from '../../src/core/base/bytes.ts';
import { rowOf } from '../../src/core/base/table.ts';
import { sha256 } from '../../src/core/crypto/hashes.ts';
import { type ErrorCode, errors, grpcStatuses } from '../../src/core/errors/errors.ts';
import type { Activity } from '../../src/core/organization/records/activity.ts';
import { activityOperations } from '../../src/operations/index.ts';
import { isOver, keyIn } from './authority.ts';
import type { NodeAnswer } from './node.ts';
import { type TrueState, waitingStatuses } from './true_state.ts';
import type { Truth } from './truth.ts';
import type { Wire } from './wire.ts';

/** A request that was sent, with the facts at that time. */
export type Sent = {
  readonly serial: number;
  readonly kind: 'submit' | 'query';
  readonly operation: string;
  readonly organizationId: string;
  /** `sha256:…` of the body; for a vote, the fingerprint of its activity. */
  readonly fingerprint: string;
  readonly isVote: boolean;
  readonly publicKey: string;
  readonly before: {
    readonly version: number;
    readonly epoch: number;
    readonly wasDone: boolean;
    readonly wasRoot: boolean;
    readonly hadKey: boolean;
    /** The key was valid in the parent, and unknown in the organization. */
    readonly hadParentKey: boolean;
    readonly parentEpoch: number;
    readonly wasDeleted: boolean;
  };
};

/** Returns the facts about an organization and a caller at this moment. */
export function knownBefore(
  truth: Truth,
  request: Pick<Sent, 'organizationId' | 'fingerprint' | 'publicKey'>,
  now: number,
): Sent['before'] {
  const state = truth.current(request.organizationId);
  const key = state && keyIn(state, request.publicKey);
  const hadKey = key !== undefined && !isOver(key, now);
  const quorum = state?.head.rootQuorum;
  const parent = state?.parentId === undefined ? undefined : truth.current(state.parentId);
  const parentKey = parent && keyIn(parent, request.publicKey);
  return {
    version: state?.version ?? 0,
    epoch: truth.epochOf(request.organizationId),
    wasDone: isDecided(truth.activityOf(request.fingerprint)),
    hadKey,
    hadParentKey: key === undefined && parentKey !== undefined && !isOver(parentKey, now),
    parentEpoch: truth.epochOf(parent?.id ?? ''),
    wasDeleted: state?.head.deletedAtMs !== undefined,
    wasRoot:
      hadKey &&
      quorum !== undefined &&
      quorum.threshold === 1 &&
      quorum.userIds.includes(key.userId),
  };
}

function isDecided(activity: Activity | undefined): boolean {
  return activity !== undefined && !waitingStatuses.includes(activity.status);
}

/** Returns complaints about an answer that has arrived. */
export function answerComplaints(
  sent: Sent,
  answer: NodeAnswer,
  truth: Truth,
  world: { readonly now: number; readonly mayBeUnavailable: boolean },
): string[] {
  const body: Wire = JSON.parse(textOfUtf8(answer.body) ?? '');
  if (answer.status !== 200) return refusalComplaints(sent, answer, body, truth, world);
  return sent.kind === 'submit'
    ? activityComplaints(sent, body, truth)
    : readComplaints(sent, body, truth);
}

/** An acknowledged change must be durable, and the answer must equal it in a version since the request. */
function activityComplaints(sent: Sent, { activity }: Wire, truth: Truth): string[] {
  const versions = truth.versionsOf(sent.fingerprint);
  if (versions.length === 0) return ['it was acknowledged, but is not durable'];
  const isSame = versions.some(
    (version) =>
      activity.id === version.id &&
      activity.status === version.status &&
      activity.votes.length === version.votes.length &&
      isShown(activity.result, version.result) &&
      isShown(activity.intent, version.intent),
  );
  const complaints = isSame ? [] : ['the answer is not the one that is durable'];
  if (sent.before.wasDone && !isDecided(activity)) complaints.push('it shows what was long ago');
  return complaints;
}

/** Returns true if a value is shown as stored, or hidden from a caller who may not use it. */
function isShown(shown: unknown, kept: unknown): boolean {
  if (typeof kept === 'string') {
    return [kept, `sha256:${hex(sha256(utf8(kept)))}`, 'hidden'].some((text) => text === shown);
  }
  if (typeof kept !== 'object' || kept === null) return shown === kept;
  if (typeof shown !== 'object' || shown === null) return false;
  const names = Object.keys(kept);
  return (
    JSON.stringify(Object.keys(shown)) === JSON.stringify(names) &&
    names.every((name) => isShown(Reflect.get(shown, name), Reflect.get(kept, name)))
  );
}

const unavailable = ['enclave_unavailable', 'store_unavailable'];

function refusalComplaints(
  sent: Sent,
  { status, errorCode = '' }: NodeAnswer,
  body: Wire,
  truth: Truth,
  world: { readonly now: number; readonly mayBeUnavailable: boolean },
): string[] {
  const row = rowOf(errors, errorCode);
  if (row === undefined) return [`the error ${errorCode} is in no table`];
  const grpc = grpcStatuses[row.grpc];
  if (status !== (row.http ?? grpc.http) || body.code !== grpc.number) {
    return [`${errorCode} was answered with status ${status} and code ${body.code}`];
  }
  if (unavailable.includes(errorCode)) {
    return world.mayBeUnavailable ? [] : [`${errorCode}, although nothing failed`];
  }
  if (status >= 500 && errorCode !== 'feature_unavailable') return [`it failed: ${body.message}`];
  if (errorCode === 'organization_busy') return ['it was overtaken again and again'];

  const { before } = sent;
  if (before.wasDeleted) {
    return errorCode === 'organization_not_found' ? [] : [`${errorCode} where all is deleted`];
  }
  // A fact that held at the request and still holds was true in between.
  const now = knownBefore(truth, sent, world.now);
  if (before.epoch !== now.epoch) return [];
  const isParents = before.hadParentKey && now.hadParentKey;
  const mayParent = activityOperations[sent.operation]?.parentActs === true;
  if (isParents && before.parentEpoch === now.parentEpoch && sent.kind === 'submit') {
    if (mayParent) return [];
    return errorCode === 'parent_cannot_write' ? [] : [`${errorCode} for a user of the parent`];
  }
  if (!before.hadKey || !now.hadKey) return [];
  // A request that names a parent may act in a child, where another user may have the same key.
  const { childEntry } = activityOperations[sent.operation] ?? {};
  if (childEntry !== undefined && truth.current(sent.organizationId)?.parentId === undefined) {
    return [];
  }
  const complaints: string[] = [];
  if (notAuthentic.has(row.name)) complaints.push(`${errorCode}, although the key is good`);
  if (errorCode === 'not_permitted' && before.wasRoot && now.wasRoot) {
    complaints.push('not permitted, although the user is the root quorum');
  }
  if (sent.kind === 'submit' && !sent.isVote && before.wasDone) {
    complaints.push(`${errorCode} for a body that was executed already`);
  }
  return complaints;
}

const notAuthentic: ReadonlySet<ErrorCode> = new Set([
  'stamp_missing',
  'stamp_malformed',
  'stamp_ambiguous',
  'stamp_unsupported',
  'stamp_signature_invalid',
  'public_key_not_found',
  'public_key_ambiguous',
  'api_key_expired',
  'parent_cannot_write',
  'organization_not_found',
]);

/** The rows of a query must come from one version between request and answer. */
function readComplaints(sent: Sent, body: Wire, truth: Truth): string[] {
  if (sent.operation === 'get_activity') return activityShownComplaints(body, truth);
  const project = projections[sent.operation];
  const row = rowProjections[sent.operation];
  const since = truth
    .history(sent.organizationId)
    .filter(({ version }) => version >= sent.before.version);
  if (row !== undefined) {
    const shown = JSON.stringify(row.shown(body));
    const isOne = since.some((state) =>
      row.inState(state).some((one) => JSON.stringify(one) === shown),
    );
    return isOne ? [] : [`it showed ${shown}, which was no row since ${sent.before.version}`];
  }
  if (project === undefined) return [];
  const shown = JSON.stringify(project.shown(body));
  const possible = since.map((state) => JSON.stringify(project.inState(state)));
  return possible.includes(shown)
    ? []
    : [`it showed ${shown}, which stood in no version since ${sent.before.version}: ${possible}`];
}

/** A shown activity must be durable; only the refused caller knows a refusal. */
function activityShownComplaints({ activity }: Wire, truth: Truth): string[] {
  if (activity.status === 'ACTIVITY_STATUS_FAILED') return [];
  const isDurable = truth
    .versionsOf(activity.fingerprint)
    .some(
      ({ id, status, result, votes }) =>
        id === activity.id &&
        status === activity.status &&
        votes.length === activity.votes.length &&
        isShown(activity.result, result),
    );
  return isDurable ? [] : [`it showed ${activity.id}, ${activity.status}, which never was durable`];
}

type Projection = {
  /** Returns the compared part of the answer. */
  readonly shown: (body: Wire) => unknown;
  /** Returns the same part from the state of the organization. */
  readonly inState: (state: TrueState) => unknown;
};

const values = <Row extends { readonly id: string }>(rows: ReadonlyMap<string, Row>): Row[] =>
  [...rows.values()].sort((a, b) => (a.id < b.id ? -1 : 1));
const tagsIn = ({ rows }: TrueState, type: string) =>
  values(rows.tag)
    .filter((tag) => tag.type === type)
    .map((tag) => [tag.id, tag.name]);

/** By query; queries without an entry read more than one snapshot. */
export const projections: Readonly<Record<string, Projection>> = {
  list_users: {
    shown: ({ users }) =>
      users.map((user: Wire) => [
        user.userId,
        user.userName,
        user.userTags,
        user.apiKeys.map((key: Wire) => key.apiKeyId),
        user.authenticators.map((passkey: Wire) => passkey.authenticatorId),
      ]),
    inState: ({ rows }) =>
      values(rows.user).map((user) => [
        user.id,
        user.name,
        user.tagIds,
        values(rows.api_key).flatMap((key) => (key.userId === user.id ? [key.id] : [])),
        values(rows.authenticator).flatMap(({ id, userId }) => (userId === user.id ? [id] : [])),
      ]),
  },
  get_api_keys: {
    shown: ({ apiKeys }) =>
      apiKeys.map((key: Wire) => [key.apiKeyId, key.apiKeyName, key.credential.publicKey]),
    inState: ({ rows }) => values(rows.api_key).map((key) => [key.id, key.name, key.publicKey]),
  },
  list_wallets: {
    shown: ({ wallets }) => wallets.map((wallet: Wire) => [wallet.walletId, wallet.walletName]),
    inState: ({ rows }) => values(rows.wallet).map((wallet) => [wallet.id, wallet.name]),
  },
  list_private_keys: {
    shown: ({ privateKeys }) =>
      privateKeys.map((key: Wire) => [key.privateKeyId, key.publicKey, key.privateKeyTags]),
    inState: ({ rows }) =>
      values(rows.private_key).map((key) => [key.id, key.publicKey, key.tagIds]),
  },
  list_user_tags: {
    shown: ({ userTags }) => userTags.map((tag: Wire) => [tag.tagId, tag.tagName]),
    inState: (state) => tagsIn(state, 'TAG_TYPE_USER'),
  },
  list_private_key_tags: {
    shown: ({ privateKeyTags }) => privateKeyTags.map((tag: Wire) => [tag.tagId, tag.tagName]),
    inState: (state) => tagsIn(state, 'TAG_TYPE_PRIVATE_KEY'),
  },
  list_secrets: {
    shown: ({ secrets }) =>
      secrets.map((secret: Wire) => [secret.secretId, secret.name, secret.staticProperties]),
    inState: ({ rows }) =>
      values(rows.secret).map((secret) => [secret.id, secret.name, secret.staticProperties]),
  },
  get_organization: {
    shown: ({ organizationData }) => [
      organizationData.name,
      ...[organizationData.users, organizationData.wallets].map((rows) => rows.length),
      organizationData.invitations.map((invitation: Wire) => invitation.invitationId),
      organizationData.policies.map((policy: Wire) => [policy.policyId, policy.policyName]),
    ],
    inState: ({ head, rows }) => [
      head.name,
      ...[rows.user, rows.wallet].map(({ size }) => size),
      values(rows.invitation).map(({ id }) => id),
      values(rows.policy).map(({ id, name }) => [id, name]),
    ],
  },
  get_active_policies: {
    shown: ({ statuses }) => statuses.map((status: Wire) => status.policyId),
    inState: ({ rows }) => values(rows.policy).map(({ id }) => id),
  },
  list_address_labels: {
    shown: ({ addressLabels }) =>
      addressLabels.map((found: Wire) => [found.addressLabelId, found.label]),
    inState: ({ rows }) => values(rows.address_label).map(({ id, label }) => [id, label]),
  },
  list_velocity_controls: {
    shown: ({ velocityControls }) =>
      velocityControls.map((found: Wire) => [found.velocityControlId, found.identifier]),
    inState: ({ rows }) =>
      values(rows.velocity_control)
        .map(({ id, identifier }) => [id, identifier])
        .slice(0, 10),
  },
  list_policies: {
    shown: ({ policies }) =>
      policies.map((policy: Wire) => [policy.policyId, policy.policyName, policy.condition]),
    inState: ({ rows }) =>
      values(rows.policy).map((policy) => [policy.id, policy.name, policy.condition]),
  },
  get_policy_settings: {
    shown: ({ policySettings }) => policySettings.failedDeny,
    inState: ({ head }) => head.failedDeny ?? 'FAILED_DENY_REFUSES',
  },
  list_webhook_endpoints: {
    shown: ({ webhookEndpoints }) =>
      webhookEndpoints.map((endpoint: Wire) => [
        endpoint.endpointId,
        endpoint.url,
        endpoint.isActive,
        endpoint.subscriptions,
      ]),
    inState: ({ rows }) =>
      values(rows.webhook_endpoint).map(({ id, url, isActive, subscriptions }) => [
        id,
        url,
        isActive,
        subscriptions,
      ]),
  },
  list_tvc_operators: {
    shown: ({ tvcOperators }) =>
      tvcOperators.map((operator: Wire) => [operator.id, operator.publicKey, operator.keySource]),
    inState: ({ rows }) =>
      values(rows.tvc_operator).map(({ id, publicKey, keySource }) => [id, publicKey, keySource]),
  },
  list_tvc_quorum_keys: {
    shown: ({ tvcQuorumKeys }) =>
      tvcQuorumKeys.map((key: Wire) => [key.id, key.publicKey, key.threshold, key.operatorIds]),
    inState: ({ rows }) =>
      values(rows.tvc_quorum_key).map(({ id, publicKey, threshold, shares }) => [
        id,
        publicKey,
        threshold,
        shares.map(({ operatorId }) => operatorId),
      ]),
  },
  list_tvc_apps: {
    shown: ({ tvcApps }) =>
      tvcApps.map((app: Wire) => [
        app.id,
        app.name,
        app.liveDeploymentId,
        app.manifestSet.operators.map((operator: Wire) => operator.publicKey),
      ]),
    inState: ({ rows }) =>
      values(rows.tvc_app).map((app) => [
        app.id,
        app.name,
        app.liveDeploymentId,
        rows.tvc_operator_set
          .get(app.manifestSetId)
          ?.operatorIds.map((id) => rows.tvc_operator.get(id)?.publicKey),
      ]),
  },
  list_oauth2_credentials: {
    shown: ({ oauth2Credentials }) =>
      oauth2Credentials.map((one: Wire) => [one.oauth2CredentialId, one.clientId]),
    inState: ({ rows }) => values(rows.oauth2_credential).map(({ id, clientId }) => [id, clientId]),
  },
  get_oauth_providers: {
    shown: ({ oauthProviders }) =>
      oauthProviders.map((one: Wire) => [one.providerId, one.providerName, one.subject]),
    inState: ({ rows }) =>
      values(rows.oauth_provider).map(({ id, name, subject }) => [id, name, subject]),
  },
  get_organization_configs: {
    shown: ({ configs }) => [configs.quorum.threshold, configs.quorum.userIds],
    inState: ({ head: { rootQuorum } }) => [rootQuorum.threshold, rootQuorum.userIds],
  },
};

type RowProjection = {
  /** Returns the compared part of the answer. */
  readonly shown: (body: Wire) => unknown;
  /** Returns the same part for each row that may be shown. */
  readonly inState: (state: TrueState) => readonly unknown[];
};

/** By query that shows one row. */
const rowProjections: Readonly<Record<string, RowProjection>> = {
  get_user: {
    shown: ({ user }) => [user.userId, user.userName, user.userEmail, user.userTags],
    inState: ({ rows }) =>
      values(rows.user).map(({ id, name, email, tagIds }) => [id, name, email, tagIds]),
  },
  get_api_key: {
    shown: ({ apiKey }) => [apiKey.apiKeyId, apiKey.apiKeyName, apiKey.credential.publicKey],
    inState: ({ rows }) => values(rows.api_key).map((key) => [key.id, key.name, key.publicKey]),
  },
  get_authenticator: {
    shown: ({ authenticator }) => [authenticator.authenticatorId, authenticator.credentialId],
    inState: ({ rows }) =>
      values(rows.authenticator).map(({ id, credentialId }) => [id, credentialId]),
  },
  get_mfa_policy: {
    shown: ({ mfaPolicy }) => [mfaPolicy.mfaPolicyId, mfaPolicy.mfaPolicyName, mfaPolicy.order],
    inState: ({ rows }) => values(rows.mfa_policy).map(({ id, name, order }) => [id, name, order]),
  },
  get_oauth2_credential: {
    shown: ({ oauth2Credential: { oauth2CredentialId, clientId } }) => [
      oauth2CredentialId,
      clientId,
    ],
    inState: ({ rows }) => values(rows.oauth2_credential).map(({ id, clientId }) => [id, clientId]),
  },
  get_wallet: {
    shown: ({ wallet }) => [wallet.walletId, wallet.walletName, wallet.exported, wallet.imported],
    inState: ({ rows }) =>
      values(rows.wallet).map(({ id, name, exported, imported }) => [id, name, exported, imported]),
  },
  get_private_key: {
    shown: ({ privateKey: key }) => [key.privateKeyId, key.publicKey, key.exported],
    inState: ({ rows }) =>
      values(rows.private_key).map(({ id, publicKey, exported }) => [id, publicKey, exported]),
  },
  get_velocity_control: {
    shown: ({ velocityControl: found }) => [found.velocityControlId, found.identifier],
    inState: ({ rows }) =>
      values(rows.velocity_control).map(({ id, identifier }) => [id, identifier]),
  },
  get_policy: {
    shown: ({ policy }) => [policy.policyId, policy.policyName, policy.condition],
    inState: ({ rows }) =>
      values(rows.policy).map(({ id, name, condition }) => [id, name, condition]),
  },
  get_smart_contract_interface: {
    shown: ({ smartContractInterface: found }) => [
      found.smartContractInterfaceId,
      found.smartContractInterface,
    ],
    inState: ({ rows }) => values(rows.contract_interface_text).map(({ id, text }) => [id, text]),
  },
};

/** Further members that are compared once nothing happens any more. */
export const restingProjections: Readonly<Record<string, Projection>> = {
  ...projections,
  list_smart_contract_interfaces: {
    shown: ({ smartContractInterfaces }) =>
      smartContractInterfaces.map((found: Wire) => [
        found.smartContractInterfaceId,
        found.smartContractInterface,
      ]),
    inState: ({ rows }) => values(rows.contract_interface_text).map(({ id, text }) => [id, text]),
  },
  list_wallet_accounts: {
    shown: ({ accounts }) =>
      accounts.map((account: Wire) => [account.walletAccountId, account.walletId, account.address]),
    inState: ({ rows }) =>
      values(rows.wallet_account).map((account) => [account.id, account.walletId, account.address]),
  },
};
