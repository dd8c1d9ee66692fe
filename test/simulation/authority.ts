// Judges independently of the product if a durable change was allowed, from the state before the change.

import { createPublicKey, verify } from 'node:crypto';
import { VersionedTransaction } from '@solana/web3.js';
import { computeAddress, Transaction, verifyAuthorization, ZeroAddress } from 'ethers';
import { concatBytes, utf8 } from '../../src/core/base/bytes.ts';
import type { CurveName } from '../../src/core/base/enums.ts';
import type { Activity } from '../../src/core/organization/records/activity.ts';
import { activityOperations } from '../../src/operations/index.ts';
import { freezeComplaints, isStopped } from './frozen.ts';
import { liveness } from './node.ts';
import { createScope, votedCondition, votedOperations, walletsDemanded } from './request_parts.ts';
import type { TrueState } from './true_state.ts';
import { intentOf, type Wire } from './wire.ts';

/** The name of the operation, by its newest type. */
export const operationOfType: ReadonlyMap<string, string> = new Map(
  Object.entries(activityOperations).map(([name, operation]) => [operation.wire.type, name]),
);

/** Requests of users about their own credentials; all other requests need the root quorum. */
const ownUserOperations = [
  'create_api_keys',
  'delete_api_keys',
  'create_authenticators',
  'delete_authenticators',
  'recover_user',
  'create_oauth_providers',
  'delete_oauth_providers',
];

/** Sessions that users may start for themselves. */
const ownSessions = ['stamp_login', 'create_read_only_session', 'create_read_write_session'];

/** Returns complaints about the authority of an activity, given the state right before it. */
export function authorityComplaints(
  activity: Activity,
  state: TrueState,
  parent: TrueState | undefined,
): string[] {
  const complaints: string[] = [];
  // The newest vote caused this change: the first one submits, and a later one may be the same body.
  const vote = activity.votes.at(-1);
  if (vote === undefined) return ['nobody voted for it'];
  if (state.head.deletedAtMs !== undefined) complaints.push('the organization was deleted');
  const name = operationOfType.get(activity.type) ?? '';
  const operation = activityOperations[name];
  complaints.push(
    ...freezeComplaints(activity, name, keyIdsIn(activity, state), { state, parent }),
  );
  // The organization whose user acts and whose quorum decides.
  const isParents = operation?.parentActs === true && !state.rows.user.has(vote.userId);
  const before = isParents && parent !== undefined ? parent : state;
  const user = before.rows.user.get(vote.userId);
  if (user === undefined) complaints.push('the user did not exist');
  const key = keyIn(before, vote.publicKey);
  if (key === undefined) complaints.push('the key did not exist');
  else {
    if (key.userId !== vote.userId) complaints.push('the key was of another user');
    if (isOver(key, activity.updatedAtMs)) complaints.push('the key had expired');
    if (!isInScope(key.sessionProfile?.scope, activity)) complaints.push('the scope says no');
  }
  if (vote.selection === 'VOTE_SELECTION_REJECTED') {
    if (activity.status !== 'ACTIVITY_STATUS_REJECTED') complaints.push('it was rejected in vain');
    if (!mayReject(activity, vote.userId, before)) complaints.push('the user may not reject');
  } else {
    const isAllowed = isAllowedBy(activity, before);
    // A refused code attempt is recorded as a failed activity.
    const mayFail = isAllowed && (activity.version > 1 || operation?.countsTries === true);
    const isDone = activity.status === 'ACTIVITY_STATUS_COMPLETED';
    const isFailed = mayFail && activity.status === 'ACTIVITY_STATUS_FAILED';
    if (isAllowed !== isDone && !isFailed) {
      complaints.push(`${activity.status}, and it was ${isAllowed ? '' : 'not '}allowed`);
    }
  }

  const body: Wire = JSON.parse(vote.message);
  const ageMs = activity.updatedAtMs - Number(body.timestampMs);
  if (ageMs >= liveness.maximumAgeMs) complaints.push('the request was too old');
  if (-ageMs > liveness.maximumAheadMs) complaints.push('the request came from the future');
  const isFound = operation?.findsChild === true || operation?.childEntry !== undefined;
  const isNamed =
    body.organizationId === state.id || (isFound && body.organizationId === state.parentId);
  if (!isNamed) complaints.push('the request named another organization');
  // A vote is a vote activity, or the same body signed by another user.
  const isVote = typeOfVote[vote.selection] === body.type && activity.version > 1;
  const isAskedFor = isVote
    ? body.parameters.fingerprint === activity.fingerprint
    : body.type === activity.type &&
      JSON.stringify(body.parameters) === JSON.stringify(intentOf(activity));
  if (!isAskedFor) complaints.push('the intent is not what was asked for');
  return complaints;
}

