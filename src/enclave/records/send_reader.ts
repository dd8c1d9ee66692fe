// Reads an organization's transactions, checked against its small state.

import type { LargeRecords } from '../../core/organization/model.ts';
import type { Send } from '../../core/organization/records/sends.ts';
import { type OrganizationState, viewOf } from '../../core/organization/state.ts';
import { sendsUnderWay, vouchesForSend } from '../../core/sends/nonces.ts';
import type { Reader } from '../../operations/reader.ts';
import type { StoredRecord, StorePort } from '../../store/port.ts';
import { requiredState } from './change_writer.ts';
import { type RecordCodec, refuseRecord } from './record_codec.ts';

const kind = 'send';

/** Maximum rows of one query to the store. */
const idsAtOnce = 1_000;

/** Maximum reads while a transaction progresses between the reads of its row and of the state. */
const maximumAttempts = 5;

/** Creates the reader of the transactions of one organization. */
export function createSendReaders({
  store,
  codec,
  organization,
}: {
  readonly store: Pick<StorePort, 'records'>;
  readonly codec: RecordCodec;
  readonly organization: (id: string) => Promise<{ state: OrganizationState | undefined }>;
}): (state: OrganizationState) => Pick<Reader, 'sends'> {
  return (state) => {
    const { id: organizationId } = state;

    function open(row: StoredRecord, ids: readonly string[]): Send {
      if (row.kind !== kind || !ids.includes(row.id)) refuseRecord({ ...row, organizationId });
      return codec.openRecord(organizationId, row) as LargeRecords['send'];
    }

    return {
      sends: async (ids) => {
        let now = state;
        for (let attempt = 1; ; attempt += 1) {
          const rows: StoredRecord[] = [];
          for (let first = 0; first < ids.length; first += idsAtOnce) {
            const asked = ids.slice(first, first + idsAtOnce);
            rows.push(...(await store.records({ organizationId, kind, ids: asked })));
          }
          const found = new Map(rows.map((row) => [row.id, { row, send: open(row, ids) }]));
          const view = viewOf(now);
          const stray = [...found.values()].find(({ send }) => !vouchesForSend(view, send));
          // Small state lists transactions in progress, so a missing row was withheld.
          const underWay = new Set(sendsUnderWay(view));
          const missing = ids.find((id) => underWay.has(id) && !found.has(id));
          if (stray === undefined && missing === undefined) {
            return new Map([...found].map(([id, { send }]) => [id, send]));
          }
          if (attempt === maximumAttempts) {
            const withheld = { kind, id: missing ?? '', version: 0 };
            refuseRecord({ ...(stray?.row ?? withheld), organizationId });
          }
          now = await requiredState(organization, organizationId);
        }
      },
    };
  };
}
