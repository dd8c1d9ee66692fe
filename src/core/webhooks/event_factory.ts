// Creates events with the facts that filters read.

import type { BalanceChange } from '../balances/transfers.ts';
import type { Activity } from '../organization/records/activity.ts';
import type { WebhookEvent } from './subscribers.ts';

/** Returns the event of a new activity or a changed status; its resource is that of the activity's type. */
export function activityWebhookEvent(
  activity: Activity,
  resource: string | undefined,
): WebhookEvent {
  return {
    type: 'ACTIVITY_UPDATES',
    facts: {
      activityTypes: [activity.type],
      statuses: [activity.status],
      resources: resource === undefined ? [] : [resource],
      organizationIds: [activity.organizationId],
    },
  };
}

/** Event types of deposits and withdrawals. */
export const balanceEventTypes = {
  confirmed: 'BALANCE_CONFIRMED_UPDATES',
  finalized: 'BALANCE_FINALIZED_UPDATES',
} as const;

/** Returns the event of a deposit or withdrawal in a block (`confirmed`) or in a final block. */
export function balanceWebhookEvent(
  stage: 'confirmed' | 'finalized',
  { organizationId, msg }: BalanceChange,
): WebhookEvent {
  return {
    type: balanceEventTypes[stage],
    facts: {
      organizationIds: [organizationId],
      chains: [msg.caip2],
      addresses: [msg.address],
      assets: [msg.asset.symbol, msg.asset.caip19],
      directions: [msg.operation],
    },
  };
}

/** The status of a transaction that the service sends. */
type SendStatus = {
  readonly organizationId: string;
  readonly msg: {
    readonly status: 'BROADCASTING' | 'INCLUDED' | 'FAILED';
    readonly caip2: string;
  };
};

export function sendWebhookEvent({ organizationId, msg }: SendStatus): WebhookEvent {
  return {
    type: 'SEND_TRANSACTION_STATUS_UPDATES',
    facts: { organizationIds: [organizationId], chains: [msg.caip2], statuses: [msg.status] },
  };
}
