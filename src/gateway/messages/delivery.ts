// Delivers messages to their carriers in the background. Waiting messages are in memory only: a code lives
// for minutes, and a user can request another.

import type {
  EmailReference,
  OutgoingEmail,
  OutgoingMessage,
  OutgoingSms,
} from '../../core/external/outgoing_message.ts';
import type { EmailEventType } from '../../core/organization/records/email_events.ts';
import type { Log } from '../observability/log.ts';
import type { Carrier } from './carrier.ts';
import { createRecipientLimits } from './recipient_limits.ts';
import {
  type After,
  createSendingQueue,
  type SendingJob,
  type SendingOutcome,
  type SendingQueue,
  type SendingQueuePorts,
} from './sending_queue.ts';

type MessageChannel = OutgoingMessage['channel'];

/** The report of a carrier about a mail. */
export type EmailReport = EmailReference & {
  readonly eventType: EmailEventType;
  readonly from: string;
  readonly to: string;
  /** The carrier's reason for a failure; undefined if it accepted the mail. */
  readonly reason: string | undefined;
  /** True if a further attempt would fail too; undefined if unknown. */
  readonly isPermanent: boolean | undefined;
};

export type DeliveryOptions = {
  /** If absent, messages of this kind cannot be sent. */
  readonly email?: Carrier<OutgoingEmail> | undefined;
  readonly sms?: Carrier<OutgoingSms> | undefined;
  readonly log: Log;
  /** Called once for each message, for metrics. */
  readonly finished: (channel: MessageChannel, outcome: SendingOutcome) => void;
  /** Called for each mail with a reference, without waiting. Optional. */
  readonly report?: ((report: EmailReport) => void) | undefined;
  /** Sender of mails without their own. */
  readonly emailFrom?: string | undefined;
  readonly after: After;
  /** Monotonic clock in milliseconds. */
  readonly now: () => number;
};

export type MessageDelivery = {
  /** Queues a message, and returns immediately. */
  deliver(message: OutgoingMessage): void;
  /**
   * Accepts no more messages. Waiting messages get their last attempt now. Attempts that take longer than the
   * given time are dropped.
   */
  stop(timeoutMs: number): Promise<void>;
};

type Job = SendingJob & {
  readonly channel: MessageChannel;
  /** Shortened contact for the log. */
  readonly to: string;
  readonly report: Report;
};

type Report = (what: Pick<EmailReport, 'eventType' | 'reason' | 'isPermanent'>) => void;

/** Creates an idle delivery. */
export function createMessageDelivery(options: DeliveryOptions): MessageDelivery {
  const recipients = createRecipientLimits(options.now);
  const reporters = createReporters(options);
  const newQueue = () => createSendingQueue<Job>({ after: options.after, ...reporters });
  // Carriers have separate places, so a silent carrier does not delay messages of another.
  const queues: Readonly<Record<MessageChannel, SendingQueue<Job>>> = {
    email: newQueue(),
    sms: newQueue(),
  };
  let serial = 0;
  return {
    deliver: (message) => {
      const { channel, account = '' } = message;
      serial += 1;
      const send = senderOf(message, options);
      const report = reportOf(message, options);
      const to = shortContact(message.to);
      const job = { channel, to, account, serial, report, send, attempts: 0 };
      if (options[channel] === undefined) reporters.end(job, 'failed', { reason: 'no carrier' });
      else if (!recipients.admit({ account, to: message.to })) {
        reporters.end(job, 'dropped', { reason: 'too many messages to this recipient' });
      } else queues[channel].add(job);
    },
    stop: async (timeoutMs) => {
      await Promise.all([queues.email.stop(timeoutMs), queues.sms.stop(timeoutMs)]);
    },
  };
}

/** Creates the functions that count, report and log the outcome of a job. */
function createReporters({
  log,
  finished,
}: Pick<DeliveryOptions, 'log' | 'finished'>): Pick<SendingQueuePorts<Job>, 'end' | 'delayed'> {
  return {
    end: ({ channel, to, attempts, report }, outcome, failure) => {
      const { reason, isPermanent } = failure ?? {};
      finished(channel, outcome);
      report({ eventType: outcome === 'sent' ? 'Send' : 'Bounce', reason, isPermanent });
      if (reason === undefined) log('info', 'a message was sent', { channel, to, attempts });
      else log('warn', `a message was ${notSent[outcome]}`, { channel, to, attempts, reason });
    },
    delayed: ({ channel, to, attempts, report }, { reason, isPermanent, pauseMs }) => {
      report({ eventType: 'DeliveryDelay', reason, isPermanent });
      log('warn', 'a message will be tried again', { channel, to, attempts, reason, pauseMs });
    },
  };
}

/** Shortens a contact beyond recognition: `n…@example.com`, `+1…23`. */
export function shortContact(contact: string): string {
  const at = contact.lastIndexOf('@');
  if (at > 0) return `${contact.slice(0, 1)}…${contact.slice(at)}`;
  return contact.startsWith('+') && contact.length > 6
    ? `${contact.slice(0, 2)}…${contact.slice(-2)}`
    : '…';
}

/** Uses the timers of the process. */
export const afterDelay: After = (delayMs, run) => {
  const timer = setTimeout(run, delayMs);
  return () => clearTimeout(timer);
};

const notSent = { sent: 'sent', failed: 'not sent', dropped: 'dropped' } as const;

/** Reports a mail that has a reference. */
function reportOf(
  message: OutgoingMessage,
  { report, emailFrom = '' }: Pick<DeliveryOptions, 'report' | 'emailFrom'>,
): Report {
  if (message.channel !== 'email' || message.reference === undefined || report === undefined) {
    return () => undefined;
  }
  const { reference, from = emailFrom, to } = message;
  return (what) => report({ ...reference, from, to, ...what });
}

function senderOf(
  message: OutgoingMessage,
  { email, sms }: Pick<DeliveryOptions, 'email' | 'sms'>,
): Job['send'] {
  return message.channel === 'email'
    ? async (signal) => email?.send(message, signal)
    : async (signal) => sms?.send(message, signal);
}
