// Creates events for webhook endpoints, sealed together with their change.

import { isOpen } from '../../core/activity/activity.ts';
import type { RecordedActivity } from '../../core/activity/stored_form.ts';
import { hex, utf8 } from '../../core/base/bytes.ts';
import type { ActivityStatus, WebhookEventType } from '../../core/base/enums.ts';
import { sha256 } from '../../core/crypto/hashes.ts';
import type { Activity } from '../../core/organization/records/activity.ts';
import type { OrganizationState } from '../../core/organization/state.ts';
import { activityWebhookEvent } from '../../core/webhooks/event_factory.ts';
import {
  haveEndpoints,
  type Subscriber,
  subscribersOf,
  type WebhookEvent,
} from '../../core/webhooks/subscribers.ts';
import type { StoredActivity, StoredEvent, StoredRecord } from '../../store/port.ts';
import { type RecordAddress, sealMark } from '../keys/sealing.ts';
import type { RecordCodec } from './record_codec.ts';
import { snapshotOf } from './snapshots.ts';

/** The content of an event's sealed body. */
export type SealedEvent = {
  readonly type: WebhookEventType;
  readonly organizationId: string;
  /**
   * The activity of the event. A decided activity does not change, so the event refers to its row by version
   * and seal mark; a waiting activity is stored as a snapshot.
   */
  readonly activity?: {
    readonly id: string;
    readonly version: number;
    readonly mark?: string;
  };
  /** The final body of an event without an activity. */
  readonly body?: string;
};

/** Additional rows of a change for its events. */
type EventRows = {
  readonly events: readonly StoredEvent[];
  readonly records: readonly StoredRecord[];
};

/** An event without an activity, and its body. */
export type ServiceEvent = WebhookEvent & {
  readonly id: string;
  readonly body: string;
  readonly atMs: number;
};

type ChangedActivity = {
  readonly activity: Activity;
  /** Undefined for a new activity. */
  readonly statusBefore: ActivityStatus | undefined;
  readonly sealed: StoredActivity;
  /** The activity in its stored form, whose votes refer to the records of users. */
  readonly recorded: RecordedActivity;
};

export type EventWriter = {
  /** Creates the events of a new or changed activity; `after` is its organization after the change. */
  ofActivity(
    changed: ChangedActivity,
    after: OrganizationState,
    parent: OrganizationState | undefined,
  ): EventRows;
  of(
    event: ServiceEvent,
    organization: OrganizationState,
    parent: OrganizationState | undefined,
  ): readonly StoredEvent[];
};

const none: EventRows = { events: [], records: [] };

/** `resourceOf` returns the resource of an activity type. */
export function createEventWriter(
  codec: RecordCodec,
  resourceOf: (type: string) => string | undefined,
): EventWriter {
  function sealedFor(
    subscribers: readonly Subscriber[],
    eventId: string,
    createdAtMs: number,
    event: SealedEvent,
  ): readonly StoredEvent[] {
    const plaintext = utf8(JSON.stringify(event));
    return subscribers.map(({ organizationId, endpoint: { id: endpointId } }) => {
      const place = eventAddress({ organizationId, endpointId, eventId });
      const body = codec.sealing.seal(place, plaintext);
      return { endpointId, organizationId, eventId, createdAtMs, body };
    });
  }

  return {
    ofActivity: ({ activity, statusBefore, sealed, recorded }, after, parent) => {
      // A further vote may leave the status unchanged.
      if (activity.status === statusBefore || !haveEndpoints(after, parent)) return none;
      const subscribers = subscribersOf(
        activityWebhookEvent(activity, resourceOf(activity.type)),
        after,
        parent,
      );
      if (subscribers.length === 0) return none;
      const { id, version, organizationId, updatedAtMs } = activity;
      const eventId = activityEventId(activity);
      const mark = isOpen(activity) ? {} : { mark: sealMark(sealed.body) };
      const type = 'ACTIVITY_UPDATES';
      return {
        events: sealedFor(subscribers, eventId, updatedAtMs, {
          type,
          organizationId,
          activity: { id, version, ...mark },
        }),
        records: isOpen(activity) ? [snapshotRowOf(recorded, eventId)] : [],
      };
    },
    of: ({ type, facts, id, body, atMs }, organization, parent) => {
      const subscribers = subscribersOf({ type, facts }, organization, parent);
      const { id: organizationId } = organization;
      return sealedFor(subscribers, id, atMs, { type, organizationId, body });
    },
  };

  function snapshotRowOf(activity: RecordedActivity, eventId: string): StoredRecord {
    const { organizationId, createdAtMs, updatedAtMs } = activity;
    const row = { id: eventId, ...snapshotOf(activity), createdAtMs, updatedAtMs };
    return codec.sealRecord(organizationId, 'activity_snapshot', row, activity.version);
  }
}

/** Returns the address of the sealed body of an event. */
export function eventAddress({
  organizationId,
  endpointId,
  eventId,
}: Pick<StoredEvent, 'organizationId' | 'endpointId' | 'eventId'>): RecordAddress {
  return { organizationId, kind: 'webhook_event', id: `${endpointId}/${eventId}`, version: 1 };
}

/**
 * Returns a UUIDv8 (RFC 9562) derived from the activity and its version. It begins with the time of the
 * activity, like the activity's id.
 */
export function activityEventId({ id, version }: Pick<Activity, 'id' | 'version'>): string {
  const digits = hex(sha256(utf8(`event/${id}/${version}`)).subarray(0, 8));
  return `${id.slice(0, 14)}8${id.slice(15, 18)}-8${digits.slice(0, 3)}-${digits.slice(3, 15)}`;
}
