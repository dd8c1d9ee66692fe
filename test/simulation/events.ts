// Checks the webhook events of each change by independent rules: the subscribed endpoints, the
// organizations that they cover, and the content of each event.

import type { Activity } from '../../src/core/organization/records/activity.ts';
import type { WebhookEndpoint } from '../../src/core/organization/records/webhooks.ts';
import { featureEndpointOf } from '../../src/core/webhooks/feature_endpoint.ts';
import { sealMark } from '../../src/enclave/keys/sealing.ts';
import { eventAddress, type SealedEvent } from '../../src/enclave/records/event_writer.ts';
import { openJson, type RecordCodec } from '../../src/enclave/records/record_codec.ts';
import type { StoreChange } from '../../src/store/port.ts';
import { type TrueState, waitingStatuses } from './true_state.ts';

/**
 * Returns complaints about the events of a change; `parent` is the current state of the parent
 * organization.
 */
export function eventComplaints(
  change: StoreChange,
  of: {
    readonly activity: Activity;
    /** The activity before the change. */
    readonly earlier: Activity | undefined;
    readonly after: TrueState;
    readonly parent: TrueState | undefined;
    readonly codec: RecordCodec;
  },
): string[] {
  const { activity, earlier, after, parent, codec } = of;
  const isNews = earlier?.status !== activity.status;
  const owners = isNews ? [after, ...(parent === undefined ? [] : [parent])] : [];
  const hearers = owners.flatMap((owner) => [
    ...[...owner.rows.webhook_endpoint.values()]
      .filter((endpoint) => hears(endpoint, activity))
      .map((endpoint) => `${owner.id}/${endpoint.id}`),
    ...owner.head.features
      .filter(({ name }) => name === 'FEATURE_NAME_WEBHOOK')
      .map(() => `${owner.id}/${featureEndpointOf(owner)?.id}`),
  ]);
  const told = change.events.map(
    ({ organizationId, endpointId }) => `${organizationId}/${endpointId}`,
  );
  if (JSON.stringify(told.toSorted()) !== JSON.stringify(hearers.toSorted())) {
    return [`told ${told}, expected ${hearers}`];
  }
  const complaints: string[] = [];
  const isDecided = !waitingStatuses.includes(activity.status);
  const [row] = change.activities;
  for (const stored of change.events) {
    const event = openJson<SealedEvent>(codec.sealing, eventAddress(stored), stored.body);
    const { id, version, mark } = event.activity ?? {};
    const isOfActivity = id === activity.id && version === activity.version;
    const seal = isDecided && row !== undefined ? sealMark(row.body) : undefined;
    if (event.organizationId !== activity.organizationId || !isOfActivity || mark !== seal) {
      complaints.push(`an event says ${JSON.stringify(event)}`);
    }
  }
  const snapshots = change.records.filter(({ kind }) => kind === 'activity_snapshot');
  const wanted = told.length > 0 && !isDecided ? 1 : 0;
  if (snapshots.length !== wanted) complaints.push(`${snapshots.length} snapshots`);
  return complaints;
}

/** Returns true if an endpoint receives the event. Simulations filter only by status. */
function hears({ isActive, subscriptions }: WebhookEndpoint, { status }: Activity): boolean {
  return (
    isActive &&
    subscriptions.some(({ eventType, filtersJson = '{}', ...subscription }) => {
      const { statuses } = JSON.parse(filtersJson);
      return (
        eventType === 'ACTIVITY_UPDATES' &&
        subscription.isActive !== false &&
        (statuses === undefined || statuses.includes(status))
      );
    })
  );
}
