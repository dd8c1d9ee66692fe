// Seals and opens the rows of the log.

import type { StoredRecord } from '../../store/port.ts';
import { openJson, type RecordCodec, refuseRecord } from './record_codec.ts';

/** The ID of the log's head in the table of organizations. It is not a UUID, so requests cannot name it. */
export const logId = 'log';

export type LogCodec = {
  sealed<Value extends { readonly id: string }>(
    organizationId: string,
    kind: string,
    value: Value,
    version: number,
  ): StoredRecord;
  /** Opens a row of the log. Raises `record_refused`. */
  opened<Value>(organizationId: string, kind: string, row: StoredRecord): Value;
};

export function createLogCodec(sealing: RecordCodec['sealing']): LogCodec {
  return {
    sealed: (organizationId, kind, value, version) => {
      const place = { organizationId, kind, id: value.id, version };
      return { ...place, groupId: undefined, body: sealing.seal(place, JSON.stringify(value)) };
    },
    opened: <Value>(organizationId: string, kind: string, row: StoredRecord) => {
      const place = { organizationId, kind, id: row.id, version: row.version };
      if (row.organizationId !== organizationId || row.kind !== kind) refuseRecord(place);
      return openJson<Value>(sealing, place, row.body);
    },
  };
}
