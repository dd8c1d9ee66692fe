// The address for which each row of the store was sealed.

import { keyEpochId } from '../../core/custody/sealed_form.ts';
import type { RecordAddress } from '../keys/sealing.ts';
import { chainCursorPlace, isChainCursor } from './chain_cursor.ts';
import { headAddress } from './change_writer.ts';
import { custodyId, custodyPlace } from './custody_reader.ts';
import { eventAddress } from './event_writer.ts';
import { isLogHead, logHeadPlace } from './log_rows.ts';
import { activityPlace } from './record_codec.ts';

/** Sealed with the root key, so it opens only with the root key of the database. */
export const deploymentAddress = {
  organizationId: '',
  kind: 'deployment',
  id: '',
  version: 1,
};

/** The addresses of rows by table. The names of a row are defined in store/tables/sealed_columns.ts. */
const places: Readonly<Record<string, (row: RecordAddress) => RecordAddress | undefined>> = {
  deployment: () => deploymentAddress,
  organizations: placeOfHead,
  records: ({ organizationId, kind, id, version }) => ({ organizationId, kind, id, version }),
  activities: activityPlace,
  webhook_events: ({ organizationId, kind, id }) =>
    eventAddress({ organizationId, endpointId: kind, eventId: id }),
};

/** Returns the address of a row; undefined for a row that is not sealed with the keys of records. */
export function placeOfRow(table: string, row: RecordAddress): RecordAddress | undefined {
  return places[table]?.(row);
}

function placeOfHead({ id, version }: RecordAddress): RecordAddress | undefined {
  // The record of key epochs has its own sealing.
  if (id === keyEpochId) return undefined;
  if (id === custodyId) return custodyPlace(version);
  if (isLogHead(id)) return logHeadPlace(version);
  if (isChainCursor(id)) return chainCursorPlace(id, version);
  return headAddress(id, version);
}
