import { known } from '../../messages/text.ts';

/** Event types. Endpoints of a sub-organization can subscribe only to those without `isOfParents`. */
export const eventTypes = [
  { name: 'ACTIVITY_UPDATES', isOfParents: false },
  { name: 'BALANCE_CONFIRMED_UPDATES', isOfParents: true },
  { name: 'BALANCE_FINALIZED_UPDATES', isOfParents: true },
  { name: 'SEND_TRANSACTION_STATUS_UPDATES', isOfParents: true },
  { name: 'WEBHOOK_ENDPOINT_UPDATES', isOfParents: false },
] as const;

export const eventText = (eventType: string): string => known(`event.${eventType}`, eventType);
