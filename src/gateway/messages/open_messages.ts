// Decides from the settings where messages go.

import type { OutgoingMessage } from '../../core/external/outgoing_message.ts';
import { UnusableDataError } from '../../store/unusable_data_error.ts';
import type { Log } from '../log.ts';
import { afterDelay, createDelivery, type Delivery, type DeliveryOptions } from './delivery.ts';
import { createDevelopmentInbox, type DevelopmentInbox } from './development_inbox.ts';
import { isLoopbackHost } from './loopback.ts';
import { createSmsCarrier, type SendRequest } from './sms.ts';
import { defaultSender, isBareAddress, readSmtpUrl, smtpUrlForm } from './smtp_url.ts';

export type MessageSettings = {
  /** Address that the API listens on. */
  readonly host: string;
  /** How many proxies stand before the service. */
  readonly trustedProxies: number;
  readonly smtpUrl: string | undefined;
  /** Sender of e-mails that name none. */
  readonly emailFrom: string | undefined;
  readonly smsUrl: string | undefined;
  readonly smsToken: string | undefined;
};

export type Messages = Delivery & {
  /** Absent where codes must not be shown to whoever asks. */
  readonly inbox: DevelopmentInbox | undefined;
  /** The ways in which messages can be sent, the inbox included. */
  readonly channels: readonly OutgoingMessage['channel'][];
};

/**
 * What the settings ask for: a mail server and a provider of text messages. Without a mail server
 * and on loopback, the inbox takes the place of what is not set. Raises UnusableDataError for an
 * address, of the mail server or of the sender, that cannot be read.
 */
export async function openMessages(
  settings: MessageSettings,
  parts: {
    readonly log: Log;
    readonly clock: () => number;
    readonly random: (lengthBytes: number) => Uint8Array;
    readonly finished: DeliveryOptions['finished'];
    readonly send: SendRequest;
  },
): Promise<Messages> {
  const { log, clock, random, finished, send } = parts;
  const { smsUrl, smsToken } = settings;
  const inbox = hasInbox(settings) ? createDevelopmentInbox(log, clock, random) : undefined;
  const email = (await emailCarrierOf(settings)) ?? inbox?.carrier;
  const sms =
    smsUrl === undefined
      ? inbox?.carrier
      : createSmsCarrier({ url: smsUrl, token: smsToken }, send);
  const delivery = createDelivery({ email, sms, log, finished, after: afterDelay });
  const channels = [
    ...(email === undefined ? [] : (['email'] as const)),
    ...(sms === undefined ? [] : (['sms'] as const)),
  ];
  return { ...delivery, inbox, channels };
}

/** Whether the deployment is one for development: it sends no mail and serves this machine alone. */
export function hasInbox({
  host,
  smtpUrl,
  trustedProxies,
}: Pick<MessageSettings, 'host' | 'smtpUrl' | 'trustedProxies'>): boolean {
  // Behind a proxy the loopback address says nothing of who asks.
  return smtpUrl === undefined && isLoopbackHost(host) && trustedProxies === 0;
}

/** The library is loaded only where it is used. */
async function emailCarrierOf({ smtpUrl, emailFrom }: MessageSettings) {
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
  return createSmtpCarrier(target, emailFrom ?? defaultSender(target));
}
