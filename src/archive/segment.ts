// One file of the archive. Line 1 is the manifest (JSON). Line 2 is its signature (r ‖ s, hex) by the key of
// the archive, ECDSA P-256 over SHA-256(domain ‖ line 1). The rest are the rows, sealed as they were stored:
// for each `length (4 bytes) ‖ columns (JSON) ‖ length (4 bytes) ‖ sealed body`.

import { bytesOfHex, concatBytes, hex, textOfUtf8, utf8 } from '../core/base/bytes.ts';
import { sha256 } from '../core/crypto/hashes.ts';
import { negateScalar, orders } from '../core/crypto/scalars.ts';
import { verifyP256 } from '../core/crypto/verify.ts';
import type { StoredActivity, StoredRecord } from '../store/port.ts';
import { UnusableDataError } from '../store/unusable_data_error.ts';

const format = 'keywright-archive-1';
const domain = utf8('keywright archive segment\0');
const newline = 0x0a;
const maximumManifestBytes = 16 * 1024 * 1024;
/** A line feed, and 64 bytes in hex. */
const signatureLineBytes = 1 + 128;

type SegmentManifest = {
  readonly format: typeof format;
  /** Counts from 1. */
  readonly number: number;
  /** SHA-256 of the previous segment's manifest in hex. Empty for the first segment. */
  readonly previous: string;
  readonly madeAtMs: number;
  readonly activities: number;
  /** Number of rows: activities, and users who voted. */
  readonly rows: number;
  readonly bytes: number;
  /** SHA-256 of these bytes, in hex. */
  readonly sha256: string;
  readonly organizations: readonly ManifestPart[];
};

/** The part of an organization in a segment: its activities from the first to the last. */
type ManifestPart = {
  readonly organizationId: string;
  readonly activities: number;
  readonly firstActivityId: string;
  readonly lastActivityId: string;
};

type SegmentRows = {
  readonly activities: readonly StoredActivity[];
  readonly voters: readonly StoredRecord[];
};

export type Segment = SegmentRows & {
  readonly manifest: SegmentManifest;
  /** SHA-256 of the manifest in hex. The next segment contains it. */
  readonly manifestDigest: string;
};

/** An open file. Its content is read on demand. */
export type SegmentContent = {
  readonly length: number;
  /** Returns bytes from `first` on; fewer at the end of the file. */
  read(first: number, length: number): Uint8Array;
};

/** Rejection of a file: one sentence that names the file. */
export class SegmentRefusedError extends UnusableDataError {
  constructor(name: string, reason: string) {
    super(`the archive segment ${name} is refused: ${reason}`);
    this.name = 'SegmentRefusedError';
  }
}

/** Returns the bytes of a segment. `sign` takes a digest of 32 bytes and returns r ‖ s. */
export function encodeSegment(
  { activities, voters }: SegmentRows,
  about: Pick<SegmentManifest, 'number' | 'previous' | 'madeAtMs'>,
  sign: (digest: Uint8Array) => Uint8Array,
): Uint8Array {
  const rows = concatBytes(
    ...activities.map(({ body, fingerprint, ...columns }) =>
      encodedRow({ ...columns, fingerprint: hex(fingerprint) }, body),
    ),
    ...voters.map(({ body, groupId: _, ...columns }) => encodedRow(columns, body)),
  );
  const manifest: SegmentManifest = {
    format,
    ...about,
    activities: activities.length,
    rows: activities.length + voters.length,
    bytes: rows.length,
    sha256: hex(sha256(rows)),
    organizations: partsOf(activities),
  };
  const line = utf8(JSON.stringify(manifest));
  const signature = utf8(hex(sign(sha256(concatBytes(domain, line)))));
  return concatBytes(line, Uint8Array.of(newline), signature, Uint8Array.of(newline), rows);
}

/**
 * Reads a segment. Raises SegmentRefusedError if a byte differs from those that `publicKey` (33 bytes)
 * signed.
 */
