// Events of webhook endpoints as they come back from the store: opened, and with the body that is sent.

import { activityView, isOpen } from '../../core/activity/activity.ts';
import { utf8 } from '../../core/base/bytes.ts';
import type { ActivitySnapshot } from '../../core/organization/records/webhooks.ts';
import { withoutBearers } from '../../operations/bearer_members.ts';
import type { StoredEvent, StorePort } from '../../store/port.ts';
import { sealMark } from '../keys/sealing.ts';
import { activityEventId, eventAddress, type SealedEvent } from './event_writer.ts';
import { openJson, type RecordCodec, refuseRecord } from './record_codec.ts';
import type { Voters } from './voters.ts';

/** Opens the event of an endpoint. Raises `record_refused` where anything is not what was sealed. */
export function createEventReader({
  store,
  codec,
  voters,
}: {
  store: Pick<StorePort, 'activity' | 'records'>;
  codec: RecordCodec;
  voters: Pick<Voters, 'complete'>;
}): {
  open(stored: Omit<StoredEvent, 'createdAtMs'>): SealedEvent;
  bodyOf(event: SealedEvent): Promise<Uint8Array>;
} {
  async function activityOf(
    organizationId: string,
    activity: NonNullable<SealedEvent['activity']>,
  ) {
    const { id, version, mark } = activity;
    if (mark === undefined) {
      const kind = 'activity_snapshot';
      const eventId = activityEventId({ id, version });
      const rows = await store.records({ organizationId, kind, ids: [eventId] });
      const row = rows.find((each) => each.id === eventId && each.kind === kind);
      if (row === undefined) return refuseRecord({ organizationId, kind, id: eventId, version });
      return (codec.openRecord(organizationId, row) as ActivitySnapshot).activity;
    }
    const row = await store.activity({ organizationId, id });
    if (row === undefined || row.id !== id || sealMark(row.body) !== mark) {
      return refuseRecord({ organizationId, kind: 'activity', id, version });
    }
    const recorded = codec.openActivity(organizationId, row);
    const [found] = await voters.complete(organizationId, [recorded]);
    return found ?? refuseRecord({ organizationId, kind: 'activity', id, version });
  }

  return {
    open: (stored) => openJson<SealedEvent>(codec.sealing, eventAddress(stored), stored.body),
    bodyOf: async ({ organizationId, activity, body }) => {
      if (activity === undefined) return utf8(body ?? '');
      const found = await activityOf(organizationId, activity);
      // Nobody in particular looks at it: what can still be voted on is said to be so.
      const canVote = isOpen(found);
      const viewer = { canApprove: canVote, canReject: canVote, timestampObjects: true };
      return utf8(JSON.stringify(activityView(withoutBearers(found), viewer)));
    },
  };
}
