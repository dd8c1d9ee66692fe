// The writes of each activity, no more and no less: a row for every operation. What is half
// done, done to something else or done without being asked for shows here.

import assert from 'node:assert/strict';
import { isDeepStrictEqual } from 'node:util';
import { Transaction } from 'ethers';
import { hex, textOfUtf8 } from '../../src/core/base/bytes.ts';
import { openBundle } from '../../src/core/bundles/bundle_encryption.ts';
import { curves } from '../../src/core/crypto/curves.ts';
import { p256 } from '../../src/core/crypto/p256.ts';
import { ecdsaSignatureOfDer } from '../../src/core/crypto/signature_der.ts';
import { verifyP256 } from '../../src/core/crypto/verify.ts';
import type { RecordKind, Records } from '../../src/core/organization/model.ts';
import type { Activity } from '../../src/core/organization/records/activity.ts';
import { activityOperations } from '../../src/operations/index.ts';
import { claimsOf } from '../operations/oauth/oauth_requests.ts';
import { clientKey, signerKey } from '../operations/wallets/transfer_requests.ts';
import {
  intentOf,
  operationOfType,
  resultOf,
  sendComplaints,
  signatureComplaints,
  solanaSendComplaints,
  transactionComplaints,
  undelegationComplaints,
  type Wire,
} from './authority.ts';
import { codeEffects, triedCodeFacts } from './code_effects.ts';
import { countEffects, countedOperations } from './counted.ts';
import { heldKeys } from './held_keys.ts';
import { secretTextOf, unknownId } from './requests.ts';
import { recordKinds, type TrueState, waitingStatuses } from './truth.ts';

export type Input = {
  readonly submitterId: string;
  readonly intent: Wire;
  readonly result: Wire;
  readonly before: TrueState;
  readonly after: TrueState;
  readonly children: readonly TrueState[];
};

type Ids = { readonly [Kind in RecordKind]?: readonly string[] };

/** The effects that an activity must have. */
export type Effect = (input: Input) => Expected;

type Expected = {
  /** Ids of new rows; or their number, where the answer does not name them. */
  readonly created?: { readonly [Kind in RecordKind]?: readonly string[] | number };
  /** Rows that may have changed. */
  readonly updated?: Ids;
  readonly deleted?: Ids;
  /** Rows that may be gone without being named. */
  readonly mayGo?: Ids;
  /** True if the head changes. */
  readonly head?: boolean;
  readonly children?: number;
  /** The further conditions. */
  readonly facts?: Readonly<Record<string, boolean>>;
  readonly complaints?: readonly string[];
};

