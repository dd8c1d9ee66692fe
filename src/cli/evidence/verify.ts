// Verifies an evidence bundle without a network: digests, signatures of votes, and receipts.

import { Untrusted } from '../../client/errors.ts';
import type { Activity } from '../../client/generated/operations.ts';
import { verifyActivity } from '../../client/verified_activity.ts';
import { verifyVote } from '../../client/vote_signatures.ts';
import { type VerifiedReceipt, verifyReceipt } from '../../receipts/verify_receipt.ts';
import {
  activityFile,
  type EvidenceManifest,
  manifestName,
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
  const manifest = readManifest(manifestBytes);
  requireDigests(files, manifest);
  let [votes, uncheckedVotes, receipts, digestOnly] = [0, 0, 0, 0];
  for (const { activityId, withoutReceipt } of manifest.activities) {
    const activity = jsonIn<{ activity: Activity }>(files, activityFile(activityId)).activity;
    for (const vote of activity.votes) {
      if (await isVerified(vote, activity)) votes += 1;
      else uncheckedVotes += 1;
    }
    requireContents(activity);
    await requireSubmission(activity, { id: activityId, ...manifest });
    if (withoutReceipt !== undefined || policy === undefined) continue;
    const isWhole = requireReceipt(textIn(files, receiptFile(activityId)), policy, activity);
    receipts += 1;
    if (!isWhole) digestOnly += 1;
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

function requireDigests(
  files: ReadonlyMap<string, Uint8Array>,
  { files: listed }: EvidenceManifest,
): void {
  const names = new Set(listed.map(({ name }) => name));
  const extra = [...files.keys()].find(
    (name) => !names.has(name) && name !== manifestName && name !== timestampName,
  );
  if (extra !== undefined) throw new Error(`the manifest does not list ${extra}`);
  for (const { name, sha256 } of listed) {
    if (sha256Of(fileIn(files, name)) !== sha256) {
      throw new Error(`${name} is not the file that the manifest lists`);
    }
  }
}

/** Verifies the request itself, unless its text is hidden from the exporting user. */
async function requireSubmission(
  activity: Activity,
  asked: { readonly id: string; readonly organizationId: string },
): Promise<void> {
  try {
    await verifyActivity(activity, asked);
  } catch (error) {
    if (!(error instanceof Untrusted)) throw error;
    if (uncheckedCodes.has(error.code)) return;
    throw new Error(`activity ${asked.id}: ${error.message}`);
  }
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

const uncheckedCodes: ReadonlySet<string> = new Set(['MESSAGE_HIDDEN', 'SIGNATURE_UNCHECKED']);

/**
 * Verifies the signature of a vote, and that its signed text casts this vote on the activity. Returns false
 * for a vote that cannot be checked. Throws an error for a false vote.
 */
async function isVerified(
  vote: Activity['votes'][number],
  { id, fingerprint }: Activity,
): Promise<boolean> {
  if (vote.message === fingerprint) return false;
  try {
    await verifyVote(vote);
  } catch (error) {
    if (!(error instanceof Untrusted)) throw error;
    if (uncheckedCodes.has(error.code)) return false;
    throw new Error(`a vote of activity ${id}: ${error.message}`);
  }
  const isRequest = fingerprintOf(vote.message) === fingerprint;
  const { type, parameters } = Object(JSON.parse(vote.message));
  const isOfActivity = isRequest || parameters?.fingerprint === fingerprint;
  if (!isOfActivity) throw new Error(`a vote of activity ${id} is for another activity`);
  const selection = isRequest ? 'VOTE_SELECTION_APPROVED' : selections.get(type);
  if (selection === vote.selection) return true;
  throw new Error(`a vote of activity ${id} was not signed as ${vote.selection}`);
}

/** The votes that requests cast, by their type. */
const selections: ReadonlyMap<unknown, Activity['votes'][number]['selection']> = new Map([
  ['ACTIVITY_TYPE_APPROVE_ACTIVITY', 'VOTE_SELECTION_APPROVED'],
  ['ACTIVITY_TYPE_REJECT_ACTIVITY', 'VOTE_SELECTION_REJECTED'],
]);

const fingerprintOf = (message: string) => `sha256:${sha256Of(new TextEncoder().encode(message))}`;

/** Throws an error if a signed text of a key counts twice, or if the intent is not that of the message. */
function requireContents({ id, fingerprint, intent, votes }: Activity): void {
  const request = votes.find(({ message }) => fingerprintOf(message) === fingerprint);
  const asked = request === undefined ? undefined : Object(JSON.parse(request.message)).parameters;
  const [shown, ...others] = Object.values(intent);
  const isOfMessage = others.length === 0 && isWithin(shown, asked);
  if (request !== undefined && !isOfMessage) {
    throw new Error(`the intent of activity ${id} is not what its message says`);
  }
  const texts = new Set(votes.map(({ message, publicKey }) => `${publicKey} ${message}`));
  if (texts.size < votes.length) throw new Error(`activity ${id} counts a vote twice`);
}

/**
 * Verifies a receipt, and that it is for this activity. Returns false if the receipt has only the digest of
 * the record, because the record contains tokens or codes.
 */
function requireReceipt(text: string, policy: string, activity: Activity): boolean {
  // The file holds the answer of the service.
  const { entry, activity: recorded } = verifyReceipt(text, policy);
  const isSame =
    entry.activityId === activity.id &&
    entry.organizationId === activity.organizationId &&
    entry.status === activity.status;
  if (!isSame) throw new Error(`the receipt of activity ${activity.id} is for another state`);
  if (recorded === undefined) return false;
  const [shown, expected] = [contentOf(activity), contentOf(recorded)];
  if (isWithin(shown, expected) && isWithin(expected, shown)) return true;
  throw new Error(`activity ${activity.id} is not what its receipt records`);
}

/** The members of an activity that a receipt records. */
const contentOf = ({
  type,
  votes,
  result,
}: Pick<Activity, 'type' | 'votes' | 'result'> | NonNullable<VerifiedReceipt['activity']>) => ({
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

const jsonIn = <Document>(files: ReadonlyMap<string, Uint8Array>, name: string): Document =>
  JSON.parse(textIn(files, name)) as Document;