/** Returns true if a session with this scope may be involved in an activity. */
function isInScope(scope: string | undefined, activity: Activity): boolean {
  if (scope !== createScope) return true;
  const operation = activityOperations[operationOfType.get(activity.type) ?? ''];
  return operation?.subject.action === 'CREATE';
}

const typeOfVote = {
  VOTE_SELECTION_APPROVED: 'ACTIVITY_TYPE_APPROVE_ACTIVITY',
  VOTE_SELECTION_REJECTED: 'ACTIVITY_TYPE_REJECT_ACTIVITY',
};

/** Returns true if the root quorum, two users under a policy, or a user with own credentials allow it. */
function isAllowedBy(activity: Activity, before: TrueState): boolean {
  const { threshold, userIds } = before.head.rootQuorum;
  const voters = activity.votes.filter(
    ({ selection, userId, credentialId, createdAtMs }) =>
      selection === 'VOTE_SELECTION_APPROVED' &&
      before.rows.api_key.get(credentialId)?.userId === userId &&
      !isStopped(userId, operationOfType.get(activity.type) ?? '', before) &&
      activity.updatedAtMs - createdAtMs < voteLifeMs &&
      meetsMfa(userId, activity, before),
  );
  // The submitter and the newest voter must have shown all factors, even if earlier votes suffice by now.
  const asking = [activity.submitterId, activity.votes.at(-1)?.userId ?? ''];
  if (!asking.every((userId) => meetsMfa(userId, activity, before))) return false;
  const isRoot =
    voters.filter(({ userId }) => userIds.includes(userId)).length >= Math.max(threshold, 1);
  const operation = operationOfType.get(activity.type) ?? activity.type;
  // A session without a named user belongs to the submitter.
  const { userId = activity.submitterId } = intentOf(activity);
  // A request of another user about a member of the root quorum needs the root quorum.
  const isProtected = userId !== activity.submitterId && userIds.includes(userId);
  const isOwn =
    [...ownUserOperations, ...ownSessions].includes(operation) &&
    !isProtected &&
    voters.some((vote) => vote.userId === userId);
  return isRoot || isOwn || (voters.length >= 2 && isVotedOn(operation, before));
}

/** Returns the ids of the wallets and private keys that an activity names. */
function keyIdsIn(activity: Activity, state: TrueState): (string | undefined)[] {
  const { signWith, from, address, signWiths = [], walletId, privateKeyId } = intentOf(activity);
  const used = [signWith, from, address, ...signWiths].map((each) => {
    const key = typeof each === 'string' ? signingKeyOf(each, state) : undefined;
    return key?.walletId ?? key?.id;
  });
  return [...used, walletId, privateKeyId].filter((id) => id !== undefined);
}

/**
 * Returns true if no MFA policy of the user applies, or two registered keys other than login keys were
 * shown.
 */
