// The manifest of an evidence bundle: the selection, and the digest of each file.

import { createHash } from 'node:crypto';
import type { ArchivedFile } from './tar.ts';

export const manifestName = 'manifest.json';
export const evidenceFormat = 'keywright-evidence/v1';

/** The selection of a bundle: one activity, or those that were submitted in a period. */
export type Selection =
  | { readonly activityId: string }
  | { readonly from: string; readonly to: string };

export type EvidenceManifest = {
  readonly evidenceFormat: typeof evidenceFormat;
  readonly organizationId: string;
  readonly createdAt: string;
  readonly selection: Selection;
  readonly activities: readonly ActivityOfBundle[];
  readonly files: readonly FileOfBundle[];
};

type ActivityOfBundle = {
  readonly activityId: string;
  /** The reason why the bundle has no receipt. Absent with a receipt. */
  readonly withoutReceipt?: string;
};

type FileOfBundle = {
  readonly name: string;
  readonly bytes: number;
  readonly sha256: string;
};

export const activityFile = (id: string): string => `activities/${id}.json`;
export const receiptFile = (id: string): string => `receipts/${id}.json`;
export const decisionsFile = (id: string): string => `decisions/${id}.json`;
export const policiesName = 'policies.json';

export const sha256Of = (bytes: Uint8Array): string =>
  createHash('sha256').update(bytes).digest('hex');

export const fileOfBundle = ({ name, bytes }: ArchivedFile): FileOfBundle => ({
  name,
  bytes: bytes.length,
  sha256: sha256Of(bytes),
});

/** Reads a parsed manifest. Throws an error for other documents. */
export function readManifest(value: Partial<EvidenceManifest>): EvidenceManifest {
  const isManifest =
    value.evidenceFormat === evidenceFormat &&
    typeof value.organizationId === 'string' &&
    Array.isArray(value.activities) &&
    Array.isArray(value.files);
  if (!isManifest) throw new Error(`the manifest is not of the format ${evidenceFormat}`);
  return value as EvidenceManifest;
}
