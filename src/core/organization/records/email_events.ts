// The records of mails: the events of each at its mail carrier.

import type { Row } from './row.ts';

/** The events of a mail, in the words of the public clients. `Send` and `Bounce` are final. */
export const emailEventTypes = ['Send', 'DeliveryDelay', 'Bounce'] as const;
export type EmailEventType = (typeof emailEventTypes)[number];

/** One thing that the carrier did with a mail; never changed. */
export type EmailEvent = Row & {
  readonly messageId: string;
  readonly eventType: EmailEventType;
  /** Sender address in the mail. */
  readonly fromAddress: string;
  readonly toAddress: string;
  /** Under which the events of an address are grouped: a keyed hash, hex. */
  readonly addressBlind: string;
  /** The carrier's own words for why it did not hand the mail over. */
  readonly reason?: string;
  /** True if a further attempt would fail too. Absent: unknown. */
  readonly isPermanent?: boolean;
};
