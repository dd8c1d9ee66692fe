import { emailEventLimits, emailEventView } from '../../core/external/email_events.ts';
import { checkEmail, maximumEmailCharacters } from '../../core/organization/indexes/contacts.ts';
import {
  answerList,
  answerText,
  object,
  oneOf,
  optionalOrEmpty,
  text,
} from '../../core/schema/schema.ts';
import { query } from '../operation.ts';
import { isFromEnd, pageOf } from '../page.ts';
import { pagination } from '../shapes.ts';

/** Types in public clients. The last two never occur, because carriers do not report them. */
const knownTypes = ['Send', 'DeliveryDelay', 'Bounce', 'Delivery', 'Complaint'] as const;

const emailEvent = () =>
  object({
    id: answerText(),
    organizationId: answerText(),
    messageId: answerText(),
    eventType: answerText(),
    fromAddress: answerText(),
    toAddress: answerText(),
    senderTenant: answerText(),
    timestamp: answerText(),
    createdAt: answerText(),
    details: object({
      bounceType: answerText(),
      bounceSubType: answerText(),
      diagnosticCode: answerText(),
      deliverySmtpResponse: answerText(),
      deliveryDelayType: answerText(),
      complaintFeedbackType: answerText(),
    }),
  });

export const list_email_events = query({
  summary: 'Lists the outcomes of mails to an address in the last 90 days, newest first.',
  body: object({
    email: text({ minimum: 1, maximum: maximumEmailCharacters }),
    eventType: optionalOrEmpty(oneOf(knownTypes)),
    paginationOptions: pagination(),
  }),
  response: object({ emailEvents: answerList(emailEvent()) }),

  answer: async ({ organization, body, read, services }) => {
    const { email, eventType, paginationOptions } = body;
    const since = services.clock() - emailEventLimits.keptMs;
    const { limit, before, after } = pageOf(paginationOptions);
    const events = (await read.emailEvents(checkEmail(email, 'email'))).filter(
      (event) =>
        event.createdAtMs >= since &&
        (eventType === undefined || event.eventType === eventType) &&
        (after === undefined || event.id < after) &&
        (before === undefined || event.id > before),
    );
    const page = isFromEnd({ before, after }) ? events.slice(-limit) : events.slice(0, limit);
    return { emailEvents: page.map((event) => emailEventView(event, organization.id)) };
  },
});
