// Records of e-mails: their delivery events at the mail carrier.

import type { Row } from './row.ts';

/** Delivery events under the names of the public clients. `Send` and `Bounce` are final. */
export const emailEventTypes = ['Send', 'DeliveryDelay', 'Bounce'] as const;
export type EmailEventType = (typeof emailEventTypes)[number];

/** A delivery event of an e-mail. Immutable. */
export type EmailEvent = Row & {
  readonly messageId: string;
  readonly eventType: EmailEventType;
  /** Sender address in the mail. */
  readonly fromAddress: string;
  readonly toAddress: string;
  /** Groups the events of an address: a keyed hash, hex. */
  readonly addressBlind: string;
  /** The carrier's reason why it did not deliver the e-mail. */
  readonly reason?: string;
  /** True if another attempt would fail too. Undefined if unknown. */
  readonly isPermanent?: boolean;
};