export function decodeSegment(
  name: string,
  content: SegmentContent,
  publicKey: Uint8Array,
): Segment {
  const { manifest, line, end } = manifestOf(name, content, publicKey);
  const refuse = (reason: string): never => {
    throw new SegmentRefusedError(name, reason);
  };
  // Checks the signed length before it reads the rest.
  if (content.length - end !== manifest.bytes) {
    refuse(`it has ${content.length - end} bytes of rows, its manifest names ${manifest.bytes}`);
  }
  const rows = content.read(end, manifest.bytes);
  if (hex(sha256(rows)) !== manifest.sha256) refuse('its rows differ from its manifest');
  return { ...decodedRows(rows), manifest, manifestDigest: hex(sha256(line)) };
}

/** Reads the two lines before the rows. `end` is the position of the first row. */
function manifestOf(
  name: string,
  content: Pick<SegmentContent, 'read'>,
  publicKey: Uint8Array,
): { readonly manifest: SegmentManifest; readonly line: Uint8Array; readonly end: number } {
  const refuse = (reason: string): never => {
    throw new SegmentRefusedError(name, reason);
  };
  const bytes = content.read(0, maximumManifestBytes + signatureLineBytes + 1);
  const lineEnd = bytes.subarray(0, maximumManifestBytes).indexOf(newline);
  if (lineEnd < 0) refuse('it has no manifest');
  const line = bytes.subarray(0, lineEnd);
  const signatureEnd = lineEnd + signatureLineBytes;
  const signature = bytesOfHex(textOfUtf8(bytes.subarray(lineEnd + 1, signatureEnd)) ?? '');
  const isOneSpelling =
    signature !== undefined &&
    hex(signature) === textOfUtf8(bytes.subarray(lineEnd + 1, signatureEnd)) &&
    bytes[signatureEnd] === newline;
  if (!isOneSpelling || signature?.length !== 64) return refuse('its signature cannot be read');
  if (!verifyP256(publicKey, signature, concatBytes(domain, line))) {
    return refuse(
      'its manifest is not signed by this service: it was altered, or belongs to another service',
    );
  }
  // The pair r and n − s also verifies. The service writes the smaller s, so each segment has one encoding.
  const s = signature.subarray(32);
  if (hex(s) > hex(negateScalar(s, orders.p256))) refuse('its signature was altered');
  // The service signed it, so its form needs no check.
  const manifest = JSON.parse(textOfUtf8(line) ?? '') as SegmentManifest;
  return { manifest, line, end: signatureEnd + 1 };
}

function partsOf(activities: readonly StoredActivity[]): readonly ManifestPart[] {
  const parts = new Map<string, ManifestPart>();
  for (const { organizationId, id } of activities) {
    const part = parts.get(organizationId);
    parts.set(organizationId, {
      organizationId,
      activities: (part?.activities ?? 0) + 1,
      firstActivityId: part?.firstActivityId ?? id,
      lastActivityId: id,
    });
  }
  return [...parts.values()];
}

function encodedRow(columns: object, body: Uint8Array): Uint8Array {
  const head = utf8(JSON.stringify(columns));
  return concatBytes(lengthBytes(head.length), head, lengthBytes(body.length), body);
}

function lengthBytes(length: number): Uint8Array {
  const bytes = new Uint8Array(4);
  new DataView(bytes.buffer).setUint32(0, length);
  return bytes;
}

/** Reads the rows from bytes whose digest was checked. */
function decodedRows(bytes: Uint8Array): SegmentRows {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const activities: StoredActivity[] = [];
  const voters: StoredRecord[] = [];
  let at = 0;
  const next = (): Uint8Array => {
    const length = view.getUint32(at);
    const part = bytes.subarray(at + 4, at + 4 + length);
    at += 4 + length;
    return part;
  };
  while (at < bytes.length) {
    const columns = JSON.parse(textOfUtf8(next()) ?? '');
    const body = Uint8Array.from(next());
    if ('fingerprint' in columns) {
      const fingerprint = bytesOfHex(columns.fingerprint) ?? new Uint8Array(0);
      activities.push({ ...columns, fingerprint, body });
    } else {
      voters.push({ ...columns, groupId: undefined, body });
    }
  }
  return { activities, voters };
}
