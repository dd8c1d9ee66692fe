// What endpoints can be told of.

import { known } from '../../messages/text.ts';

/** Whether an organization that has a parent may subscribe: the others are told to parents alone. */
export const eventTypes = [
  { name: 'ACTIVITY_UPDATES', isOfParents: false },
  { name: 'BALANCE_CONFIRMED_UPDATES', isOfParents: true },
  { name: 'BALANCE_FINALIZED_UPDATES', isOfParents: true },
  { name: 'SEND_TRANSACTION_STATUS_UPDATES', isOfParents: true },
  { name: 'WEBHOOK_ENDPOINT_UPDATES', isOfParents: false },
] as const;

export const eventText = (eventType: string): string => known(`event.${eventType}`, eventType);
