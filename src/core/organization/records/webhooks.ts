// Records of webhook endpoints, of their signing keys, and of snapshots of waiting activities.

import type { WebhookEventType, WebhookFormat } from '../../base/enums.ts';
import type { Activity, Vote } from './activity.ts';
import type { Row } from './row.ts';
import type { UserView } from './user_view.ts';

/** The events that a webhook endpoint receives. */
export type WebhookSubscription = {
  readonly eventType: WebhookEventType;
  /** The text as sent; webhooks/filters.ts defines the filters. Default: everything. */
  readonly filtersJson?: string;
  /** Default: true. */
  readonly isActive?: boolean;
};

/** A receiver of events by HTTP, or a store of events to fetch. */
export type WebhookEndpoint = Row & {
  readonly name: string;
  /** Empty for a queue. */
  readonly url: string;
  readonly isActive: boolean;
  readonly subscriptions: readonly WebhookSubscription[];
  /** Default: the event itself. */
  readonly bodyFormat?: WebhookFormat;
  /** Set when the service disabled the endpoint after long failure. */
  readonly disabledAtMs?: number;
};

/** A rotation of the key that signs deliveries. It takes effect with the key of the next epoch. */
export type WebhookKey = Row & {
  /** The key is derived from this number; the first, 1, needs no row. */
  readonly epoch: number;
  readonly signsFromMs: number;
  /** Time from which the previous key is no longer published. */
  readonly retiresEarlierAtMs: number;
};

/** A vote that names the record of its user. Earlier snapshots contain the user. */
export type SnapshotVote = Omit<Vote, 'user'> & {
  readonly voterId?: string;
  readonly user?: UserView;
};

/** Snapshot of an activity when it began to wait for votes, under the ID of its event. */
export type ActivitySnapshot = Row & {
  /** Without evaluations and decisions, which events omit. Earlier snapshots contain them. */
  readonly activity: Omit<Activity, 'votes'> & { readonly votes: readonly SnapshotVote[] };
  /** Set if intent and messages are omitted, because the activity's row contains them. */
  readonly omitsRequest?: true;
};
