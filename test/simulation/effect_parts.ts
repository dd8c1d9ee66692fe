// Parts of effects that cases share.

import assert from 'node:assert/strict';
import { isDeepStrictEqual } from 'node:util';
import { Transaction } from 'ethers';
import { textOfUtf8 } from '../../src/core/base/bytes.ts';
import { openBundle } from '../../src/core/bundles/bundle_encryption.ts';
import { p256 } from '../../src/core/crypto/p256.ts';
import { ecdsaSignatureOfDer } from '../../src/core/crypto/signature_der.ts';
import { verifyP256 } from '../../src/core/crypto/verify.ts';
import type { RecordKind, Records } from '../../src/core/organization/model.ts';
import { policyDigest, policySetRowId } from '../../src/core/policy/sets/policy_set.ts';
import { sessionKinds } from '../../src/core/users/sessions.ts';
import { claimsOf } from '../operations/oauth/oauth_requests.ts';
import { clientKey, signerKey } from '../operations/wallets/transfer_requests.ts';
import { heldKeys } from './held_keys.ts';
import { unknownId } from './request_parts.ts';
import type { TrueState } from './true_state.ts';
import type { Wire } from './wire.ts';

export type Input = {
  readonly submitterId: string;
  readonly intent: Wire;
  readonly result: Wire;
  readonly before: TrueState;
  readonly after: TrueState;
  readonly children: readonly TrueState[];
};

export type Ids = { readonly [Kind in RecordKind]?: readonly string[] };

/** Returns the required effects of an activity. */
export type Effect = (input: Input) => Expected;

export type Expected = {
  /** Ids of new rows, or their number if the answer does not name them. */
  readonly created?: { readonly [Kind in RecordKind]?: readonly string[] | number };
  /** Rows that may have changed. */
  readonly updated?: Ids;
  readonly deleted?: Ids;
  /** Rows that may be deleted without being named. */
  readonly mayGo?: Ids;
  /** True if the head changes. */
  readonly head?: boolean;
  readonly children?: number;
  /** Further conditions. */
  readonly facts?: Readonly<Record<string, boolean>>;
  readonly complaints?: readonly string[];
};

/** Returns the rows of a transaction that is sent from now on. */
export function sendEffect(id: string, before: TrueState, after: TrueState) {
  const send = after.rows.send.get(id);
  const address = send?.address ?? '';
  const [known] = idsWhere(before, 'sender', (row) => row.address === address);
  const others = [...before.rows.send.values()].filter((row) => row.address === address);
  return {
    created: { send: [id], ...(known === undefined ? { sender: 1 } : {}) },
    ...(known === undefined ? {} : { updated: { sender: [known] } }),
    facts: {
      'it has a nonce of its own': others.every((other) => nonceOf(other) !== nonceOf(send)),
      'its hash is that of what is sent':
        send?.transactionHash === Transaction.from(send?.signedTransaction).hash,
    },
  };
}

export function sentBy(
  result: { readonly sendTransactionStatusId: string },
  after: TrueState,
): string {
  const send = after.rows.send.get(result.sendTransactionStatusId);
  assert(send !== undefined, 'something is sent');
  return send.signedTransaction;
}

export const proven = { leads: 'proven' };
export const isProven = (row: object) => 'leads' in row && row.leads === 'proven';
export const isSame = (a: object, b: object) => isDeepStrictEqual({ ...a }, { ...b });

export function sameIds(a: readonly string[], b: readonly string[]): boolean {
  return JSON.stringify(a.toSorted()) === JSON.stringify(b.toSorted());
}

export const rowsIn = <Kind extends RecordKind>(state: TrueState, kind: Kind): Records[Kind][] => [
  ...state.rows[kind].values(),
];
export const idsWhere = <Kind extends RecordKind>(
  state: TrueState,
  kind: Kind,
  holds: (row: Records[Kind]) => boolean,
): string[] =>
  rowsIn(state, kind)
    .filter(holds)
    .map((row) => row.id);

