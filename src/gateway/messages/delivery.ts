// Brings messages to their carriers, beside the requests that asked for them. What waits is in memory
// alone: a code lives for minutes, and who misses one asks for another.

import type {
  EmailReference,
  OutgoingEmail,
  OutgoingMessage,
  OutgoingSms,
} from '../../core/external/outgoing_message.ts';
import type { EmailEventType } from '../../core/organization/records/email_events.ts';
import type { Log } from '../log.ts';
import { type Carrier, CarrierError } from './carrier.ts';
import { createRecipientLimits } from './recipient_limits.ts';
import { createWaitingMessages, type WaitingMessage } from './waiting_messages.ts';

/** Upper bounds of a delivery. */
export const deliveryLimits = {
  /** Messages that wait, for a carrier or for their next attempt. */
  waiting: 1_000,
  /** Messages that are with a carrier at one time. */
  underWay: 4,
  attemptTimeoutMs: 30_000,
  /** Before the second attempt, and before the third, which is the last. */
  pausesMs: [1_000, 10_000],
} as const;

export type MessageChannel = OutgoingMessage['channel'];
export type MessageOutcome = 'sent' | 'failed' | 'dropped';

/** Calls back once after a time, unless cancelled by calling what it gives. */
export type After = (delayMs: number, run: () => void) => () => void;

/** The report of a carrier about a mail. */
export type EmailReport = EmailReference & {
  readonly eventType: EmailEventType;
  readonly from: string;
  readonly to: string;
  /** Of the carrier; absent: it took the mail over. */
  readonly reason: string | undefined;
  /** True if a further attempt would end in the same way; undefined: nobody knows. */
  readonly isPermanent: boolean | undefined;
};

export type DeliveryOptions = {
  /** Absent: messages of this kind cannot be sent. */
  readonly email?: Carrier<OutgoingEmail> | undefined;
  readonly sms?: Carrier<OutgoingSms> | undefined;
  readonly log: Log;
  /** Told once of each message, for the numbers. */
  readonly finished: (channel: MessageChannel, outcome: MessageOutcome) => void;
  /** Told of each mail that has a reference: it never waits. Absent: nobody is told. */
  readonly report?: ((report: EmailReport) => void) | undefined;
  /** Sender of mails that name none. */
  readonly emailFrom?: string | undefined;
  readonly after: After;
  /** Never goes back: milliseconds since any moment. */
  readonly now: () => number;
};

export type MessageDelivery = {
  /** Takes a message over, and returns at once. */
  deliver(message: OutgoingMessage): void;
  /**
   * Takes no more. What waits for its next attempt gets it now, as its last. What has not ended after
   * the given time is dropped.
   */
  stop(timeoutMs: number): Promise<void>;
};

type Job = WaitingMessage & {
  readonly channel: MessageChannel;
  /** Shortened, for the log. */
  readonly to: string;
  readonly send: (signal: AbortSignal) => Promise<void>;
  readonly report: Report;
  attempts: number;
};

type Report = (what: Pick<EmailReport, 'eventType' | 'reason' | 'isPermanent'>) => void;
type Ended = Pick<Job, 'channel' | 'to' | 'attempts' | 'report'>;

