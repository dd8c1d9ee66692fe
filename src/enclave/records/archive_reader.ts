// Reads sealed records that replace archived activities.

import type { LargeRecords } from '../../core/organization/model.ts';
import type { ArchivedActivities } from '../../core/organization/records/archive.ts';
import type { StoredRecord, StorePort } from '../../store/port.ts';
import { type RecordCodec, refuseRecord } from './record_codec.ts';

const kind = 'archived_activities';
/** Maximum segments searched for one activity. Segments of late decisions overlap earlier ones. */
const maximumSegmentsSeen = 1_000;

export type ArchiveReader = {
  /** Returns the segment that covers the time of this activity, or undefined. */
  segmentOf(organizationId: string, activityId: string): Promise<ArchivedActivities | undefined>;
  /** Returns segments, newest first. */
  newestSegments(organizationId: string, limit: number): Promise<readonly ArchivedActivities[]>;
};

export function createArchiveReader({
  store,
  codec,
}: {
  readonly store: Pick<StorePort, 'recordPage'>;
  readonly codec: RecordCodec;
}): ArchiveReader {
  function opened(organizationId: string, row: StoredRecord): ArchivedActivities {
    if (row.kind !== kind) refuseRecord({ ...row, organizationId });
    return codec.openRecord(organizationId, row) as LargeRecords['archived_activities'];
  }

  return {
    segmentOf: async (organizationId, activityId) => {
      const page = { lessThan: undefined, ascending: true, limit: maximumSegmentsSeen };
      const rows = await store.recordPage({
        organizationId,
        kind,
        groupId: undefined,
        // The bound is exclusive, and the last activity of a segment is its id.
        page: { ...page, greaterThan: justBefore(activityId) },
      });
      return rows
        .map((row) => opened(organizationId, row))
        .find(({ id, firstActivityId }) => firstActivityId <= activityId && activityId <= id);
    },
    newestSegments: async (organizationId, limit) => {
      const page = { greaterThan: undefined, lessThan: undefined, ascending: false, limit };
      const asked = { organizationId, kind, groupId: undefined, page };
      return (await store.recordPage(asked)).map((row) => opened(organizationId, row));
    },
  };
}

/** Returns a text that sorts directly before an id. */
function justBefore(id: string): string {
  return id.slice(0, -1);
}