/** Returns true if these users exist as described, with all their keys. */
export function hasUsers(state: TrueState, ids: readonly string[], described: Wire): boolean {
  return ids.every((id, i) => {
    const { userName, apiKeys } = described[i];
    const keys = rowsIn(state, 'api_key').filter((key) => key.userId === id);
    return (
      state.rows.user.get(id)?.name === userName &&
      apiKeys.every((key: Wire) => keys.some((known) => known.publicKey === key.publicKey))
    );
  });
}

/** Returns true if the wallet exists with exactly these addresses. */
export function hasWallet(state: TrueState, id: string, addresses: readonly string[]): boolean {
  const accounts = rowsIn(state, 'wallet_account').filter((account) => account.walletId === id);
  return (
    state.rows.wallet.has(id) &&
    sameIds(
      accounts.map((account) => account.address),
      addresses,
    )
  );
}

export const newestEpoch = (state: TrueState): number =>
  Math.max(0, ...rowsIn(state, 'webhook_key').map(({ epoch }) => epoch));

export const countPasskeys = (users: readonly { authenticators: readonly unknown[] }[]): number =>
  users.reduce((sum, { authenticators }) => sum + authenticators.length, 0);
export const countAccounts = (users: readonly { oauthProviders: readonly unknown[] }[]): number =>
  users.reduce((sum, { oauthProviders }) => sum + oauthProviders.length, 0);
export const countKeys = (users: readonly { apiKeys: readonly unknown[] }[]): number =>
  users.reduce((sum, user) => sum + user.apiKeys.length, 0);

export const featuresOf = ({ head }: TrueState, but?: string): string =>
  JSON.stringify(head.features.filter(({ name }) => name !== but));

export const hasFeature = ({ head }: TrueState, wanted: string): boolean =>
  head.features.some(({ name }) => name === wanted);

/** Returns true if only the feature of this name differs. */
export const sameOthers = (before: TrueState, after: TrueState, name: string): boolean =>
  featuresOf(before, name) === featuresOf(after, name);

/**
 * Returns the facts of a head that names the set of exactly the existing policies, in order and with their
 * texts.
 */
export const changedPolicySet = ({ head, rows }: TrueState) => {
  const set = rows.policy_set.get(policySetRowId(head.policySetId ?? ''));
  const policies = [...rows.policy.values()].sort((one, other) => (one.id < other.id ? -1 : 1));
  return {
    head: true,
    facts: {
      'the set has the policies':
        JSON.stringify(set?.policyIds) === JSON.stringify(policies.map(({ id }) => id)),
      'the set has their texts':
        JSON.stringify(set?.digests) === JSON.stringify(policies.map(policyDigest)),
    },
  };
};

export const nonceOf = (send: Records['send'] | undefined) =>
  send?.family === 'solana' ? undefined : send?.nonce;

export const newIds = (before: TrueState, kind: RecordKind, ids: readonly string[]): string[] =>
  [...new Set(ids)].filter((id) => !before.rows[kind].has(id));

export const hasEnough = (
  state: TrueState,
  { appId, approvals }: Records['tvc_deployment'],
): boolean => {
  const setId = state.rows.tvc_app.get(appId)?.manifestSetId ?? '';
  const { threshold, operatorIds } = state.rows.tvc_operator_set.get(setId) ?? {};
  const approvers = new Set(approvals.map(({ operatorId }) => operatorId));
  return (
    threshold !== undefined &&
    approvers.size >= threshold &&
    [...approvers].every((id) => operatorIds?.includes(id))
  );
};

/** Returns facts that hold for every application at all times. */
export const appFacts = (state: TrueState) => ({
  'what is live is approved and not deleted': rowsIn(state, 'tvc_app').every(
    ({ id, isDeleted, liveDeploymentId }) => {
      if (liveDeploymentId === undefined) return true;
      const live = state.rows.tvc_deployment.get(liveDeploymentId);
      return !isDeleted && live?.appId === id && !live.isDeleted && hasEnough(state, live);
    },
  ),
});

