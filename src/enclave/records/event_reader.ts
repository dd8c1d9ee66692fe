// Opens events of webhook endpoints, and reads the bodies of their deliveries.

import { activityView, isOpen } from '../../core/activity/activity.ts';
import type { RecordedActivity } from '../../core/activity/stored_form.ts';
import { utf8 } from '../../core/base/bytes.ts';
import type { Activity } from '../../core/organization/records/activity.ts';
import type { ActivitySnapshot } from '../../core/organization/records/webhooks.ts';
import { withoutBearers } from '../../operations/activities/bearer_members.ts';
import type { StoredActivity, StoredEvent, StorePort } from '../../store/port.ts';
import { sealMark } from '../keys/sealing.ts';
import { activityEventId, eventAddress, type SealedEvent } from './event_writer.ts';
import { openJson, type RecordCodec, refuseRecord } from './record_codec.ts';
import { activityOfSnapshot } from './snapshots.ts';
import type { Voters } from './voters.ts';

export type EventReader = {
  /** Opens the event of an endpoint. Raises `record_refused` if it differs from the sealed event. */
  open(stored: Omit<StoredEvent, 'createdAtMs'>): SealedEvent;
  /**
   * Begins to read the body of an event. A small body is read at once, together with others; a large body
   * when the returned function is called. That function raises `record_refused` if the data differs from the
   * sealed data.
   */
  beginBody(event: SealedEvent): () => Promise<Uint8Array>;
};

/** Maximum length of an activity's body that is read together with others. */
const togetherBytes = 16 * 1024;

/** A row that was read, if it exists. Undefined if it must be read separately. */
type SmallRow = { readonly row: StoredActivity | undefined } | undefined;

/** Creates the reader of events. */
export function createEventReader({
  store,
  codec,
  voters,
}: {
  readonly store: Pick<StorePort, 'activity' | 'records'>;
  readonly codec: RecordCodec;
  readonly voters: Pick<Voters, 'complete'>;
}): EventReader {
  async function waitingActivity(
    organizationId: string,
    { id, version }: NonNullable<SealedEvent['activity']>,
  ): Promise<Activity> {
    const kind = 'activity_snapshot';
    const place = { organizationId, kind: 'activity', id, version };
    const eventId = activityEventId({ id, version });
    const rows = await store.records({ organizationId, kind, ids: [eventId] });
    const row = rows.find((each) => each.id === eventId && each.kind === kind);
    if (row === undefined) return refuseRecord({ organizationId, kind, id: eventId, version });
    const snapshot = codec.openRecord(organizationId, row) as ActivitySnapshot;
    let recorded: RecordedActivity | undefined;
    if (snapshot.omitsRequest !== undefined) {
      const stored = await store.activity({ organizationId, id });
      if (stored === undefined || stored.id !== id) return refuseRecord(place);
      recorded = codec.openActivity(organizationId, stored);
    }
    return (await activityOfSnapshot(snapshot, recorded, voters)) ?? refuseRecord(place);
  }

  async function activityOf(
    organizationId: string,
    activity: NonNullable<SealedEvent['activity']>,
    small: SmallRow,
  ): Promise<Activity> {
    const { id, version, mark } = activity;
    if (mark === undefined) return waitingActivity(organizationId, activity);
    const row = small === undefined ? await store.activity({ organizationId, id }) : small.row;
    if (row === undefined || row.id !== id || sealMark(row.body) !== mark) {
      return refuseRecord({ organizationId, kind: 'activity', id, version });
    }
    const recorded = codec.openActivity(organizationId, row);
    const [found] = await voters.complete(organizationId, [recorded]);
    return found ?? refuseRecord({ organizationId, kind: 'activity', id, version });
  }

  /**
   * Reads the row of an event's activity if the row is small; returns undefined if it must be read
   * separately.
   */
  async function smallRow({ organizationId, activity }: SealedEvent): Promise<SmallRow> {
    if (activity?.mark === undefined) return undefined;
    const asked = { organizationId, id: activity.id, maximumBytes: togetherBytes };
    const row = await store.activity(asked);
    return row === undefined || row.body.length > 0 ? { row } : undefined;
  }

  return {
    open: (stored) => openJson<SealedEvent>(codec.sealing, eventAddress(stored), stored.body),
    beginBody: (event) => {
      const { organizationId, activity, body } = event;
      if (activity === undefined) return async () => utf8(body ?? '');
      const begun = smallRow(event);
      // The read may fail before it is awaited, where the error is raised.
      begun.catch(() => undefined);
      return async () => {
        const small = await begun;
        const found = await activityOf(organizationId, activity, small);
        // A delivery has no particular viewer, so `canApprove` and `canReject` are true while the activity is
        // open.
        const canVote = isOpen(found);
        const viewer = { canApprove: canVote, canReject: canVote, timestampObjects: true };
        return utf8(JSON.stringify(activityView(withoutBearers(found), viewer)));
      };
    },
  };
}
