// The records of webhooks.

import type { WebhookEventType } from '../../base/enums.ts';
import type { Activity } from './activity.ts';
import type { Row } from './row.ts';

/** The events that a webhook endpoint receives. */
export type WebhookSubscription = {
  readonly eventType: WebhookEventType;
  /** As sent; which filters there are stands in webhooks/filters.ts. Absent: everything. */
  readonly filtersJson?: string;
  /** Absent: true. */
  readonly isActive?: boolean;
};

/** Where events are delivered to, or kept until somebody fetches them. */
export type WebhookEndpoint = Row & {
  readonly name: string;
  /** Empty where nothing is sent. */
  readonly url: string;
  readonly isActive: boolean;
  readonly subscriptions: readonly WebhookSubscription[];
  /** Set where the service itself made it inactive, after it had failed for long. */
  readonly disabledAtMs?: number;
};

/** A change of the key that signs deliveries: from then on the key of the next epoch. */
export type WebhookKey = Row & {
  /** The key is derived from this number; the first, 1, needs no row. */
  readonly epoch: number;
  readonly signsFromMs: number;
  /** When the key before it is no longer published. */
  readonly retiresEarlierAtMs: number;
};

/** An activity as it was when it began to wait for votes, under the id of the event that tells of it. */
export type ActivitySnapshot = Row & { readonly activity: Activity };
