// Parts of generated requests that cases share.

import { base58 } from '@scure/base';
import { hex, utf8 } from '../../src/core/base/bytes.ts';
import { keyAgreement } from '../../src/core/crypto/key_agreement.ts';
import type { RecordKind, Records } from '../../src/core/organization/model.ts';
import { operatorKey, signAs } from '../operations/deployments/deployment_requests.ts';
import { encryptionSuite } from '../operations/secrets/secret_requests.ts';
import { foreignTransaction } from '../operations/sending/send_requests.ts';
import { clientKey, sealedTo } from '../operations/wallets/transfer_requests.ts';
import { createSoftwareAuthenticator } from '../support/software_authenticator.ts';
import type { Choice } from './choice.ts';
import { heldKeys } from './held_keys.ts';
import { accountOf, tokenOf } from './identities.ts';
import { keyPairs, rootKeyPair } from './key_pairs.ts';
import type { TrueState } from './true_state.ts';

export type World = {
  readonly choice: Choice;
  /** The organization of the request. */
  readonly state: TrueState;
  /** The submitter according to the organization. */
  readonly callerId: string | undefined;
  /** All versions of the organization, oldest first. */
  readonly history: readonly TrueState[];
  /** Ids of the activities of the organization, newest first. */
  readonly activityIds: () => readonly string[];
  /** A number that is unique to this request. */
  readonly serial: number;
};

export type Generate = (world: World) => object;

/** Generates the parameters of an activity; operations with more weight are more frequent. */
export type Generator = { readonly weight: number; readonly parameters: Generate };

/** Generates votes on waiting activities, and sometimes on decided ones. */
export const voteRequests: Readonly<
  Record<string, (world: World) => { readonly fingerprint: string }>
> = {
  approve_activity: (world) => ({ fingerprint: fingerprintOf(world) }),
  reject_activity: (world) => ({ fingerprint: fingerprintOf(world) }),
};

/** Operations that two users may approve under a policy with this condition. */
export const votedOperations: readonly string[] = [
  'create_wallet',
  'create_user_tag',
  'update_user_name',
  'sign_raw_payload',
];
export const votedCondition = votedOperations
  .map((name) => `activity.kind == '${name.toUpperCase()}'`)
  .join(' || ');

/** Conditions of MFA policies: two API keys are required for wallets, or never. */
export const walletsDemanded = "activity.resource == 'WALLET'";
export const neverDemanded = 'false';

/** The scope of sessions that may only create. */
export const createScope = "activity.action == 'CREATE'";

/** A chain of the deployment. */
export const caip2 = 'eip155:1';

/** The maximum number of rows on a page. */
export const pageLimit = 100;

export const passkeys = Array.from({ length: 40 }, (_, i) =>
  createSoftwareAuthenticator({ seed: `simulation ${i}` }),
);

/** An id without a record. */
export const unknownId = '01900000-0000-7000-8000-000000000000';

export const encoding = 'PAYLOAD_ENCODING_TEXT_UTF8';

export const keyKinds = [
  { curve: 'CURVE_SECP256K1', addressFormats: ['ADDRESS_FORMAT_ETHEREUM'] },
  { curve: 'CURVE_P256', addressFormats: ['ADDRESS_FORMAT_COMPRESSED'] },
  { curve: 'CURVE_ED25519', addressFormats: ['ADDRESS_FORMAT_SOLANA'] },
];

/** Returns the rows of a kind, sometimes of an earlier version. */
export function rowsOf<Kind extends RecordKind>(world: World, kind: Kind): Records[Kind][] {
  const { choice, history, state } = world;
  const of = choice.chance(0.06) ? choice.pick(history) : state;
  return [...of.rows[kind].values()];
}

export function idsOf(world: World, kind: RecordKind, count: number): string[] {
  const rows = world.choice.some<{ readonly id: string }>(rowsOf(world, kind), count);
  return orUnknown(rows.map((row) => row.id));
}

export const idOf = (world: World, kind: RecordKind): string =>
  idsOf(world, kind, 1)[0] ?? unknownId;

/** Returns the freeze of a subject. */
export function freezeOf({ rows }: TrueState, type: string, resourceId?: string) {
  return [...rows.freeze.values()].find(
    (row) => row.type === type && row.resourceId === resourceId,
  );
}

export function activityId({ choice, activityIds }: World): string {
  return choice.some(activityIds(), 1)[0] ?? unknownId;
}

/** Returns a P-256 key for a session, mostly an unregistered one. */
export function newSessionKey({ choice }: World): string {
  const pairs = keyPairs.filter(({ curve }) => curve === 'API_KEY_CURVE_P256');
  return choice.pick(pairs).publicKey;
}

