// Selects the carriers of messages from the settings.

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
  /** Sender of e-mails without their own. */
  readonly emailFrom: string | undefined;
  readonly smsUrl: string | undefined;
  readonly smsToken: string | undefined;
};

export type Messages = MessageDelivery & {
  /** Undefined if codes must not be visible. */
  readonly inbox: DevelopmentInbox | undefined;
  /** The channels with a carrier, including the inbox. */
  readonly channels: readonly OutgoingMessage['channel'][];
};

/**
 * Opens the carriers in the settings: a mail server and a provider of text messages. On loopback, without a
 * mail server and without a trusted proxy, the inbox replaces the missing carriers. Raises UnusableDataError
 * for an invalid address of the mail server or of the sender.
 */
export async function openMessages(
  settings: MessageSettings,
  parts: {
    readonly log: Log;
    readonly clock: () => number;
    readonly random: (lengthBytes: number) => Uint8Array;
    readonly finished: DeliveryOptions['finished'];
    readonly send: SendRequest;
    /** Traces e-mails. The caller traces `send`. */
    readonly tracing: Tracing;
    /** Stores the outcome of a mail. */
    readonly submit: EmailReportPorts['submit'];
  },
): Promise<Messages> {
  const { log, clock, random, finished, send, tracing, submit } = parts;
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
  const reports = createEmailReports({ submit, log, after });
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

/** Returns true for a development deployment: it has no mail server and serves only this machine. */
function hasInbox({
  host,
  smtpUrl,
  trustedProxies,
}: Pick<MessageSettings, 'host' | 'smtpUrl' | 'trustedProxies'>): boolean {
  // Behind a proxy the loopback address does not identify the caller.
  return smtpUrl === undefined && isLoopbackHost(host) && trustedProxies === 0;
}

/** Sender of mails in the inbox. */
const inboxSender = 'notifications@localhost';

/** Loads the library only if it is needed. */
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