function meetsMfa(userId: string, activity: Activity, { rows }: TrueState): boolean {
  const operation = activityOperations[operationOfType.get(activity.type) ?? ''];
  const isDemanded = [...rows.mfa_policy.values()].some(
    (policy) => policy.userId === userId && policy.condition === walletsDemanded,
  );
  if (!isDemanded || operation?.subject.resource !== 'WALLET') return true;
  const shown = [...activity.votes, ...(activity.proofs ?? [])].filter(
    (one) => one.userId === userId && activity.updatedAtMs - one.createdAtMs < voteLifeMs,
  );
  const keys = new Set(shown.map(({ credentialId }) => credentialId));
  const isRegistered = (id: string) =>
    rows.api_key.get(id)?.userId === userId &&
    rows.api_key.get(id)?.type.startsWith('CREDENTIAL_TYPE_API_KEY_') === true;
  return [...keys].filter(isRegistered).length >= 2;
}

/** Returns true for the submitter, members of the root quorum, and all users if two suffice. */
function mayReject(activity: Activity, userId: string, before: TrueState): boolean {
  return (
    userId === activity.submitterId ||
    before.head.rootQuorum.userIds.includes(userId) ||
    isVotedOn(operationOfType.get(activity.type) ?? activity.type, before)
  );
}

function isVotedOn(operation: string, { rows }: TrueState): boolean {
  const isTold = [...rows.policy.values()].some(({ condition }) => condition === votedCondition);
  return isTold && votedOperations.includes(operation);
}

/** A vote counts for a day. */
const voteLifeMs = 86_400_000;

/** Returns complaints about the signatures of a signing activity. */
export function signatureComplaints(
  signWith: string,
  signed: readonly { payload: string; signature: { r: string; s: string } }[],
  before: TrueState,
): string[] {
  const key = signingKeyOf(signWith, before);
  if (key === undefined) return [`there was no key ${signWith} to sign with`];
  return signed
    .filter(({ payload, signature: { r, s } }) => {
      const bytes = concatBytes(Uint8Array.fromHex(r), Uint8Array.fromHex(s));
      return !verifiers[key.curve](Uint8Array.fromHex(key.publicKey), bytes, utf8(payload));
    })
    .map(({ payload }) => `the signature of ${payload} is not of the key`);
}

/** Returns complaints if ethers reads another transaction than the request, or another signer. */
export function transactionComplaints(
  { signWith, unsignedTransaction }: { signWith: string; unsignedTransaction: string },
  signedTransaction: string,
  before: TrueState,
): string[] {
  const key = signingKeyOf(signWith, before);
  if (key === undefined) return [`there was no key ${signWith} to sign with`];
  const signed = Transaction.from(`0x${signedTransaction}`);
  return [
    ...(signed.unsignedSerialized === `0x${unsignedTransaction}` ? [] : ['another was signed']),
    ...(signed.from === computeAddress(`0x${key.publicKey}`) ? [] : ['another key signed it']),
  ];
}

/** Returns complaints about a signed transaction that a request sends. */
export function sendComplaints(
  { from, calls: [call] }: { from: string; calls: readonly { to: string; value: string }[] },
  signedTransaction: string,
  before: TrueState,
): string[] {
  const key = signingKeyOf(from, before);
  if (key === undefined) return [`there was no key ${from} to sign with`];
  const signed = Transaction.from(signedTransaction);
  return [
    ...(signed.to === call?.to && String(signed.value) === call?.value ? [] : ['another is sent']),
    ...(signed.from === computeAddress(`0x${key.publicKey}`) ? [] : ['another key signed it']),
  ];
}