export function publicKeyOf(world: World): string {
  const listed = rowsOf(world, 'ip_allowlist').flatMap(({ publicKey }) => publicKey ?? []);
  const keys = rowsOf(world, 'api_key').map(({ publicKey }) => publicKey);
  const [key] = world.choice.some(listed.length > 0 && world.choice.chance(0.6) ? listed : keys, 1);
  return key ?? rootKeyPair.publicKey;
}

export function mfaPolicyIds(world: World) {
  const [policy] = world.choice.some(rowsOf(world, 'mfa_policy'), 1);
  return { userId: policy?.userId ?? unknownId, mfaPolicyId: policy?.id ?? unknownId };
}

export function sessionProfileId(world: World): object {
  const [profile] = world.choice.some(rowsOf(world, 'session_profile'), 1);
  if (profile === undefined || world.choice.chance(0.5)) return {};
  return { sessionProfileId: profile.id };
}

export const orUnknown = (ids: readonly string[]): string[] =>
  ids.length === 0 ? [unknownId] : [...ids];

export function tagIds(world: World, type: Records['tag']['type']): string[] {
  const ids = rowsOf(world, 'tag').flatMap((tag) => (tag.type === type ? [tag.id] : []));
  return world.choice.some(ids, 1);
}

export const userTagIds = (world: World): string[] => tagIds(world, 'TAG_TYPE_USER');

/** Returns the first id under one name, and the others under another. */
export function split(ids: readonly string[], first: string, others: string): object {
  return { [first]: ids.slice(0, 1), [others]: ids.slice(1) };
}

export function upTo<Item>(count: number, { choice }: World, make: (i: number) => Item): Item[] {
  return Array.from({ length: 1 + choice.below(count) }, (_, i) => make(i));
}

/** Returns a policy that two users meet, or one that never applies. */
export const newPolicy = ({ choice, serial }: World, number: number) => ({
  policyName: `Policy ${serial} ${number}`,
  effect: 'EFFECT_ALLOW',
  ...(choice.chance(0.5)
    ? { condition: votedCondition, consensus: 'approvers.count() >= 2' }
    : { condition: 'false' }),
  notes: '',
});

/** Returns a deployment of this kind, or sometimes any deployment. */
export function deploymentId(
  world: World,
  isWanted: (row: Records['tvc_deployment']) => boolean,
): string {
  const rows = rowsOf(world, 'tvc_deployment');
  const wanted = world.choice.chance(0.2) ? rows : rows.filter(isWanted);
  return world.choice.some(wanted, 1)[0]?.id ?? unknownId;
}

/** Returns approvals by members of a manifest set with known keys, rarely with an invalid one. */
export function newApprovals(world: World): object {
  const { choice, state } = world;
  const rows = rowsOf(world, 'tvc_deployment').filter(
    (row) => choice.chance(0.3) || !row.isDeleted,
  );
  const [deployment] = choice.some(rows, 1);
  const {
    manifestId = unknownId,
    manifestDigest = '',
    appId = '',
    approvals = [],
  } = deployment ?? {};
  const setId = state.rows.tvc_app.get(appId)?.manifestSetId ?? '';
  const members = (state.rows.tvc_operator_set.get(setId)?.operatorIds ?? []).filter(
    (id) => choice.chance(0.1) || !approvals.some(({ operatorId }) => operatorId === id),
  );
  const digest = Uint8Array.from(Buffer.from(manifestDigest, 'hex'));
  const made = choice.some(members, 1 + choice.below(2)).map((operatorId) => {
    const name = state.rows.tvc_operator.get(operatorId)?.name ?? '';
    return { operatorId, signature: signAs(choice.chance(0.05) ? 'nobody' : name, digest) };
  });
  const nothing = [{ operatorId: unknownId, signature: '00' }];
  return { manifestId, approvals: made.length === 0 ? nothing : made };
}

/** Returns a share of an operator for a deployment, mostly of its share set. */
export function newShare(world: World): object {
  const { choice, state } = world;
  const [deployment] = choice.some(rowsOf(world, 'tvc_deployment'), 1);
  const { id = unknownId, manifestDigest = '', appId = '' } = deployment ?? {};
  const setId = state.rows.tvc_app.get(appId)?.shareSetId ?? '';
  const members = state.rows.tvc_operator_set.get(setId)?.operatorIds ?? [];
  const [operatorId = unknownId] = choice.some(members, 1);
  const name = state.rows.tvc_operator.get(operatorId)?.name ?? '';
  const digest = Uint8Array.from(Buffer.from(manifestDigest, 'hex'));
  const signature = signAs(choice.chance(0.1) ? 'nobody' : name, digest);
  return {
    deploymentId: id,
    ephemeralPublicKeyHex: operatorKey('enclave'),
    shareApprovalBundle: { operatorId, reEncryptedShareHex: 'ab'.repeat(130), signature },
  };
}

