// Delivery events of an e-mail, in the forms of the gateway's reports and of the API.

import { checkEmail } from '../organization/indexes/contacts.ts';
import {
  type EmailEvent,
  type EmailEventType,
  emailEventTypes,
} from '../organization/records/email_events.ts';

/** Upper bounds of stored events. */
export const emailEventLimits = {
  /** Lifetime of an event. Older events are not shown, and removed when new events arrive. */
  keptMs: 90 * 24 * 60 * 60 * 1000,
  /** Maximum number of events of one address; a new event replaces the oldest. */
  ofAddress: 200,
  reasonCharacters: 100,
} as const;

/** The gateway's report about an e-mail. */
type EmailSeen = {
  readonly messageId: string;
  readonly eventType: string;
  readonly from: string;
  readonly to: string;
  readonly reason: string | undefined;
  readonly isPermanent: boolean | undefined;
};

type Fresh = Pick<EmailEvent, 'id' | 'addressBlind'> & { readonly now: number };

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
/** One line of ASCII, for reports of carriers and addresses. */
const line = /^[\x20-\x7e]+$/;
const maximumSenderCharacters = 320;

/**
 * Returns the event to store for a report of the gateway; undefined if the report is invalid. Raises
 * `email_invalid`.
 */
export function newEmailEvent(seen: EmailSeen, fresh: Fresh): EmailEvent | undefined {
  const { messageId, from, to, reason, isPermanent } = seen;
  const eventType = emailEventTypes.find((type) => type === seen.eventType);
  const isWellFormed =
    uuid.test(messageId) &&
    isLine(from, maximumSenderCharacters) &&
    (reason === undefined || isLine(reason, emailEventLimits.reasonCharacters));
  if (eventType === undefined || !isWellFormed) return undefined;
  const { id, addressBlind, now } = fresh;
  return {
    id,
    messageId,
    eventType,
    fromAddress: from,
    toAddress: checkEmail(to, 'to'),
    addressBlind,
    ...(reason === undefined ? {} : { reason }),
    ...(isPermanent === undefined ? {} : { isPermanent }),
    createdAtMs: now,
    updatedAtMs: now,
  };
}

/** Returns the normalized address; letter case does not matter. */
export function sameAddress(address: string): string {
  return address.toLowerCase();
}

/** Returns an event in the form of the public clients. */
export function emailEventView(event: EmailEvent, organizationId: string) {
  const { id, messageId, eventType, fromAddress, toAddress, createdAtMs } = event;
  const timestamp = String(createdAtMs);
  return {
    id,
    organizationId,
    messageId,
    eventType,
    fromAddress,
    toAddress,
    senderTenant: '',
    timestamp,
    createdAt: timestamp,
    details: { ...noDetails, ...details[eventType](event) },
  };
}

/** Typed clients require all members. */
const noDetails = {
  bounceType: '',
  bounceSubType: '',
  diagnosticCode: '',
  deliverySmtpResponse: '',
  deliveryDelayType: '',
  complaintFeedbackType: '',
} as const;

type Why = Pick<EmailEvent, 'reason' | 'isPermanent'>;
type Details = {
  readonly bounceType?: string;
  readonly bounceSubType?: string;
  readonly diagnosticCode?: string;
  readonly deliveryDelayType?: string;
};

const details: Readonly<Record<EmailEventType, (why: Why) => Details>> = {
  Send: () => ({}),
  DeliveryDelay: ({ reason }) => ({
    deliveryDelayType: delayTypeOf(reason),
    ...diagnostic(reason),
  }),
  Bounce: ({ reason, isPermanent }) => ({
    ...(isPermanent === undefined
      ? { bounceType: 'Undetermined', bounceSubType: 'Undetermined' }
      : { bounceType: isPermanent ? 'Permanent' : 'Transient', bounceSubType: 'General' }),
    ...diagnostic(reason),
  }),
};

const diagnostic = (reason: string | undefined): Details =>
  reason === undefined ? {} : { diagnosticCode: reason };

/** A mail server that returned a status was reached. */
function delayTypeOf(reason: string | undefined): string {
  return / [2-5][0-9]{2}$/.test(reason ?? '') ? 'General' : 'TransientCommunicationFailure';
}

function isLine(text: string, maximumCharacters: number): boolean {
  return text.length <= maximumCharacters && line.test(text);
}