/** The rows that a transaction leaves behind which is sent from now on. */
function sendEffect(id: string, before: TrueState, after: TrueState) {
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

function sentBy(result: { readonly sendTransactionStatusId: string }, after: TrueState): string {
  const send = after.rows.send.get(result.sendTransactionStatusId);
  assert(send !== undefined, 'something is sent');
  return send.signedTransaction;
}

/** Complaints about what an activity did to its organization and to new children. */
export function effectComplaints(input: {
  readonly activity: Activity;
  readonly before: TrueState;
  readonly after: TrueState;
  readonly children: readonly TrueState[];
}): string[] {
  const { before, after, children } = input;
  const expected = expectedOf(input);
  if (expected === undefined) return ['nobody knows what it does'];
  const complaints = [...(expected.complaints ?? [])];
  const voted = input.activity.votes.at(-1)?.credentialId;
  for (const kind of recordKinds) {
    complaints.push(...kindComplaints(kind, { ...expected, voted }, before, after));
  }
  const headChanged = JSON.stringify(before.head) !== JSON.stringify(after.head);
  if (headChanged && expected.head !== true) complaints.push('the head changed');
  if (children.length !== (expected.children ?? 0)) {
    complaints.push(`${children.length} other organizations changed`);
  }
  for (const [fact, isTrue] of Object.entries(expected.facts ?? {})) {
    if (!isTrue) complaints.push(`not so: ${fact}`);
  }
  return complaints;
}

/** Its effect; undefined for a kind that is in no row. */
function expectedOf(input: Parameters<typeof effectComplaints>[0]): Expected | undefined {
  const { activity, ...states } = input;
  const { id, status } = activity;
  const hasWaited = states.before.rows.open_activity.has(id);
  if (waitingStatuses.includes(status)) {
    const ids = { open_activity: [id] };
    return hasWaited ? { updated: ids } : { created: { ...ids, voted_activity: [id] } };
  }
  const ended = hasWaited ? [id] : [];
  const isUndone = ['ACTIVITY_STATUS_FAILED', 'ACTIVITY_STATUS_REJECTED'].includes(status);
  const operation = operationOfType.get(activity.type) ?? '';
  const done = {
    intent: intentOf(activity),
    result: resultOf(activity),
    submitterId: activity.submitterId,
    ...states,
  };
  if (isUndone) {
    const isTried = activityOperations[operation]?.countsTries === true;
    return {
      deleted: { open_activity: ended },
      ...(isTried
        ? { updated: { otp_code: [done.intent.otpId] }, facts: triedCodeFacts(done) }
        : {}),
    };
  }
  const expected = withCounts(effects[operation]?.(done), operation, done);
  const deletedOf = (kind: RecordKind, ids: readonly string[]) => [
    ...new Set([...(expected?.deleted?.[kind] ?? []), ...ids]),
  ];
  const open_activity = deletedOf('open_activity', ended);
  const ip_allowlist = deletedOf('ip_allowlist', listsOfGoneKeys(states));
  return expected && { ...expected, deleted: { ...expected.deleted, open_activity, ip_allowlist } };
}

/** With what the controls of the organization count of it. */
function withCounts(
  expected: Expected | undefined,
  operation: string,
  done: Input,
): Expected | undefined {
  if (expected === undefined || !countedOperations.includes(operation)) return expected;
  const { created, updated, mayGo, facts } = countEffects(done);
  return {
    ...expected,
    created: { ...expected.created, velocity_counter: created },
    updated: { ...expected.updated, velocity_counter: updated },
    mayGo: { ...expected.mayGo, velocity_counter: mayGo },
    facts: { ...expected.facts, ...facts },
  };
}

/** Whatever takes a key takes its list of addresses. */
function listsOfGoneKeys({
  before,
  after,
}: Record<'before' | 'after', TrueState>): readonly string[] {
  const keysIn = (state: TrueState) =>
    new Set(rowsOf(state, 'api_key').map(({ publicKey }) => publicKey.toLowerCase()));
  const gone = keysIn(before).difference(keysIn(after));
  return idsWhere(
    before,
    'ip_allowlist',
    ({ publicKey }) => publicKey !== undefined && gone.has(publicKey),
  );
}

function kindComplaints(
  kind: RecordKind,
  expected: Expected & { readonly voted: string | undefined },
  before: TrueState,
  after: TrueState,
): string[] {
  const [old, now] = [before.rows[kind], after.rows[kind]] as const;
  const complaints: string[] = [];
  const created = [...now.keys()].filter((id) => !old.has(id));
  const wanted = expected.created?.[kind] ?? 0;
  const isCreated =
    typeof wanted === 'number' ? created.length === wanted : sameIds(created, wanted);
  if (!isCreated) complaints.push(`new ${kind}: ${created}, expected ${wanted}`);
  const mayGo = expected.mayGo?.[kind] ?? [];
  const deleted = [...old.keys()].filter((id) => !now.has(id) && !mayGo.includes(id));
  const gone = expected.deleted?.[kind] ?? [];
  if (!sameIds(deleted, gone)) complaints.push(`deleted ${kind}: ${deleted}, expected ${gone}`);
  const updatable = expected.updated?.[kind] ?? [];
  for (const [id, row] of now) {
    const earlier = old.get(id);
    if (earlier === undefined || earlier === row || updatable.includes(id)) continue;
    // That a credential has signed is noted once, and nothing else of it changes.
    if (id === expected.voted && !isProven(earlier) && isSame({ ...earlier, ...proven }, row))
      continue;
    complaints.push(`${kind} ${id} was written`);
  }
  return complaints;
}

const proven = { leads: 'proven' };
const isProven = (row: object) => 'leads' in row && row.leads === 'proven';
const isSame = (a: object, b: object) => isDeepStrictEqual({ ...a }, { ...b });

function sameIds(a: readonly string[], b: readonly string[]): boolean {
  return JSON.stringify(a.toSorted()) === JSON.stringify(b.toSorted());
}

const rowsOf = <Kind extends RecordKind>(state: TrueState, kind: Kind): Records[Kind][] => [
  ...state.rows[kind].values(),
];
export const idsWhere = <Kind extends RecordKind>(
  state: TrueState,
  kind: Kind,
  holds: (row: Records[Kind]) => boolean,
): string[] =>
  rowsOf(state, kind)
    .filter(holds)
    .map((row) => row.id);

/** True if these users are there, each as it was described, with all its keys. */
function hasUsers(state: TrueState, ids: readonly string[], described: Wire): boolean {
  return ids.every((id, i) => {
    const { userName, apiKeys } = described[i];
    const keys = rowsOf(state, 'api_key').filter((key) => key.userId === id);
    return (
      state.rows.user.get(id)?.name === userName &&
      apiKeys.every((key: Wire) => keys.some((known) => known.publicKey === key.publicKey))
    );
  });
}

/** True if the wallet is there with exactly these addresses. */
function hasWallet(state: TrueState, id: string, addresses: readonly string[]): boolean {
  const accounts = rowsOf(state, 'wallet_account').filter((account) => account.walletId === id);
  return (
    state.rows.wallet.has(id) &&
    sameIds(
      accounts.map((account) => account.address),
      addresses,
    )
  );
}

const newestEpoch = (state: TrueState): number =>
  Math.max(0, ...rowsOf(state, 'webhook_key').map(({ epoch }) => epoch));

const countPasskeys = (users: readonly { authenticators: readonly unknown[] }[]): number =>
  users.reduce((sum, { authenticators }) => sum + authenticators.length, 0);
const countAccounts = (users: readonly { oauthProviders: readonly unknown[] }[]): number =>
  users.reduce((sum, { oauthProviders }) => sum + oauthProviders.length, 0);
const countKeys = (users: readonly { apiKeys: readonly unknown[] }[]): number =>
  users.reduce((sum, user) => sum + user.apiKeys.length, 0);

const featuresOf = ({ head }: TrueState, but?: string): string =>
  JSON.stringify(head.features.filter(({ name }) => name !== but));

const hasFeature = ({ head }: TrueState, wanted: string): boolean =>
  head.features.some(({ name }) => name === wanted);

/** True if only the feature of this name differs. */
const sameOthers = (before: TrueState, after: TrueState, name: string): boolean =>
  featuresOf(before, name) === featuresOf(after, name);

/** The head names a set with exactly the policies that there are, in their order. */
const changedPolicySet = ({ head, rows }: TrueState) => ({
  head: true,
  facts: {
    'the set has the policies':
      JSON.stringify(rows.policy_set.get(head.policySetId ?? '')?.policyIds) ===
      JSON.stringify([...rows.policy.keys()].sort()),
  },
});

const nonceOf = (send: Records['send'] | undefined) =>
  send?.family === 'solana' ? undefined : send?.nonce;

const newIds = (before: TrueState, kind: RecordKind, ids: readonly string[]): string[] =>
  [...new Set(ids)].filter((id) => !before.rows[kind].has(id));

const hasEnough = (state: TrueState, { appId, approvals }: Records['tvc_deployment']): boolean => {
  const setId = state.rows.tvc_app.get(appId)?.manifestSetId ?? '';
  const { threshold, operatorIds } = state.rows.tvc_operator_set.get(setId) ?? {};
  const approvers = new Set(approvals.map(({ operatorId }) => operatorId));
  return (
    threshold !== undefined &&
    approvers.size >= threshold &&
    [...approvers].every((id) => operatorIds?.includes(id))
  );
};

/** The facts of every application at all times. */
const appFacts = (state: TrueState) => ({
  'what is live is approved and not deleted': rowsOf(state, 'tvc_app').every(
    ({ id, isDeleted, liveDeploymentId }) => {
      if (liveDeploymentId === undefined) return true;
      const live = state.rows.tvc_deployment.get(liveDeploymentId);
      return !isDeleted && live?.appId === id && !live.isDeleted && hasEnough(state, live);
    },
  ),
});

/** The rows that give way to new ones. */
const deletedRegistry = (before: TrueState) => ({
  tvc_app: idsWhere(before, 'tvc_app', (row) => row.isDeleted),
  tvc_deployment: idsWhere(before, 'tvc_deployment', (row) => row.isDeleted),
});

const hasOperators = (state: TrueState, setId: string, described: Wire | undefined): boolean => {
  const set = state.rows.tvc_operator_set.get(setId);
  const keys = set?.operatorIds.map((id) => state.rows.tvc_operator.get(id)?.publicKey);
  return (
    described === undefined ||
    (set?.threshold === described.threshold &&
      JSON.stringify(keys) ===
        JSON.stringify(described.newOperators.map((operator: Wire) => operator.publicKey)))
  );
};

/** One key more, which expires; sessions may give way to it, and so may any key that expires. */
const startedSession = ({ submitterId, intent, result, before, after }: Input): Expected => {
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

/** The same, of the user whose account the token is about. */
const signedIn = (input: Input): Expected => {
  const { oidcToken } = input.intent;
  const { sub } = claimsOf(oidcToken);
  const provider = rowsOf(input.before, 'oauth_provider').find(({ subject }) => subject === sub);
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

const targetsFor = (
  { userId }: Wire,
  purpose: Records['import_target']['purpose'],
  state: TrueState,
): string[] =>
  idsWhere(state, 'import_target', (row) => row.userId === userId && row.purpose === purpose);

/** A target of this user; those that have expired go, and the oldest where there are many. */
function newTarget(
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

/** One target of this user is gone. */
function usedTargets(
  intent: Wire,
  purpose: Records['import_target']['purpose'],
  before: TrueState,
  after: TrueState,
): Expected {
  const earlier = targetsFor(intent, purpose, before);
  const used = earlier.filter((id) => !after.rows.import_target.has(id));
  return { deleted: { import_target: used }, facts: { 'one target is used': used.length === 1 } };
}

const textOfSecret = ({ id, rows }: TrueState, secretId: string): string | undefined => {
  const row = rows.secret_text.get(secretId);
  return row && heldKeys(id).useText(row, textOfUtf8);
};

/** The content of a bundle that was exported to the one key of the simulation, and signed as it must be. */
function opensTo<Result>(
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

/** Users, and all that is theirs. */
const deletedWithUsers = (before: TrueState, userIds: readonly string[]) => {
  const isTheirs = ({ userId }: { readonly userId: string }) => userIds.includes(userId);
  return {
    user: userIds,
    api_key: idsWhere(before, 'api_key', isTheirs),
    authenticator: idsWhere(before, 'authenticator', isTheirs),
    mfa_policy: idsWhere(before, 'mfa_policy', isTheirs),
    oauth_provider: idsWhere(before, 'oauth_provider', isTheirs),
  };
};

const updatedUser = ({ intent }: Input): Expected => ({ updated: { user: [intent.userId] } });

/** By the name of the operation. */
export const effects: Readonly<Record<string, Effect>> = {
  ...codeEffects,
  create_sub_organization: ({ intent, result, children: [child] }) => ({
    children: 1,
    facts: {
      'the child has its id': child?.id === result.subOrganizationId,
      'the child is new': child?.version === 1,
      'the child has exactly its users':
        child !== undefined &&
        sameIds([...child.rows.user.keys()], result.rootUserIds) &&
        child.rows.api_key.size === countKeys(intent.rootUsers) &&
        child.rows.authenticator.size === countPasskeys(intent.rootUsers) &&
        child.rows.oauth_provider.size === countAccounts(intent.rootUsers) &&
        hasUsers(child, result.rootUserIds, intent.rootUsers),
      'the quorum is of its users':
        child !== undefined &&
        child.head.rootQuorum.threshold === intent.rootQuorumThreshold &&
        sameIds(child.head.rootQuorum.userIds, result.rootUserIds),
      'the wallet has its accounts':
        intent.wallet === undefined ||
        (child !== undefined &&
          result.wallet.addresses.length === intent.wallet.accounts.length &&
          hasWallet(child, result.wallet.walletId, result.wallet.addresses)),
    },
  }),
  delete_sub_organization: ({ before, after }) => ({
    head: true,
    // A decided activity stays, and with it the rows that it refers to; tokens that were used stay used.
    deleted: Object.fromEntries(
      recordKinds
        .filter((kind) => !['policy_set', 'voted_activity', 'used_token'].includes(kind))
        .map((kind) => [kind, [...before.rows[kind].keys()]]),
    ),
    facts: { 'it is deleted': after.head.deletedAtMs !== undefined },
  }),
  update_organization_name: ({ intent, after }) => ({
    head: true,
    facts: { 'it has the name': after.head.name === intent.organizationName },
  }),
  update_root_quorum: ({ intent, after }) => ({
    head: true,
    facts: {
      'it has the quorum':
        after.head.rootQuorum.threshold === intent.threshold &&
        sameIds(after.head.rootQuorum.userIds, intent.userIds),
    },
  }),
  set_organization_feature: ({ intent, result, before, after }) => ({
    head: true,
    facts: {
      'it has the feature with its value': after.head.features.some(
        ({ name, value }) => name === intent.name && value === intent.value,
      ),
      'the other features stay': sameOthers(before, after, intent.name),
      'the result is the list': JSON.stringify(result.features) === featuresOf(after),
    },
  }),
  remove_organization_feature: ({ intent, result, before, after }) => ({
    head: true,
    facts: {
      'it had the feature': hasFeature(before, intent.name),
      'it has it no more': !hasFeature(after, intent.name),
      'the other features stay': sameOthers(before, after, intent.name),
      'the result is the list': JSON.stringify(result.features) === featuresOf(after),
    },
  }),

  create_users: ({ intent, result, after }) => ({
    created: {
      user: result.userIds,
      api_key: countKeys(intent.users),
      authenticator: countPasskeys(intent.users),
      oauth_provider: countAccounts(intent.users),
    },
    facts: { 'the users have their keys': hasUsers(after, result.userIds, intent.users) },
  }),
  create_api_only_users: ({ intent: { apiOnlyUsers }, result, after }) => ({
    created: { user: result.userIds, api_key: countKeys(apiOnlyUsers) },
    facts: { 'the users have their keys': hasUsers(after, result.userIds, apiOnlyUsers) },
  }),
  create_invitations: ({ result }) => ({ created: { invitation: result.invitationIds } }),
  delete_invitation: ({ intent: { invitationId } }) => ({
    deleted: { invitation: [invitationId] },
  }),
  delete_users: ({ intent: { userIds }, before }) => ({
    deleted: deletedWithUsers(before, userIds),
  }),
  update_user: updatedUser,
  update_user_email: updatedUser,
  update_user_phone_number: updatedUser,
  update_user_name: (input) => ({
    ...updatedUser(input),
    facts: {
      'it has the name':
        input.after.rows.user.get(input.intent.userId)?.name === input.intent.userName,
    },
  }),

  create_api_keys: ({ intent, result, before }) => ({
    created: { api_key: result.apiKeyIds },
    mayGo: {
      api_key: idsWhere(
        before,
        'api_key',
        (key) => key.userId === intent.userId && key.expirationSeconds !== undefined,
      ),
    },
  }),
  delete_api_keys: ({ intent }) => ({ deleted: { api_key: intent.apiKeyIds } }),
  create_authenticators: ({ intent, result, after }) => ({
    created: { authenticator: result.authenticatorIds },
    facts: {
      'the passkeys are the user’s': sameIds(
        idsWhere(after, 'authenticator', ({ id }) => result.authenticatorIds.includes(id)),
        idsWhere(
          after,
          'authenticator',
          ({ id, userId }) => result.authenticatorIds.includes(id) && userId === intent.userId,
        ),
      ),
    },
  }),
  delete_authenticators: ({ intent }) => ({
    deleted: { authenticator: intent.authenticatorIds },
  }),

  create_oauth_providers: ({ intent, result, after }) => ({
    created: { oauth_provider: result.providerIds },
    facts: {
      'they are the user’s accounts': result.providerIds.every((id: string, i: number) => {
        const provider = after.rows.oauth_provider.get(id);
        const { sub } = claimsOf(intent.oauthProviders[i].oidcToken);
        return provider?.userId === intent.userId && provider?.subject === sub;
      }),
      'no account is there twice':
        new Set(rowsOf(after, 'oauth_provider').map(({ subject }) => subject)).size ===
        after.rows.oauth_provider.size,
    },
  }),
  delete_oauth_providers: ({ intent }) => ({ deleted: { oauth_provider: intent.providerIds } }),
  oauth: signedIn,
  oauth_login: signedIn,
  oauth2_authenticate: ({ intent, result, before }) => {
    const { aud, nonce } = claimsOf(result.oidcToken);
    const credential = before.rows.oauth2_credential.get(intent.oauth2CredentialId);
    return {
      facts: {
        'the token is for the client': aud === credential?.clientId,
        'it has the nonce': nonce === intent.nonce,
      },
    };
  },
  create_oauth2_credential: ({ result }) => ({
    created: { oauth2_credential: [result.oauth2CredentialId] },
  }),
  update_oauth2_credential: ({ intent, after }) => ({
    updated: { oauth2_credential: [intent.oauth2CredentialId] },
    facts: {
      'it has the client':
        after.rows.oauth2_credential.get(intent.oauth2CredentialId)?.clientId === intent.clientId,
    },
  }),
  delete_oauth2_credential: ({ intent }) => ({
    deleted: { oauth2_credential: [intent.oauth2CredentialId] },
  }),

  stamp_login: startedSession,
  create_read_write_session: startedSession,
  create_read_only_session: () => ({}),
  set_ip_allowlist: ({ intent, before, after }) => {
    const key = intent.publicKey?.toLowerCase();
    const idsIn = (state: TrueState) =>
      idsWhere(state, 'ip_allowlist', ({ publicKey }) => publicKey === key);
    const wasThere = idsIn(before).length > 0;
    const keys = new Set(rowsOf(before, 'api_key').map((row) => row.publicKey.toLowerCase()));
    return {
      created: { ip_allowlist: wasThere ? [] : idsIn(after) },
      updated: { ip_allowlist: idsIn(before) },
      mayGo: {
        ip_allowlist: idsWhere(
          before,
          'ip_allowlist',
          ({ publicKey }) => publicKey !== undefined && !keys.has(publicKey),
        ),
      },
      facts: {
        'there is one list': idsIn(after).length === 1,
        'it is of a key that is there': key === undefined || keys.has(key),
        'only a parent has one': before.parentId === undefined,
      },
    };
  },
  remove_ip_allowlist: ({ intent, before }) => ({
    deleted: {
      ip_allowlist: idsWhere(
        before,
        'ip_allowlist',
        ({ publicKey }) => publicKey === intent.publicKey?.toLowerCase(),
      ),
    },
    facts: { 'only a parent has one': before.parentId === undefined },
  }),
  create_mfa_policy: ({ intent, result, after }) => ({
    created: { mfa_policy: [result.mfaPolicyId] },
    facts: {
      'it is of the user': after.rows.mfa_policy.get(result.mfaPolicyId)?.userId === intent.userId,
    },
  }),
  update_mfa_policy: ({ intent: { mfaPolicyId, mfaPolicyName }, after }) => ({
    updated: { mfa_policy: [mfaPolicyId] },
    facts: { 'it has its name': after.rows.mfa_policy.get(mfaPolicyId)?.name === mfaPolicyName },
  }),
  delete_mfa_policy: ({ intent }) => ({ deleted: { mfa_policy: [intent.mfaPolicyId] } }),
  create_session_profile: ({ intent, result, after }) => ({
    created: { session_profile: [result.sessionProfileId] },
    facts: {
      'it is as described':
        after.rows.session_profile.get(result.sessionProfileId)?.scope === intent.scope,
    },
  }),

  enable_auth_proxy: ({ result: { userId }, after }) => ({
    ...changedPolicySet(after),
    created: {
      user: [userId],
      api_key: idsWhere(after, 'api_key', (key) => key.userId === userId),
      policy: 1,
      policy_set: 1,
      auth_proxy_config: 1,
    },
    facts: {
      ...changedPolicySet(after).facts,
      'it is on': hasFeature(after, 'FEATURE_NAME_AUTH_PROXY'),
      'its user is not of the quorum': !after.head.rootQuorum.userIds.includes(userId),
      'it is found by the name it had': after.rows.auth_proxy_config.has(
        after.head.authProxyConfigId ?? '',
      ),
    },
  }),
  disable_auth_proxy: ({ before, after }) => {
    const [config] = rowsOf(before, 'auth_proxy_config');
    const userIds = idsWhere(before, 'user', ({ id }) => id === config?.userId);
    const policy = idsWhere(before, 'policy', ({ id }) => id === config?.policyId);
    return {
      ...changedPolicySet(after),
      created: { policy_set: policy.length },
      deleted: {
        auth_proxy_config: config === undefined ? [] : [config.id],
        ...deletedWithUsers(before, userIds),
        policy,
      },
      facts: {
        ...(policy.length === 0 ? {} : changedPolicySet(after).facts),
        'it is off': !hasFeature(after, 'FEATURE_NAME_AUTH_PROXY'),
      },
    };
  },
  update_auth_proxy_config: ({ intent, result, after }) => ({
    updated: { auth_proxy_config: [result.configId] },
    facts: {
      'it is set':
        after.rows.auth_proxy_config.get(result.configId)?.settings.captchaEnabled ===
        intent.captchaEnabled,
    },
  }),

  create_user_tag: ({ intent, result }) => ({
    created: { tag: [result.userTagId] },
    updated: { user: intent.userIds },
  }),
  update_user_tag: ({ intent }) => ({
    updated: { tag: [intent.userTagId], user: [...intent.addUserIds, ...intent.removeUserIds] },
  }),
  delete_user_tags: ({ intent, result }) => ({
    deleted: { tag: intent.userTagIds },
    updated: { user: result.userIds },
  }),
  create_private_key_tag: ({ intent, result }) => ({
    created: { tag: [result.privateKeyTagId] },
    updated: { private_key: intent.privateKeyIds },
  }),
  update_private_key_tag: ({ intent }) => ({
    updated: {
      tag: [intent.privateKeyTagId],
      private_key: [...intent.addPrivateKeyIds, ...intent.removePrivateKeyIds],
    },
  }),
  delete_private_key_tags: ({ intent, result }) => ({
    deleted: { tag: intent.privateKeyTagIds },
    updated: { private_key: result.privateKeyIds },
  }),

  create_private_keys: ({ intent, result }) => ({
    created: { private_key: result.privateKeys.map((key: Wire) => key.privateKeyId) },
    facts: { 'all were made': result.privateKeys.length === intent.privateKeys.length },
  }),
  delete_private_keys: ({ intent }) => ({ deleted: { private_key: intent.privateKeyIds } }),

  export_private_key: ({ intent: { privateKeyId }, result, before, after }) => {
    const privateKey = before.rows.private_key.get(privateKeyId);
    return {
      updated: { private_key: [privateKeyId] },
      facts: {
        'it is marked': after.rows.private_key.get(privateKeyId)?.exported === true,
        'the key came out':
          privateKey !== undefined &&
          opensTo(result.exportBundle, before.id, (secret) =>
            hex(curves[privateKey.curve].publicKeyOf(secret)),
          ) === privateKey.publicKey,
      },
    };
  },
  init_import_private_key: ({ intent, before, after }) =>
    newTarget(intent, 'private_key', before, after),
  import_private_key: ({ intent, result, before, after }) => {
    const used = usedTargets(intent, 'private_key', before, after);
    const made = after.rows.private_key.get(result.privateKeyId);
    return {
      ...used,
      created: { private_key: [result.privateKeyId] },
      facts: { ...used.facts, 'it is marked': made?.imported === true && !made.exported },
    };
  },

  init_import_secrets: ({ intent: { numSecrets }, submitterId, before, after }) => {
    const made = rowsOf(after, 'import_target').filter(
      ({ id }) => !before.rows.import_target.has(id),
    );
    return {
      created: { import_target: numSecrets },
      mayGo: { import_target: [...before.rows.import_target.keys()] },
      facts: {
        'they are of this user and purpose': made.every(
          ({ userId, purpose }) => userId === submitterId && purpose === 'secret',
        ),
      },
    };
  },
  import_secrets: ({ intent: { secrets }, result: { secretIds }, before, after }) => ({
    created: { secret: secretIds, secret_text: secretIds },
    deleted: {
      import_target: secrets.flatMap(({ targetPublicKey }: Wire) =>
        idsWhere(before, 'import_target', ({ publicKey }) => publicKey === targetPublicKey),
      ),
    },
    facts: {
      'each has the text that was sealed': secrets.every(
        ({ targetPublicKey }: Wire, i: number) =>
          textOfSecret(after, secretIds[i]) === secretTextOf(targetPublicKey),
      ),
    },
  }),
  export_secrets: ({ intent: { secrets }, result: { secretPayloads }, before }) => ({
    facts: {
      'the texts came out': secrets.every(
        ({ secretId }: Wire, i: number) =>
          opensTo(secretPayloads[i], before.id, textOfUtf8) === textOfSecret(before, secretId),
      ),
    },
  }),
  delete_secrets: ({ intent: { secretIds } }) => ({
    deleted: { secret: secretIds, secret_text: secretIds },
  }),

  create_wallet: ({ intent, result, after }) => ({
    created: { wallet: [result.walletId], wallet_account: intent.accounts.length },
    facts: { 'it has its accounts': hasWallet(after, result.walletId, result.addresses) },
  }),
  update_wallet: ({ intent }) => ({ updated: { wallet: [intent.walletId] } }),
  delete_wallets: ({ intent: { walletIds }, before }) => ({
    deleted: {
      wallet: walletIds,
      wallet_account: idsWhere(before, 'wallet_account', (account) =>
        walletIds.includes(account.walletId),
      ),
    },
  }),
  export_wallet: ({ intent: { walletId }, result, before, after }) => {
    const wallet = before.rows.wallet.get(walletId);
    return {
      updated: { wallet: [walletId] },
      facts: {
        'it is marked': after.rows.wallet.get(walletId)?.exported === true,
        'the sentence came out':
          wallet !== undefined &&
          opensTo(result.exportBundle, before.id, textOfUtf8) ===
            heldKeys(before.id).useSentence(wallet, textOfUtf8),
      },
    };
  },
  export_wallet_account: ({ result, before, after }) => {
    const accounts = rowsOf(before, 'wallet_account').filter(
      ({ address }) => address === result.address,
    );
    return {
      updated: { wallet: accounts.map(({ walletId }) => walletId) },
      facts: {
        // Of an exported wallet every account is.
        'it is marked': accounts.some(({ id, walletId }) => {
          const wallet = after.rows.wallet.get(walletId);
          return wallet?.exported === true || wallet?.exportedAccountIds?.includes(id) === true;
        }),
        'the key came out': accounts.some(
          ({ curve, publicKey }) =>
            opensTo(result.exportBundle, before.id, (secret) =>
              hex(curves[curve].publicKeyOf(secret)),
            ) === publicKey,
        ),
      },
    };
  },
  init_import_wallet: ({ intent, before, after }) => newTarget(intent, 'wallet', before, after),
  import_wallet: ({ intent, result, before, after }) => {
    const used = usedTargets(intent, 'wallet', before, after);
    const made = after.rows.wallet.get(result.walletId);
    return {
      ...used,
      created: { wallet: [result.walletId], wallet_account: intent.accounts.length },
      facts: {
        ...used.facts,
        'it is marked': made?.imported === true && !made.exported,
        'it has its accounts': hasWallet(after, result.walletId, result.addresses),
      },
    };
  },
  create_wallet_accounts: ({ intent, result, before, after }) => ({
    created: { wallet_account: intent.persist === false ? 0 : intent.accounts.length },
    facts: {
      'the wallet has these accounts besides its own':
        intent.persist === false ||
        hasWallet(after, intent.walletId, [
          ...rowsOf(before, 'wallet_account')
            .filter((account) => account.walletId === intent.walletId)
            .map((account) => account.address),
          ...result.addresses,
        ]),
    },
  }),
  delete_wallet_accounts: ({ intent: { walletAccountIds }, before }) => ({
    deleted: { wallet_account: walletAccountIds },
    updated: {
      wallet: rowsOf(before, 'wallet_account')
        .filter((account) => walletAccountIds.includes(account.id))
        .map((account) => account.walletId),
    },
  }),

  create_policy: ({ intent, result: { policyId }, after }) => ({
    ...changedPolicySet(after),
    created: { policy: [policyId], policy_set: 1 },
    facts: {
      ...changedPolicySet(after).facts,
      'it has its name': after.rows.policy.get(policyId)?.name === intent.policyName,
    },
  }),
  create_policies: ({ intent, result: { policyIds }, after }) => ({
    ...changedPolicySet(after),
    created: { policy: policyIds, policy_set: 1 },
    facts: {
      ...changedPolicySet(after).facts,
      'all were made': policyIds.length === intent.policies.length,
    },
  }),
  update_policy: ({ intent: { policyId, policyName }, after }) => ({
    updated: { policy: [policyId] },
    facts: { 'it has its name': after.rows.policy.get(policyId)?.name === policyName },
  }),
  delete_policy: ({ intent: { policyId }, after }) => ({
    ...changedPolicySet(after),
    created: { policy_set: 1 },
    deleted: { policy: [policyId] },
  }),
  delete_policies: ({ intent: { policyIds }, after }) => ({
    ...changedPolicySet(after),
    created: { policy_set: 1 },
    deleted: { policy: policyIds },
  }),
  update_policy_settings: ({ intent, after }) => ({
    head: true,
    facts: { 'it is set': after.head.failedDeny === intent.failedDeny },
  }),

  create_webhook_endpoint: ({ intent, result: { endpointId }, after }) => ({
    created: { webhook_endpoint: [endpointId] },
    facts: {
      'it is active': after.rows.webhook_endpoint.get(endpointId)?.isActive === true,
      'it has its name': after.rows.webhook_endpoint.get(endpointId)?.name === intent.name,
    },
  }),
  update_webhook_endpoint: ({ intent: { endpointId, isActive }, after }) => ({
    updated: { webhook_endpoint: [endpointId] },
    facts: { 'it is as asked': after.rows.webhook_endpoint.get(endpointId)?.isActive === isActive },
  }),
  delete_webhook_endpoint: ({ intent: { endpointId } }) => ({
    deleted: { webhook_endpoint: [endpointId] },
  }),
  redeliver_webhook_events: () => ({}),
  rotate_webhook_key: ({ before, after }) => ({
    created: { webhook_key: 1 },
    mayGo: { webhook_key: idsWhere(before, 'webhook_key', () => true) },
    facts: {
      'the next epoch begins':
        newestEpoch(after) === Math.max(2, newestEpoch(before) + 1) && after.parentId === undefined,
    },
  }),

  create_velocity_control: ({ intent, result: { velocityControlId: id }, after }) => ({
    created: { velocity_control: [id] },
    facts: {
      'it has its identifier':
        after.rows.velocity_control.get(id)?.identifier === intent.identifier,
    },
  }),
  delete_velocity_control: ({ intent: { velocityControlId: id }, before }) => ({
    deleted: {
      velocity_control: [id],
      velocity_counter: idsWhere(before, 'velocity_counter', (row) => row.controlId === id),
    },
  }),

  create_smart_contract_interface: ({
    intent,
    result: { smartContractInterfaceId: id },
    after,
  }) => ({
    created: { contract_interface: [id], contract_interface_text: [id] },
    facts: {
      'it has its address':
        after.rows.contract_interface.get(id)?.address === intent.smartContractAddress,
      'it has its text':
        after.rows.contract_interface_text.get(id)?.text === intent.smartContractInterface,
    },
  }),
  delete_smart_contract_interface: ({ intent: { smartContractInterfaceId: id } }) => ({
    deleted: { contract_interface: [id], contract_interface_text: [id] },
  }),

  create_tvc_operator: ({ intent, result, before, after }) => ({
    created: {
      wallet: before.rows.wallet.has(result.walletId) ? [] : [result.walletId],
      wallet_account: 2,
      tvc_operator: [result.operatorId],
    },
    facts: {
      'its keys are accounts of the wallet':
        after.rows.tvc_operator.get(result.operatorId)?.publicKey ===
          `${result.encryptPublicKey}${result.signPublicKey}` &&
        ['encryptPublicKey', 'signPublicKey'].every((name, i) =>
          rowsOf(after, 'wallet_account').some(
            ({ walletId, path, address }) =>
              walletId === result.walletId &&
              path === `${intent.path}/${i}` &&
              address === result[name],
          ),
        ),
    },
  }),
  create_tvc_app: ({ intent, result, before, after }) => ({
    created: {
      tvc_app: [result.appId],
      tvc_operator_set: newIds(before, 'tvc_operator_set', [
        result.manifestSetId,
        result.shareSetId,
      ]),
      tvc_operator: newIds(before, 'tvc_operator', [
        ...result.manifestSetOperatorIds,
        ...result.shareSetOperatorIds,
      ]),
    },
    facts: {
      ...appFacts(after),
      'it has its name': after.rows.tvc_app.get(result.appId)?.name === intent.name,
      'no other has its name':
        idsWhere(before, 'tvc_app', (app) => app.name === intent.name && !app.isDeleted).length ===
        0,
      'its manifest set is the one asked for':
        (intent.manifestSetId ?? result.manifestSetId) === result.manifestSetId,
      'its operators are the ones asked for':
        hasOperators(after, result.manifestSetId, intent.manifestSetParams) &&
        hasOperators(after, result.shareSetId, intent.shareSetParams),
    },
    mayGo: deletedRegistry(before),
  }),
  delete_tvc_app_and_deployments: ({ intent: { appId }, before, after }) => ({
    updated: {
      tvc_app: [appId],
      tvc_deployment: idsWhere(before, 'tvc_deployment', (row) => row.appId === appId),
    },
    facts: {
      ...appFacts(after),
      'it is deleted': after.rows.tvc_app.get(appId)?.isDeleted === true,
      'all its deployments are':
        idsWhere(after, 'tvc_deployment', (row) => row.appId === appId && !row.isDeleted).length ===
        0,
    },
  }),
  create_tvc_deployment: ({ intent, result, before, after }) => {
    const made = after.rows.tvc_deployment.get(result.deploymentId);
    const digest = made?.manifestDigest;
    return {
      created: { tvc_deployment: [result.deploymentId] },
      facts: {
        ...appFacts(after),
        'it has its manifest': made?.manifestId === result.manifestId,
        'no other has such a manifest':
          idsWhere(before, 'tvc_deployment', (row) => row.manifestDigest === digest).length === 0,
        'its application is there': before.rows.tvc_app.get(intent.appId)?.isDeleted === false,
        'nobody has approved it': made?.approvals.length === 0,
      },
      mayGo: { tvc_deployment: deletedRegistry(before).tvc_deployment },
      // The nonces of what goes stay used.
      updated: { tvc_app: [...before.rows.tvc_app.keys()] },
    };
  },
  create_tvc_manifest_approvals: ({ intent, result, before, after }) => {
    const [id = ''] = idsWhere(
      before,
      'tvc_deployment',
      ({ manifestId }) => manifestId === intent.manifestId,
    );
    const [earlier, later] = [before, after].map(({ rows }) => rows.tvc_deployment.get(id));
    const appId = earlier?.appId ?? '';
    const wasLive = before.rows.tvc_app.get(appId)?.liveDeploymentId;
    const isLive = after.rows.tvc_app.get(appId)?.liveDeploymentId;
    return {
      updated: { tvc_deployment: [id], tvc_app: wasLive === undefined ? [appId] : [] },
      facts: {
        ...appFacts(after),
        'it has the new approvals behind the others':
          JSON.stringify(later?.approvals.map((approval) => approval.id)) ===
          JSON.stringify([
            ...(earlier?.approvals ?? []).map(({ id }) => id),
            ...result.approvalIds,
          ]),
        'they are of these operators':
          JSON.stringify(
            later?.approvals.slice(-intent.approvals.length).map(({ operatorId }) => operatorId),
          ) === JSON.stringify(intent.approvals.map((approval: Wire) => approval.operatorId)),
        'it is live if none was and enough have approved':
          isLive === (wasLive ?? (later && hasEnough(after, later) ? id : undefined)),
        'it was not deleted': earlier?.isDeleted === false,
      },
    };
  },
  set_tvc_app_live_deployment: ({ intent: { deploymentId }, before, after }) => {
    const { appId = '' } = before.rows.tvc_deployment.get(deploymentId) ?? {};
    return {
      updated: { tvc_app: [appId] },
      facts: {
        ...appFacts(after),
        'it is live': after.rows.tvc_app.get(appId)?.liveDeploymentId === deploymentId,
      },
    };
  },
  delete_tvc_deployment: ({ intent: { deploymentId }, after }) => ({
    updated: { tvc_deployment: [deploymentId] },
    facts: {
      ...appFacts(after),
      'it is deleted': after.rows.tvc_deployment.get(deploymentId)?.isDeleted === true,
    },
  }),
  restore_tvc_deployment: ({ intent: { deploymentId }, before, after }) => ({
    updated: { tvc_deployment: [deploymentId] },
    facts: {
      ...appFacts(after),
      'it was deleted': before.rows.tvc_deployment.get(deploymentId)?.isDeleted === true,
      'it is not deleted': after.rows.tvc_deployment.get(deploymentId)?.isDeleted === false,
    },
  }),
  set_tvc_deployment_status: ({ intent, before, after }) => ({
    updated: { tvc_deployment: [intent.deploymentId] },
    facts: {
      ...appFacts(after),
      'that is what is known':
        after.rows.tvc_deployment.get(intent.deploymentId)?.report?.readyReplicas ===
        intent.readyReplicas,
      'it was not cleaned up':
        before.rows.tvc_deployment.get(intent.deploymentId)?.report?.isCleanedUp !== true,
    },
  }),

  sign_raw_payload: ({ intent, result, before }) => ({
    complaints: signatureComplaints(
      intent.signWith,
      [{ payload: intent.payload, signature: result }],
      before,
    ),
  }),
  eth_send_transaction: ({ intent, result, before, after }) => ({
    ...sendEffect(result.sendTransactionStatusId, before, after),
    complaints: sendComplaints(intent, sentBy(result, after), before),
  }),
  eth_undelegate_7702: ({ intent, result, before, after }) => ({
    ...sendEffect(result.sendTransactionStatusId, before, after),
    complaints: undelegationComplaints(intent, sentBy(result, after), before),
  }),
  eth_send_raw_transaction: ({ intent: { signedTransaction }, result, before, after }) => {
    const { sendTransactionStatusId: id, transactionHash } = result;
    const known = before.rows.send.get(id);
    const { hash } = Transaction.from(signedTransaction);
    const facts = {
      'its hash is the one that is told': transactionHash === hash,
      'these bytes are sent': sentBy(result, after) === signedTransaction,
    };
    if (known !== undefined) return { facts };
    const { facts: own, ...changes } = sendEffect(id, before, after);
    // It may replace another one of its sender.
    const { 'it has a nonce of its own': _own, ...others } = own;
    return { ...changes, facts: { ...facts, ...others } };
  },
  abandon_transaction: ({ intent: { sendTransactionStatusId: id }, before, after }) => {
    const [known, now] = [before.rows.send.get(id), after.rows.send.get(id)];
    const senders = idsWhere(before, 'sender', ({ taken }) =>
      taken.some((one) => one.sendId === id),
    );
    return {
      ...(known?.isAbandoned === true ? {} : { updated: { send: [id], sender: senders } }),
      facts: {
        'it is given up, and under way until nodes show it in no block':
          now?.isAbandoned === true && now.isSettled !== true,
        'it sends the same bytes': now?.signedTransaction === known?.signedTransaction,
      },
    };
  },
  sol_send_transaction: ({ intent, result, before, after }) => {
    const send = after.rows.send.get(result.sendTransactionStatusId);
    const [address] = intent.signWiths;
    const [known] = idsWhere(before, 'sender', (row) => row.address === address);
    return {
      created: {
        send: [result.sendTransactionStatusId],
        ...(known === undefined ? { sender: 1 } : {}),
      },
      ...(known === undefined ? {} : { updated: { sender: [known] } }),
      complaints:
        send === undefined
          ? ['nothing is sent']
          : solanaSendComplaints(intent, send.signedTransaction, before),
      facts: { 'it is of Solana': send?.family === 'solana' && 'lifetime' in send },
    };
  },
  sign_transaction: ({ intent, result, before }) => ({
    complaints: transactionComplaints(intent, result.signedTransaction, before),
  }),
  sign_raw_payloads: ({ intent, result, before }) => ({
    complaints: signatureComplaints(
      intent.signWith,
      result.signatures.map((signature: Wire, i: number) => ({
        payload: intent.payloads[i],
        signature,
      })),
      before,
    ),
    facts: { 'all were signed': result.signatures.length === intent.payloads.length },
  }),
};
