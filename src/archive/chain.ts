// Checks a folder of segments: each segment is signed, follows the one before it, and contains the rows that
// it names. With the root key it also opens each row.

import { isOpen } from '../core/activity/activity.ts';
import { createdOrganizationOf } from '../core/activity/created_organization.ts';
import type { ArchiveEnd } from '../core/custody/record.ts';
import type { RecordCodec } from '../enclave/records/record_codec.ts';
import type { CreatedOrganization } from './created_organizations.ts';
import { type ArchiveDirectory, type SegmentFile, segmentNumberText } from './directory.ts';
import {
  decodeSegment,
  type Segment,
  type SegmentContent,
  SegmentRefusedError,
} from './segment.ts';

export type Checking = {
  /** The key that verifies segments, 33 bytes. */
  readonly publicKey: Uint8Array;
  /** Opens the rows. Default: rows stay sealed. */
  readonly codec?: Pick<RecordCodec, 'openActivity' | 'openRecord'>;
  /**
   * The end of the archive according to the database. The folder may continue after it, but may not end
   * before it.
   */
  readonly end?: ArchiveEnd | undefined;
  /** Called for each organization that an opened activity created, before its segment is yielded. */
  readonly created?: ((organization: CreatedOrganization) => void) | undefined;
};

/**
 * Yields the segments in order. Raises SegmentRefusedError for the first segment that is missing, altered, of
 * another service, or different from the one that its successor or the database names.
 */
export function* segmentsOf(
  directory: Pick<ArchiveDirectory, 'files' | 'read'>,
  checking: Checking,
): Generator<{ readonly file: SegmentFile; readonly segment: Segment }> {
  let previous = '';
  let found = 0;
  for (const file of directory.files()) {
    const segment = directory.read(file, (content) => checkedSegment(file, content, checking));
    if (segment.manifest.previous !== previous) {
      throw new SegmentRefusedError(
        file.name,
        'it does not follow the segment before it in the folder',
      );
    }
    previous = segment.manifestDigest;
    found = segment.manifest.number;
    if (found === checking.end?.segments && previous !== checking.end.manifestDigest) {
      throw new SegmentRefusedError(
        file.name,
        'it differs from the one that the database recorded',
      );
    }
    yield { file, segment };
  }
  if (found >= (checking.end?.segments ?? 0)) return;
  throw new SegmentRefusedError(
    `${segmentNumberText(found + 1)}.segment`,
    `it is missing, the last one that the database recorded is ${segmentNumberText(checking.end?.segments ?? 0)}`,
  );
}

/** Reads one segment by itself. Raises SegmentRefusedError. */
export function checkedSegment(
  { name, number }: SegmentFile,
  content: SegmentContent,
  { publicKey, codec, created }: Checking,
): Segment {
  const segment = decodeSegment(name, content, publicKey);
  if (segment.manifest.number !== number) {
    throw new SegmentRefusedError(name, `it is segment ${segment.manifest.number}, renamed`);
  }
  if (codec !== undefined) openRows(name, segment, { codec, created });
  return segment;
}

function openRows(
  name: string,
  { activities, voters }: Segment,
  { codec, created }: Pick<Checking, 'created'> & { codec: NonNullable<Checking['codec']> },
): void {
  const opened = (id: string, open: () => boolean): void => {
    let isGood = false;
    try {
      isGood = open();
    } catch {
      // The error below names the segment.
    }
    if (!isGood) throw new SegmentRefusedError(name, `its row ${id} differs from the sealed one`);
  };
  for (const row of activities) {
    opened(row.id, () => {
      const activity = codec.openActivity(row.organizationId, row);
      const organizationId = createdOrganizationOf(activity);
      if (organizationId !== undefined) created?.({ organizationId, activityId: row.id });
      return !isOpen(activity);
    });
  }
  for (const row of voters) {
    opened(row.id, () => codec.openRecord(row.organizationId, row).id === row.id);
  }
}
