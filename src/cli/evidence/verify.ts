// Verifies an evidence bundle without a network: digests, signatures of votes, and receipts.

import { Untrusted } from '../../client/errors.ts';
import type { Activity } from '../../client/generated/operations.ts';
import { verifyActivity } from '../../client/verified_activity.ts';
import { keyOfVote, verifyVote } from '../../client/vote_signatures.ts';
import { parsedJson, repeatedMember } from '../../core/schema/json.ts';
import { loginTypes } from '../../receipts/signed_votes.ts';
import { type VerifiedReceipt, verifyReceipt } from '../../receipts/verify_receipt.ts';
import {
  activityFile,
  decisionsFile,
  type EvidenceManifest,
  manifestName,
  policiesName,
  readManifest,
  receiptFile,
  sha256Of,
} from './manifest.ts';
import { filesOfTar } from './tar.ts';
import { timestampName } from './timestamp.ts';

export type VerifiedEvidence = {
  readonly manifest: EvidenceManifest;
  readonly manifestBytes: Uint8Array;
  /** The RFC 3161 response; undefined for a bundle without a time stamp. Not verified here. */
  readonly timestamp: Uint8Array | undefined;
  readonly votes: number;
  /** Votes with a text hidden from the exporting user, or with an unknown scheme. */
  readonly uncheckedVotes: number;
  /** Undefined without a trust policy. */
  readonly receipts: number | undefined;
  /** Receipts among them that hold only the digest of the record: they prove id, status and time. */
  readonly digestOnly: number;
};

/** Verifies a bundle. Throws an error with the failed check. */
export async function verifyEvidence(
  archive: Uint8Array,
  policy: string | undefined,
): Promise<VerifiedEvidence> {
  const files = filesOfTar(archive);
  const manifestBytes = fileIn(files, manifestName);
  const manifest = readManifest(strictJson(files, manifestName));
  requireFiles(files, manifest);
  let [votes, uncheckedVotes, receipts, digestOnly] = [0, 0, 0, 0];
  for (const { activityId, withoutReceipt } of manifest.activities) {
    const { activity } = strictJson(files, activityFile(activityId)) as { activity: Activity };
    const checks = await Promise.all(activity.votes.map((vote) => isVerified(vote, activity)));
    requireContents(activity);
    const isOfParent = await requireSubmission(activity, { id: activityId, ...manifest });
    let isRecorded = false;
    if (withoutReceipt === undefined && policy !== undefined) {
      const receipt = textIn(files, receiptFile(activityId));
      const recorded = requireReceipt(receipt, policy, activity);
      if (recorded !== undefined) {
        requireDecisions(activity, recorded, strictJson(files, decisionsFile(activityId)));
      }
      isRecorded = recorded !== undefined;
      receipts += 1;
      if (!isRecorded) digestOnly += 1;
    }
    if (!isRecorded) {
      // A key may sign several approvals. Only the record shows that the key changed its user between them.
      requireDistinct(activity, keyOfVote);
      requireDistinct(activity, ({ userId }) => userId.toLowerCase());
    }
    // Only the record shows that a message for the parent led to an activity of this organization.
    const verified = isOfParent && !isRecorded ? 0 : checks.filter(Boolean).length;
    votes += verified;
    uncheckedVotes += checks.length - verified;
  }
  return {
    manifest,
    manifestBytes,
    timestamp: files.get(timestampName),
    votes,
    uncheckedVotes,
    receipts: policy === undefined ? undefined : receipts,
    digestOnly,
  };
}

/**
 * Throws an error unless the archive has exactly the files of its activities, with the listed digests.
 * Another file could show an activity that nothing verifies.
 */
function requireFiles(
  files: ReadonlyMap<string, Uint8Array>,
  { activities, files: listed }: EvidenceManifest,
): void {
  const ids = activities.map(({ activityId }) => activityId);
  const odd = ids.find((id) => !/^[0-9a-f-]{36}$/.test(id));
  if (odd !== undefined) throw new Error(`${odd} is not the id of an activity`);
  const twice = ids.find((id, i) => ids.indexOf(id) !== i);
  if (twice !== undefined) throw new Error(`the manifest lists activity ${twice} twice`);
  const places = new Set([
    policiesName,
    ...activities.flatMap(({ activityId: id, withoutReceipt }) => [
      activityFile(id),
      decisionsFile(id),
      ...(withoutReceipt === undefined ? [receiptFile(id)] : []),
    ]),
  ]);
  const digests = new Map(listed.map(({ name, sha256 }) => [name, sha256]));
  const names = [...files.keys()].filter((each) => each !== manifestName && each !== timestampName);
  const extra = names.find((name) => !places.has(name));
  if (extra !== undefined) throw new Error(`a bundle has no place for ${extra}`);
  for (const name of places) {
    if (sha256Of(fileIn(files, name)) !== digests.get(name)) {
      throw new Error(`${name} is not the file that the manifest lists`);
    }
  }
}