/** A delivery with nothing to do yet. */
export function createMessageDelivery(options: DeliveryOptions): MessageDelivery {
  const { after } = options;
  const recipients = createRecipientLimits(options.now);
  const end = createEndings(options);
  const waiting = createWaitingMessages<Job>(after);
  const underWay = new Set<AbortController>();
  let serial = 0;
  let stopping: PromiseWithResolvers<void> | undefined;

  function deliver(message: OutgoingMessage): void {
    const send = senderOf(message, options);
    serial += 1;
    const { channel, account = '' } = message;
    const to = shortContact(message.to);
    const report = reportOf(message, options);
    const job = { channel, to, account, serial, report, attempts: 0 };
    if (send === undefined) end(job, 'failed', { reason: 'no carrier' });
    else if (stopping !== undefined) end(job, 'dropped', { reason: 'stopping' });
    else if (!recipients.admit({ account, to: message.to })) {
      end(job, 'dropped', { reason: 'too many messages to this recipient' });
    } else {
      waiting.add({ ...job, send });
      start();
    }
  }

  function start(): void {
    while (underWay.size < deliveryLimits.underWay) {
      const job = waiting.takeReady();
      if (job === undefined) break;
      void attempt(job);
    }
    if (waiting.count() > deliveryLimits.waiting) {
      const oldest = waiting.takeOldest();
      if (oldest !== undefined) end(oldest, 'dropped', { reason: 'too many messages wait' });
    }
    if (underWay.size === 0) stopping?.resolve();
  }

  async function attempt(job: Job): Promise<void> {
    job.attempts += 1;
    const controller = new AbortController();
    underWay.add(controller);
    const cancel = after(deliveryLimits.attemptTimeoutMs, () => controller.abort());
    try {
      await unlessAborted(job.send(controller.signal), controller.signal);
      end(job, 'sent');
    } catch (error) {
      retryOrEnd(job, error instanceof CarrierError ? error : unexpected(error));
    } finally {
      cancel();
      underWay.delete(controller);
      start();
    }
  }

  function retryOrEnd(job: Job, { reason, isPermanent }: CarrierError): void {
    const { channel, to, attempts } = job;
    const pauseMs = deliveryLimits.pausesMs[attempts - 1];
    if (pauseMs === undefined || isPermanent || stopping !== undefined) {
      end(job, 'failed', { reason, isPermanent });
      return;
    }
    job.report({ eventType: 'DeliveryDelay', reason, isPermanent });
    options.log('warn', 'a message will be tried again', {
      channel,
      to,
      attempts,
      reason,
      pauseMs,
    });
    waiting.pause(job, pauseMs, start);
  }

  async function stop(timeoutMs: number): Promise<void> {
    if (stopping !== undefined) return stopping.promise;
    stopping = Promise.withResolvers();
    waiting.endPauses();
    start();
    const cancel = after(timeoutMs, () => {
      for (const job of waiting.takeAllReady()) end(job, 'dropped', { reason: 'stopping' });
      for (const controller of underWay) controller.abort();
    });
    await stopping.promise;
    cancel();
  }

  return { deliver, stop };
}

/** Creates a function that counts, reports and logs the end of a job. */
function createEndings({ log, finished }: Pick<DeliveryOptions, 'log' | 'finished'>) {
  return (
    { channel, to, attempts, report }: Ended,
    outcome: MessageOutcome,
    failure?: { readonly reason: string; readonly isPermanent?: boolean },
  ): void => {
    const { reason, isPermanent } = failure ?? {};
    finished(channel, outcome);
    report({ eventType: outcome === 'sent' ? 'Send' : 'Bounce', reason, isPermanent });
    if (reason === undefined) log('info', 'a message was sent', { channel, to, attempts });
    else log('warn', `a message was ${notSent[outcome]}`, { channel, to, attempts, reason });
  };
}

/** A contact from which nobody is recognized: `n…@example.com`, `+1…23`. */
export function shortContact(contact: string): string {
  const at = contact.lastIndexOf('@');
  if (at > 0) return `${contact.slice(0, 1)}…${contact.slice(at)}`;
  return contact.startsWith('+') && contact.length > 6
    ? `${contact.slice(0, 2)}…${contact.slice(-2)}`
    : '…';
}

/** Of the process. */
export const afterDelay: After = (delayMs, run) => {
  const timer = setTimeout(run, delayMs);
  return () => clearTimeout(timer);
};

const notSent = { sent: 'sent', failed: 'not sent', dropped: 'dropped' } as const;

/** Tells of a mail that has a reference. */
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
): Job['send'] | undefined {
  if (message.channel === 'email') {
    return email === undefined ? undefined : (signal) => email.send(message, signal);
  }
  return sms === undefined ? undefined : (signal) => sms.send(message, signal);
}

/** A carrier that does not listen to its signal must not hold its place for ever. */
async function unlessAborted(sending: Promise<void>, signal: AbortSignal): Promise<void> {
  const aborted = Promise.withResolvers<never>();
  signal.addEventListener('abort', () => aborted.reject(new CarrierError('timeout', false)), {
    once: true,
  });
  await Promise.race([sending, aborted.promise]);
}

/** Its message may quote what was sent. */
function unexpected(error: unknown): CarrierError {
  return new CarrierError(`unexpected ${error instanceof Error ? error.name : 'error'}`, false);
}