/** Returns the rows that new ones may replace. */
export const deletedRegistry = (before: TrueState) => ({
  tvc_app: idsWhere(before, 'tvc_app', (row) => row.isDeleted),
  tvc_deployment: idsWhere(before, 'tvc_deployment', (row) => row.isDeleted),
});

export const hasOperators = (
  state: TrueState,
  setId: string,
  described: Wire | undefined,
): boolean => {
  const set = state.rows.tvc_operator_set.get(setId);
  const keys = set?.operatorIds.map((id) => state.rows.tvc_operator.get(id)?.publicKey);
  return (
    described === undefined ||
    (set?.threshold === described.threshold &&
      JSON.stringify(keys) ===
        JSON.stringify(described.newOperators.map((operator: Wire) => operator.publicKey)))
  );
};

/**
 * Returns the effect of a new session: one more expiring key, which may evict sessions and other expiring
 * keys.
 */
export const startedSession = ({ submitterId, intent, result, before, after }: Input): Expected => {
  const { userId = submitterId } = intent;
  const [created] = idsWhere(after, 'api_key', ({ id }) => !before.rows.api_key.has(id));
  const key = after.rows.api_key.get(created ?? '');
  return {
    created: { api_key: 1 },
    mayGo: {
      api_key: idsWhere(
        before,
        'api_key',
        (one) => one.userId === userId && one.expirationSeconds !== undefined,
      ),
    },
    facts: {
      'the key is the one that is told of':
        (intent.publicKey ?? key?.publicKey) === key?.publicKey &&
        (result.apiKeyId ?? key?.id) === key?.id,
      'it is of the user, and expires':
        key?.userId === userId && key?.expirationSeconds !== undefined,
      'it has the scope of its profile':
        key?.sessionProfile?.id === intent.sessionProfileId &&
        (intent.sessionProfileId === undefined || key?.sessionProfile?.scope !== undefined),
      'sessions of its kind ended':
        intent.invalidateExisting !== true ||
        idsWhere(
          after,
          'api_key',
          (one) => one.userId === userId && one.type === key?.type && one.id !== key?.id,
        ).length === 0,
    },
  };
};

/** Returns the same effect for the user whose account the token names. */
export const signedIn = (input: Input): Expected => {
  const { oidcToken } = input.intent;
  const { sub } = claimsOf(oidcToken);
  const provider = rowsIn(input.before, 'oauth_provider').find(({ subject }) => subject === sub);
  const { userId } = input.result;
  const started = startedSession({
    ...input,
    intent: { ...input.intent, userId: provider?.userId ?? unknownId },
  });
  return {
    ...started,
    facts: {
      ...started.facts,
      'the user is the one that is told of': (userId ?? provider?.userId) === provider?.userId,
    },
  };
};

export const targetsFor = (
  { userId }: Wire,
  purpose: Records['import_target']['purpose'],
  state: TrueState,
): string[] =>
  idsWhere(state, 'import_target', (row) => row.userId === userId && row.purpose === purpose);

/** Returns the effect of a new target of a user, which may evict expired targets and the oldest one. */
export function newTarget(
  intent: Wire,
  purpose: Records['import_target']['purpose'],
  before: TrueState,
  after: TrueState,
): Expected {
  const [earlier, later] = [before, after].map((state) => targetsFor(intent, purpose, state));
  return {
    created: { import_target: 1 },
    mayGo: { import_target: [...before.rows.import_target.keys()] },
    facts: {
      'the newest is of this user and purpose':
        later?.filter((id) => !earlier?.includes(id)).length === 1,
    },
  };
}

/** Returns the effect of a used target of a user. */
export function usedTargets(
  intent: Wire,
  purpose: Records['import_target']['purpose'],
  before: TrueState,
  after: TrueState,
): Expected {
  const earlier = targetsFor(intent, purpose, before);
  const used = earlier.filter((id) => !after.rows.import_target.has(id));
  return { deleted: { import_target: used }, facts: { 'one target is used': used.length === 1 } };
}

export const textOfSecret = ({ id, rows }: TrueState, secretId: string): string | undefined => {
  const row = rows.secret_text.get(secretId);
  return row && heldKeys(id).useText(row, textOfUtf8);
};

