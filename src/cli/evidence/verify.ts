// Verifies an evidence bundle without a network: digests, signatures of votes, and receipts.

import { Untrusted } from '../../client/errors.ts';
import type { Activity } from '../../client/generated/operations.ts';
import { verifyActivity } from '../../client/verified_activity.ts';
import { verifyVote } from '../../client/vote_signatures.ts';
import { verifyReceipt } from '../../receipts/verify_receipt.ts';
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
  /** Votes whose signed text the exporting user may not see, or whose scheme is unknown here. */
  readonly uncheckedVotes: number;
  /** Undefined without a trust policy. */
  readonly receipts: number | undefined;
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
  let [votes, uncheckedVotes, receipts] = [0, 0, 0];
  for (const { activityId, withoutReceipt } of manifest.activities) {
    const activity = jsonIn<{ activity: Activity }>(files, activityFile(activityId)).activity;
    for (const vote of activity.votes) {
      if (await isVerified(vote, activity)) votes += 1;
      else uncheckedVotes += 1;
    }
    await requireSubmission(activity, { id: activityId, ...manifest });
    if (withoutReceipt !== undefined || policy === undefined) continue;
    requireReceipt(textIn(files, receiptFile(activityId)), policy, activity);
    receipts += 1;
  }
  return {
    manifest,
    manifestBytes,
    timestamp: files.get(timestampName),
    votes,
    uncheckedVotes,
    receipts: policy === undefined ? undefined : receipts,
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

/** Verifies the request itself, unless the exporting user may not see its text. */
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

const uncheckedCodes: ReadonlySet<string> = new Set(['MESSAGE_HIDDEN', 'SIGNATURE_UNCHECKED']);

/**
 * Verifies the signature of a vote, and that a vote after the first one names the activity. Returns false for
 * a vote that cannot be checked. Throws an error for a false vote.
 */
async function isVerified(
  vote: Activity['votes'][number],
  { id, fingerprint }: Pick<Activity, 'id' | 'fingerprint'>,
): Promise<boolean> {
  if (vote.message === fingerprint) return false;
  try {
    await verifyVote(vote);
  } catch (error) {
    if (!(error instanceof Untrusted)) throw error;
    if (uncheckedCodes.has(error.code)) return false;
    throw new Error(`a vote of activity ${id}: ${error.message}`);
  }
  const isRequest = `sha256:${sha256Of(new TextEncoder().encode(vote.message))}` === fingerprint;
  const named = isRequest ? fingerprint : fingerprintIn(vote.message);
  if (named !== fingerprint) throw new Error(`a vote of activity ${id} is for another activity`);
  return true;
}

/** The fingerprint that an approval or a rejection names. */
function fingerprintIn(message: string): unknown {
  const body = JSON.parse(message) as { readonly parameters?: { readonly fingerprint?: unknown } };
  return body.parameters?.fingerprint;
}

function requireReceipt(text: string, policy: string, activity: Activity): void {
  // The file holds the answer of the service.
  const { entry } = verifyReceipt(text, policy);
  const isSame =
    entry.activityId === activity.id &&
    entry.organizationId === activity.organizationId &&
    entry.status === activity.status;
  if (!isSame) throw new Error(`the receipt of activity ${activity.id} is for another state`);
}

function fileIn(files: ReadonlyMap<string, Uint8Array>, name: string): Uint8Array {
  const bytes = files.get(name);
  if (bytes === undefined) throw new Error(`the archive does not have ${name}`);
  return bytes;
}

const textIn = (files: ReadonlyMap<string, Uint8Array>, name: string): string =>
  new TextDecoder('utf-8', { fatal: true }).decode(fileIn(files, name));

const jsonIn = <Document>(files: ReadonlyMap<string, Uint8Array>, name: string): Document =>
  JSON.parse(textIn(files, name)) as Document;