/**
 * Verifies the request itself, unless the exporting user may not see its text. Returns true for a login whose
 * message names another organization, which is the parent in honest bundles.
 */
async function requireSubmission(
  activity: Activity,
  { id, organizationId: manifestId }: { readonly id: string; readonly organizationId: string },
): Promise<boolean> {
  const organizationId = manifestId.toLowerCase();
  if (activity.organizationId !== organizationId) {
    throw new Error(`activity ${id} is of another organization`);
  }
  const named = loginTypes.has(activity.type)
    ? Object(JSON.parse(requestIn(activity) ?? '{}')).organizationId
    : undefined;
  const expected = typeof named === 'string' ? named : organizationId;
  try {
    await verifyActivity(activity, { id, organizationId: expected });
  } catch (error) {
    if (!(error instanceof Untrusted)) throw error;
    const isUnchecked = uncheckedCodes.has(error.code) || isRefused(activity, error);
    if (!isUnchecked) throw new Error(`activity ${id}: ${error.message}`);
  }
  return expected.toLowerCase() !== organizationId;
}

/** Returns true if a value is the other value, or the same without some members of its objects. */
function isWithin(value: unknown, other: unknown): boolean {
  if (typeof value !== 'object' || value === null) return value === other;
  if (typeof other !== 'object' || other === null) return false;
  const isList = Array.isArray(value);
  if (isList !== Array.isArray(other)) return false;
  if (isList && value.length !== Object(other).length) return false;
  return Object.entries(value).every(
    ([name, member]) => Object.hasOwn(other, name) && isWithin(member, Object(other)[name]),
  );
}

/** Returns true for the missing signature of a refused request, which the service does not store. */
function isRefused({ status, votes }: Activity, { code }: Untrusted): boolean {
  const isUnsigned = votes.every(({ signature }) => signature === '');
  return code === 'SIGNATURE_INVALID' && status === 'ACTIVITY_STATUS_FAILED' && isUnsigned;
}

const uncheckedCodes: ReadonlySet<string> = new Set(['MESSAGE_HIDDEN', 'SIGNATURE_UNCHECKED']);

/**
 * Verifies the signature of a vote, and that its signed text casts this vote on the activity. Returns false
 * for a vote that cannot be checked. Throws an error for a false vote.
 */
async function isVerified(vote: Activity['votes'][number], activity: Activity): Promise<boolean> {
  const { id, fingerprint } = activity;
  // The exporting user may not see the text.
  if (/^sha256:[0-9a-f]{64}$/.test(vote.message)) return false;
  let isChecked = true;
  try {
    await verifyVote(vote);
  } catch (error) {
    if (!(error instanceof Untrusted)) throw error;
    isChecked = false;
    if (!uncheckedCodes.has(error.code) && !isRefused(activity, error)) {
      throw new Error(`a vote of activity ${id}: ${error.message}`);
    }
  }
  const isRequest = fingerprintOf(vote.message) === fingerprint;
  const { type, parameters } = Object(JSON.parse(vote.message));
  // The service accepts a fingerprint in any letter case.
  const isOfActivity = isRequest || `${parameters?.fingerprint}`.toLowerCase() === fingerprint;
  if (!isOfActivity) throw new Error(`a vote of activity ${id} is for another activity`);
  const selection = isRequest ? 'VOTE_SELECTION_APPROVED' : selections.get(type);
  if (selection === vote.selection) return isChecked;
  throw new Error(`a vote of activity ${id} was not signed as ${vote.selection}`);
}

/** The votes that requests cast, by their type. */
const selections: ReadonlyMap<unknown, Activity['votes'][number]['selection']> = new Map([
  ['ACTIVITY_TYPE_APPROVE_ACTIVITY', 'VOTE_SELECTION_APPROVED'],
  ['ACTIVITY_TYPE_REJECT_ACTIVITY', 'VOTE_SELECTION_REJECTED'],
]);

const fingerprintOf = (message: string) => `sha256:${sha256Of(new TextEncoder().encode(message))}`;

