// The types of webhook events, in one table.

import type { WebhookEventType } from '../base/enums.ts';
import { table } from '../base/table.ts';

/** The filters of a subscription; each is a list of accepted values. */
const filterNames = [
  'activityTypes',
  'statuses',
  'resources',
  'organizationIds',
  'chains',
  'addresses',
  'assets',
  'directions',
] as const;
export type FilterName = (typeof filterNames)[number];

type EventType = {
  /**
   * `tree`: only a parent organization may subscribe, and receives the events of all its sub-organizations.
   */
  readonly owner: 'any' | 'tree';
  readonly filters: readonly FilterName[];
  readonly summary: string;
};

const ofBalances = ['organizationIds', 'chains', 'addresses', 'assets', 'directions'] as const;

export const webhookEventTypes = table<EventType>()<WebhookEventType>({
  ACTIVITY_UPDATES: {
    owner: 'any',
    filters: ['activityTypes', 'statuses', 'resources', 'organizationIds'],
    summary: 'an activity was made, or its status changed; the body is the activity',
  },
  BALANCE_CONFIRMED_UPDATES: {
    owner: 'tree',
    filters: ofBalances,
    summary: 'a deposit to or withdrawal from a wallet account is in a block',
  },
  BALANCE_FINALIZED_UPDATES: {
    owner: 'tree',
    filters: ofBalances,
    summary: 'that block has enough blocks after it',
  },
  SEND_TRANSACTION_STATUS_UPDATES: {
    owner: 'tree',
    filters: ['organizationIds', 'chains', 'statuses'],
    summary: 'a transaction that the service sends was broadcast, included, or failed',
  },
  WEBHOOK_ENDPOINT_UPDATES: {
    owner: 'any',
    filters: ['organizationIds'],
    summary: 'the service made an endpoint inactive, since deliveries to it had failed for long',
  },
});
