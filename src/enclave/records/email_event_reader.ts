// Reads the events of mails. Each row is sealed separately.

import { hex } from '../../core/base/bytes.ts';
import { emailEventLimits, sameAddress } from '../../core/external/email_events.ts';
import type { LargeRecords } from '../../core/organization/model.ts';
import type { EmailEvent } from '../../core/organization/records/email_events.ts';
import type { StoredRecord, StorePort } from '../../store/port.ts';
import type { RootKeys } from '../keys/root_keys.ts';
import { checkPage } from './pages.ts';
import { type RecordCodec, refuseRecord } from './record_codec.ts';

const kind = 'email_event';
/** Maximum number of expired events that one new event deletes. */
const droppedAtOnce = 10;

export type EmailEventReader = {
  /** Returns the blinded group of an address's events, because the database must not learn addresses. */
  blindOf(organizationId: string, address: string): string;
  /** Returns the stored events of an address, newest first. */
  eventsTo(organizationId: string, address: string): Promise<readonly EmailEvent[]>;
  /** Returns rows that a new event replaces: some created before a time, and one beyond the limit. */
  outlived(organizationId: string, address: string, beforeId: string): Promise<StoredRecord[]>;
  /** Opens an event. Raises `record_refused`. */
  open(organizationId: string, row: StoredRecord): EmailEvent;
};

export function createEmailEventReader({
  store,
  codec,
  keys,
}: {
  readonly store: Pick<StorePort, 'recordPage'>;
  readonly codec: RecordCodec;
  readonly keys: Pick<RootKeys, 'blind'>;
}): EmailEventReader {
  const blindOf = (organizationId: string, address: string) =>
    hex(keys.blind(kind, organizationId, sameAddress(address)));

  function open(organizationId: string, row: StoredRecord): EmailEvent {
    if (row.kind !== kind) refuseRecord({ ...row, organizationId });
    return codec.openRecord(organizationId, row) as LargeRecords['email_event'];
  }

  async function newestTo(organizationId: string, address: string) {
    const limit = emailEventLimits.ofAddress;
    const groupId = blindOf(organizationId, address);
    const page = { greaterThan: undefined, lessThan: undefined, ascending: false, limit };
    const rows = await store.recordPage({ organizationId, kind, groupId, page });
    const asked = { limit, before: undefined, after: undefined };
    checkPage(rows, asked, 'descending', (row) => ({ ...row, organizationId }));
    return rows;
  }

  return {
    blindOf,
    open,
    eventsTo: async (organizationId, address) => {
      const rows = await newestTo(organizationId, address);
      const blind = blindOf(organizationId, address);
      // The group is not sealed, so the event itself must name the address.
      return rows
        .map((row) => open(organizationId, row))
        .filter(({ addressBlind }) => addressBlind === blind);
    },
    outlived: async (organizationId, address, beforeId) => {
      const page = { greaterThan: undefined, lessThan: beforeId, ascending: true };
      const [expired, ofAddress] = await Promise.all([
        store.recordPage({
          organizationId,
          kind,
          groupId: undefined,
          page: { ...page, limit: droppedAtOnce },
        }),
        newestTo(organizationId, address),
      ]);
      const isFull = ofAddress.length === emailEventLimits.ofAddress;
      const tooMany = isFull ? ofAddress.slice(-1) : [];
      const known = new Set(expired.map(({ id }) => id));
      return [...expired, ...tooMany.filter(({ id }) => !known.has(id))];
    },
  };
}