/** Throws an error if a signed text of a key counts twice, or if the intent is not that of the message. */
function requireContents(activity: Activity): void {
  const { id, intent } = activity;
  const request = requestIn(activity);
  const asked = request === undefined ? undefined : Object(JSON.parse(request)).parameters;
  const [shown, ...others] = Object.values(intent);
  const isOfMessage = others.length === 0 && isWithin(shown, asked);
  if (request !== undefined && !isOfMessage) {
    throw new Error(`the intent of activity ${id} differs from its message`);
  }
  requireDistinct(activity, (vote) => `${keyOfVote(vote)} ${vote.message}`);
}

/** Throws an error if votes have the same text. */
function requireDistinct(
  { id, votes }: Activity,
  textOf: (vote: Activity['votes'][number]) => string,
): void {
  const texts = new Set(votes.map(textOf));
  if (texts.size < votes.length) throw new Error(`activity ${id} counts a vote twice`);
}

/** Returns the text of the request. Undefined if the exporting user may not see it. */
const requestIn = ({ fingerprint, votes, request }: Activity): string | undefined =>
  [...votes, request].find((each) => each && fingerprintOf(each.message) === fingerprint)?.message;

type Recorded = NonNullable<VerifiedReceipt['activity']>;

/**
 * Verifies a receipt, and that it is for this activity. Returns undefined if the receipt has only the digest
 * of the record, because the record contains tokens or codes.
 */
function requireReceipt(text: string, policy: string, activity: Activity): Recorded | undefined {
  // The file holds the answer of the service.
  const { entry, activity: recorded } = verifyReceipt(text, policy);
  const isSame =
    entry.activityId === activity.id &&
    entry.organizationId === activity.organizationId &&
    entry.status === activity.status;
  if (!isSame) throw new Error(`the receipt of activity ${activity.id} is for another state`);
  if (recorded === undefined) return undefined;
  const [shown, expected] = [contentOf(activity), contentOf(recorded)];
  if (isEqual(shown, expected)) return recorded;
  throw new Error(`activity ${activity.id} differs from its receipt`);
}

/** Throws an error unless a file of decisions has the outcomes of the receipt, vote by vote. */
function requireDecisions(
  { id, votes }: Activity,
  { decisions }: Recorded,
  document: Readonly<Record<string, unknown>>,
): void {
  const { policyEvaluations: list } = document;
  const shown: readonly unknown[] = Array.isArray(list) ? list : [];
  const isSame = decisions.every(({ vote, policies }, i) => {
    const { voteId, policyEvaluations } = Object(shown[i]);
    if (vote !== undefined && votes[vote]?.id !== voteId) return false;
    // A receipt may lack the set of policies.
    const expected = policies?.map(({ policyId, outcome }) => ({ policyId, outcome }));
    return expected === undefined || isEqual(policyEvaluations, expected);
  });
  if (isSame && shown.length === decisions.length && Array.isArray(list)) return;
  throw new Error(`the decisions of activity ${id} differ from its receipt`);
}

const isEqual = (value: unknown, other: unknown): boolean =>
  isWithin(value, other) && isWithin(other, value);

/** The members of an activity that a receipt records. */
const contentOf = ({
  type,
  votes,
  result,
}: Pick<Activity, 'type' | 'votes' | 'result'> | Recorded) => ({
  type,
  votes: votes.map(({ userId, selection, publicKey, message, scheme }) => [
    userId,
    selection,
    publicKey,
    message,
    scheme,
  ]),
  result,
});

function fileIn(files: ReadonlyMap<string, Uint8Array>, name: string): Uint8Array {
  const bytes = files.get(name);
  if (bytes === undefined) throw new Error(`the archive does not have ${name}`);
  return bytes;
}

const textIn = (files: ReadonlyMap<string, Uint8Array>, name: string): string =>
  new TextDecoder('utf-8', { fatal: true }).decode(fileIn(files, name));

/** Parses the JSON object in a file. Rejects repeated members, of which readers may show the other value. */
function strictJson(
  files: ReadonlyMap<string, Uint8Array>,
  name: string,
): Readonly<Record<string, unknown>> {
  const text = textIn(files, name);
  const value = parsedJson(text);
  if (value === undefined) throw new Error(`${name} is not JSON`);
  const repeated = repeatedMember(text, value);
  if (repeated !== undefined) throw new Error(`${name} repeats a member: ${repeated}`);
  return Object(value);
}