export function fingerprintOf(world: World): string {
  const { choice } = world;
  const known = choice.chance(0.1) ? world.history.slice(-20) : [world.state];
  const rows = known.flatMap(({ rows: { open_activity } }) => [...open_activity.values()]);
  return choice.some(rows, 1)[0]?.fingerprint ?? `sha256:${'0'.repeat(64)}`;
}

export function newUser(world: World, number: number) {
  return {
    userName: `User ${world.serial} ${number}`,
    ...(number === 0 ? newContact(world) : {}),
    apiKeys: [
      generatedApiKey(world, false),
      ...(world.choice.chance(0.3) ? [generatedApiKey(world, true)] : []),
    ],
    authenticators: world.choice.chance(0.2) ? [newPasskey(world)] : [],
    oauthProviders: world.choice.chance(0.2) ? [generatedAccount(world)] : [],
  };
}

export function newApiOnlyUser(world: World, number: number) {
  // Keys of older versions are P-256 keys, so a key of another curve would become another key.
  const { curveType, ...apiKey } = generatedApiKey(world, false);
  const isP256 = curveType === 'API_KEY_CURVE_P256';
  const [pair] = keyPairs.filter(({ curve }) => curve === 'API_KEY_CURVE_P256');
  const publicKey = isP256 ? apiKey.publicKey : (pair?.publicKey ?? apiKey.publicKey);
  const key = { ...apiKey, publicKey };
  return { userName: `Machine ${world.serial} ${number}`, userTags: [], apiKeys: [key] };
}

/** Returns an account at the identity provider, which a user may already have. */
export function generatedAccount({ choice, serial }: World) {
  const oidcToken = tokenOf(accountOf(choice.below(1000)), 'no key');
  return { providerName: `Account ${serial}`, oidcToken };
}

/** Returns an account at the identity provider, mostly one of a user. */
export function accountIn(world: World): string {
  const [provider] = world.choice.some(rowsOf(world, 'oauth_provider'), 1);
  return provider?.subject ?? accountOf(world.choice.below(1000));
}

/** Returns a passkey; one of a few dozen was registered somewhere before. */
export const newPasskey = ({ choice, serial }: World) => ({
  authenticatorName: `Passkey ${serial}`,
  ...(choice.pick(passkeys)?.register() ?? {}),
});

/** Returns a key that is mostly unregistered in the organization. */
export function generatedApiKey(world: World, isExpiring: boolean) {
  const { choice, state, serial } = world;
  const known = new Set([...state.rows.api_key.values()].map((key) => key.publicKey));
  const free = keyPairs.filter((pair) => !known.has(pair.publicKey));
  const pair = choice.pick(free.length === 0 || choice.chance(0.03) ? keyPairs : free);
  return {
    apiKeyName: `Key ${serial}`,
    publicKey: pair.publicKey,
    curveType: pair.curve,
    ...(isExpiring ? { expirationSeconds: String(choice.pick([1, 30, 60, 3600])) } : {}),
  };
}

/** Returns the user of an import, mostly the submitter. */
export function importer(world: World) {
  return {
    userId: world.choice.chance(0.9) ? (world.callerId ?? unknownId) : idOf(world, 'user'),
  };
}

/**
 * Returns a bundle sealed to a target of the submitter, sometimes to an older target or one of another
 * user.
 */
export function sealedImport(
  world: World,
  purpose: Records['import_target']['purpose'],
  plaintext: Uint8Array,
): string {
  const targets = rowsOf(world, 'import_target').filter(
    (row) =>
      world.choice.chance(0.05) || (row.purpose === purpose && row.userId === world.callerId),
  );
  const [target] = world.choice.some(targets, 1);
  if (target === undefined) return sealedTo(keyAgreement(clientKey).publicKey, plaintext);
  const publicKey = heldKeys(world.state.id).useHeldKey(
    'import_target',
    target,
    (key) => keyAgreement(key).publicKey,
  );
  return sealedTo(publicKey, plaintext);
}

/** Returns texts sealed to targets of the organization, sometimes to a target of another kind. */
export function newSecrets(world: World) {
  const targets = rowsOf(world, 'import_target').filter(
    (row) => world.choice.chance(0.03) || row.purpose === 'secret',
  );
  const chosen = world.choice.some(targets, 1 + world.choice.below(2));
  const other = hex(keyAgreement(clientKey).publicKey);
  const keys = chosen.length === 0 ? [other] : chosen.map(({ publicKey }) => publicKey ?? other);
  const secrets = keys.map((publicKey, i) => ({
    ...(world.choice.chance(0.5) ? { name: `Secret ${world.choice.below(12)}` } : {}),
    secretPayload: sealedTo(Uint8Array.fromHex(publicKey), utf8(secretTextOf(publicKey))),
    targetPublicKey: publicKey,
    encryptionSuite,
    staticProperties: [{ key: 'number', value: `${world.serial} ${i}` }],
  }));
  return { secrets };
}

