// Decides from the settings where messages go.

import type { OutgoingMessage } from '../../core/external/outgoing_message.ts';
import { UnusableDataError } from '../../store/unusable_data_error.ts';
import { monotonicClock } from '../base/clock.ts';
import type { Log } from '../observability/log.ts';
import type { Tracing } from '../traces/tracing.ts';
import {
  afterDelay,
  createMessageDelivery,
  type DeliveryOptions,
  type MessageDelivery,
} from './delivery.ts';
import { createDevelopmentInbox, type DevelopmentInbox } from './development_inbox.ts';
import { createEmailReports, type EmailReportPorts } from './email_reports.ts';
import { isLoopbackHost } from './loopback.ts';
import { createSmsCarrier, type SendRequest } from './sms.ts';
import { defaultSender, isBareAddress, readSmtpUrl, smtpUrlForm } from './smtp_url.ts';
import { tracedCarrier } from './traced_carrier.ts';

export type MessageSettings = {
  /** Address that the API listens on. */
  readonly host: string;
  /** Number of proxies in front of the service. */
  readonly trustedProxies: number;
  readonly smtpUrl: string | undefined;
  /** Sender of e-mails that name none. */
  readonly emailFrom: string | undefined;
  readonly smsUrl: string | undefined;
  readonly smsToken: string | undefined;
};

export type Messages = MessageDelivery & {
  /** Absent if codes must not be visible. */
  readonly inbox: DevelopmentInbox | undefined;
  /** The ways in which messages can be sent, the inbox included. */
  readonly channels: readonly OutgoingMessage['channel'][];
};

/**
 * Opens the carriers that the settings name: a mail server and a provider of text messages. On loopback and
 * without a mail server, the inbox replaces the missing carriers. Raises UnusableDataError for an address, of
 * the mail server or of the sender, that cannot be read.
 */
export async function openMessages(
  settings: MessageSettings,
  parts: {
    readonly log: Log;
    readonly clock: () => number;
    readonly random: (lengthBytes: number) => Uint8Array;
    readonly finished: DeliveryOptions['finished'];
    readonly send: SendRequest;
    /** Traces e-mails; `send` is traced by who gives it. */
    readonly tracing: Tracing;
    /** Stores the outcome of a mail. */
    readonly tell: EmailReportPorts['tell'];
  },
): Promise<Messages> {
  const { log, clock, random, finished, send, tracing, tell } = parts;
  const { smsUrl, smsToken } = settings;
  const inbox = hasInbox(settings) ? createDevelopmentInbox(log, clock, random) : undefined;
  const mailer = await mailerOf(settings);
  const email =
    mailer === undefined ? inbox?.carrier : tracedCarrier(mailer.carrier, tracing, 'email');
  const sms =
    smsUrl === undefined
      ? inbox?.carrier
      : createSmsCarrier({ url: smsUrl, token: smsToken }, send);
  const after = afterDelay;
  const reports = createEmailReports({ tell, log, after });
  const delivery = createMessageDelivery({
    email,
    sms,
    log,
    finished,
    after,
    now: monotonicClock.now,
    report: reports.add,
    emailFrom: mailer?.from ?? inboxSender,
  });
  const channels = [
    ...(email === undefined ? [] : (['email'] as const)),
    ...(sms === undefined ? [] : (['sms'] as const)),
  ];
  const stop = async (timeoutMs: number) => {
    await delivery.stop(timeoutMs);
    reports.stop();
  };
  return { ...delivery, stop, inbox, channels };
}

/**
 * Returns true if the deployment is one for development: it sends no mail and serves this machine
 * alone.
 */
function hasInbox({
  host,
  smtpUrl,
  trustedProxies,
}: Pick<MessageSettings, 'host' | 'smtpUrl' | 'trustedProxies'>): boolean {
  // Behind a proxy the loopback address does not identify the caller.
  return smtpUrl === undefined && isLoopbackHost(host) && trustedProxies === 0;
}

/** Sender of mails that go nowhere. */
const inboxSender = 'notifications@localhost';

/** The library is loaded only where it is used. */
async function mailerOf({ smtpUrl, emailFrom }: MessageSettings) {
  if (smtpUrl === undefined) return undefined;
  const target = readSmtpUrl(smtpUrl);
  if (target === undefined) {
    throw new UnusableDataError(`the address of the mail server: expected ${smtpUrlForm}`);
  }
  if (emailFrom !== undefined && !isBareAddress(emailFrom)) {
    throw new UnusableDataError(
      'the sender of e-mails: expected an address like `name@example.com`',
    );
  }
  const { createSmtpCarrier } = await import('./smtp.ts');
  const from = emailFrom ?? defaultSender(target);
  return { carrier: createSmtpCarrier(target, from), from };
}