/** Opens an exported bundle with the only export key of the simulation, and checks its signature. */
export function opensTo<Result>(
  exportBundle: string,
  organizationId: string,
  use: (secret: Uint8Array) => Result,
): Result | undefined {
  const { data, dataSignature, enclaveQuorumPublic } = JSON.parse(exportBundle);
  const bytes = Uint8Array.fromHex(data);
  const signature = ecdsaSignatureOfDer(Uint8Array.fromHex(dataSignature));
  const signer = p256.parsePublicKey(Uint8Array.fromHex(signerKey));
  const isSigned = signature && signer && verifyP256(signer, signature, bytes);
  if (isSigned !== true || enclaveQuorumPublic !== signerKey) return undefined;
  const content = JSON.parse(textOfUtf8(bytes) ?? '');
  if (content.organizationId !== organizationId) return undefined;
  const secret = openBundle({
    receiverPrivateKey: clientKey,
    encapsulatedKey: Uint8Array.fromHex(content.encappedPublic),
    ciphertext: Uint8Array.fromHex(content.ciphertext),
  });
  return secret && use(secret);
}

/** Returns these users, and all rows that belong to them. */
export const deletedWithUsers = (before: TrueState, userIds: readonly string[]) => {
  const isTheirs = ({ userId }: { readonly userId: string }) => userIds.includes(userId);
  return {
    user: userIds,
    api_key: idsWhere(before, 'api_key', isTheirs),
    authenticator: idsWhere(before, 'authenticator', isTheirs),
    mfa_policy: idsWhere(before, 'mfa_policy', isTheirs),
    oauth_provider: idsWhere(before, 'oauth_provider', isTheirs),
    freeze: idsWhere(before, 'freeze', ({ resourceId = '' }) => userIds.includes(resourceId)),
  };
};

export const updatedUser = ({ intent }: Input): Expected => ({
  updated: { user: [intent.userId] },
});

/** Like `updatedUser`. Another address ends mailed keys that have not signed, except one that signed this. */
export const userWithAddress = (input: Input): Expected => {
  const { intent, submitterId, before, after } = input;
  const addressIn = ({ rows }: TrueState) => rows.user.get(intent.userId)?.email?.toLowerCase();
  const mailedIn = (state: TrueState) =>
    idsWhere(
      state,
      'api_key',
      ({ userId, type, isUnused }) =>
        userId === intent.userId && (isUnused === true || type === sessionKinds.recovery.type),
    );
  if (addressIn(before) === addressIn(after)) return updatedUser(input);
  const kept = submitterId === intent.userId ? 1 : 0;
  return {
    ...updatedUser(input),
    mayGo: { api_key: mailedIn(before) },
    facts: { 'mailed keys end': mailedIn(after).length <= kept },
  };
};

/** Returns the mailed keys of logins that have not signed yet. */
export const unusedLogins = (state: TrueState): readonly string[] =>
  idsWhere(
    state,
    'api_key',
    ({ type, isUnused }) => isUnused === true && type === sessionKinds.email_auth.type,
  );

export const recordKinds = [
  'user',
  'api_key',
  'authenticator',
  'oauth_provider',
  'oauth2_credential',
  'tag',
  'wallet',
  'private_key',
  'wallet_account',
  'import_target',
  'secret',
  'invitation',
  'secret_text',
  'policy',
  'policy_set',
  'velocity_control',
  'velocity_counter',
  'freeze',
  'address_label',
  'gas_usage_config',
  'gas_usage',
  'sender',
  'send',
  'contract_interface',
  'contract_interface_text',
  'open_activity',
  'voted_activity',
  'session_profile',
  'mfa_policy',
  'otp_code',
  'used_token',
  'ip_allowlist',
  'auth_proxy_config',
  'tvc_operator',
  'tvc_operator_set',
  'tvc_quorum_key',
  'tvc_app',
  'tvc_deployment',
  'boot_statement',
  'webhook_endpoint',
  'webhook_key',
] as const satisfies readonly RecordKind[];