/** Returns the text that is sealed to a target, which the judge can derive too. */
export const secretTextOf = (targetPublicKey: string): string => `Text for ${targetPublicKey}`;

export function newAccounts({ choice }: World) {
  const ethereum = { curve: 'CURVE_SECP256K1', addressFormat: 'ADDRESS_FORMAT_ETHEREUM' };
  const solana = { curve: 'CURVE_ED25519', addressFormat: 'ADDRESS_FORMAT_SOLANA' };
  const paths = choice.some(
    [0, 1, 2, 3, 4, 5].flatMap((number) => [
      { ...ethereum, path: `m/44'/60'/0'/0/${number}` },
      { ...solana, path: `m/44'/501'/${number}'/0'` },
    ]),
    1 + choice.below(3),
  );
  return paths.map((account) => ({ ...account, pathFormat: 'PATH_FORMAT_BIP32' }));
}

/** Returns an Ethereum address, or a private key with one. */
export function ethereumSigner(world: World): string {
  const keys = rowsOf(world, 'private_key').filter(({ addresses }) => addresses.some(isOfEthereum));
  const names = [...ethereumAddresses(world), ...keys.map(({ id }) => id)];
  return world.choice.some(names, 1)[0] ?? unknownId;
}

/** Returns the Ethereum address of an account or a private key. */
export function ethereumAddress(world: World): string {
  return world.choice.some(ethereumAddresses(world), 1)[0] ?? `0x${'00'.repeat(20)}`;
}

export function ethereumAddresses(world: World): readonly string[] {
  const accounts = rowsOf(world, 'wallet_account').filter(({ addressFormat }) =>
    isOfEthereum({ format: addressFormat }),
  );
  const keys = rowsOf(world, 'private_key').flatMap(({ addresses }) =>
    addresses.filter(isOfEthereum),
  );
  return [...accounts, ...keys].map(({ address }) => address);
}

/** Transactions signed elsewhere: from two addresses, and two that replace each other. */
export const foreignTransactions = [
  foreignTransaction(),
  foreignTransaction({ maxFeePerGas: 200, maxPriorityFeePerGas: 20 }),
  foreignTransaction({ nonce: 1 }),
  foreignTransaction({ type: 0 }, `0x${'0b'.repeat(32)}`),
];

export const isOfEthereum = ({ format }: { readonly format: string }) =>
  format === 'ADDRESS_FORMAT_ETHEREUM';

/** Returns up to two Solana addresses. */
export function solanaSigners(world: World): readonly string[] {
  const isOfSolana = ({ format }: { readonly format: string }) =>
    format === 'ADDRESS_FORMAT_SOLANA';
  const addresses = [
    ...rowsOf(world, 'wallet_account')
      .filter(({ addressFormat }) => isOfSolana({ format: addressFormat }))
      .map(({ address }) => address),
    ...rowsOf(world, 'private_key').flatMap((key) =>
      key.addresses.filter(isOfSolana).map(({ address }) => address),
    ),
  ];
  const found = world.choice.some(addresses, 1 + world.choice.below(2));
  return found.length === 0 ? [strangerOfSolana] : found;
}

export const strangerOfSolana = base58.encode(new Uint8Array(32).fill(8));

export function signer(world: World): { readonly signWith: string; readonly hashFunction: string } {
  const keys = [
    ...rowsOf(world, 'wallet_account').map(({ address, curve }) => ({ signWith: address, curve })),
    ...rowsOf(world, 'private_key').map(({ id, addresses, curve }) => ({
      signWith: world.choice.chance(0.5) ? id : (addresses[0]?.address ?? id),
      curve,
    })),
  ];
  const [key] = world.choice.some(keys, 1);
  const hashFunction =
    key?.curve === 'CURVE_ED25519' ? 'HASH_FUNCTION_NOT_APPLICABLE' : 'HASH_FUNCTION_SHA256';
  return { signWith: key?.signWith ?? unknownId, hashFunction };
}

/** A test contact, whose code is always the same. */
export const knownContact = 'user@example.com';

/** Returns the test contact if no user has it yet, since two users with it could not log in by it. */
function newContact({ choice, state }: World): { readonly userEmail?: string } {
  const isTaken = [...state.rows.user.values()].some(({ email }) => email === knownContact);
  return isTaken && choice.chance(0.95) ? {} : { userEmail: knownContact };
}