/** Returns complaints about a signed transaction that removes the code of its sender. */
export function undelegationComplaints(
  { from }: { readonly from: string },
  signedTransaction: string,
  before: TrueState,
): string[] {
  const key = signingKeyOf(from, before);
  if (key === undefined) return [`there was no key ${from} to sign with`];
  const signed = Transaction.from(signedTransaction);
  const address = computeAddress(`0x${key.publicKey}`);
  const [authorization, ...others] = signed.authorizationList ?? [];
  if (authorization === undefined || others.length > 0) return ['there is not one authorization'];
  const { nonce, address: code, signature, chainId } = authorization;
  const authority = verifyAuthorization({ nonce, address: code, chainId }, signature);
  return [
    ...(signed.from === address && signed.to === address ? [] : ['another key signed it']),
    ...(authority === address ? [] : ['another key signed the authorization']),
    ...(code === ZeroAddress && nonce === BigInt(signed.nonce) + 1n && chainId === signed.chainId
      ? []
      : ['another authorization was signed']),
    ...(signed.value === 0n && signed.data === '0x' ? [] : ['it does more']),
  ];
}

/**
 * Returns complaints about a Solana transaction: its message must be unchanged, and all signatures present.
 */
export function solanaSendComplaints(
  { unsignedTransaction, signWiths }: { unsignedTransaction: string; signWiths: readonly string[] },
  signedTransaction: string,
  before: TrueState,
): string[] {
  const asked = VersionedTransaction.deserialize(Buffer.from(unsignedTransaction, 'hex'));
  const sent = VersionedTransaction.deserialize(Buffer.from(signedTransaction, 'base64'));
  const message = sent.message.serialize();
  return [
    ...(Buffer.from(message).equals(asked.message.serialize()) ? [] : ['another is sent']),
    ...signWiths.flatMap((address) =>
      signingKeyOf(address, before) === undefined ? [`there was no key ${address}`] : [],
    ),
    ...sent.signatures.flatMap((signature, i) => {
      const key = sent.message.staticAccountKeys[i]?.toBytes() ?? new Uint8Array();
      return verifiers.CURVE_ED25519(key, signature, message) ? [] : [`signature ${i} is wrong`];
    }),
  ];
}

type SigningKey = {
  readonly id: string;
  readonly curve: CurveName;
  readonly publicKey: string;
  /** The wallet of the account; absent for a private key. */
  readonly walletId?: string;
};

/** Returns the key of an address or id: a private key, or an account of an existing wallet. */
export function signingKeyOf(signWith: string, { rows }: TrueState): SigningKey | undefined {
  const privateKey = [...rows.private_key.values()].find(
    ({ id, addresses }) => id === signWith || addresses.some(({ address }) => address === signWith),
  );
  return (
    privateKey ??
    [...rows.wallet_account.values()].find(
      ({ address, walletId }) => address === signWith && rows.wallet.has(walletId),
    )
  );
}

/** Returns the API key with a public key. */
export function keyIn(state: TrueState, publicKey: string) {
  return [...state.rows.api_key.values()].find((key) => key.publicKey === publicKey);
}

/** Returns true if a key has expired. */
export function isOver(
  key: { readonly createdAtMs: number; readonly expirationSeconds?: number },
  now: number,
): boolean {
  return (
    key.expirationSeconds !== undefined && now >= key.createdAtMs + key.expirationSeconds * 1000
  );
}

type Verify = (publicKey: Uint8Array, signature: Uint8Array, payload: Uint8Array) => boolean;

const verifiers: Readonly<Record<CurveName, Verify>> = {
  CURVE_SECP256K1: ecdsaOn('secp256k1'),
  CURVE_P256: ecdsaOn('P-256'),
  CURVE_ED25519: (publicKey, signature, payload) => {
    const key = createPublicKey({
      key: publicKey,
      format: 'raw-public',
      asymmetricKeyType: 'ed25519',
    });
    return verify(null, payload, key, signature);
  },
};

function ecdsaOn(namedCurve: string): Verify {
  return (publicKey, signature, payload) => {
    const key = createPublicKey({
      key: publicKey,
      format: 'raw-public',
      asymmetricKeyType: 'ec',
      namedCurve,
    });
    return verify('sha256', payload, { key, dsaEncoding: 'ieee-p1363' }, signature);
  };
}
