import { createTransport } from 'nodemailer';
import type { EmailReference, OutgoingEmail } from '../../core/external/outgoing_message.ts';
import { type Carrier, CarrierError } from './carrier.ts';
import { isBareAddress, type SmtpTarget } from './smtp_url.ts';

/** Timeouts in milliseconds; the caller bounds the whole attempt. */
const timeouts = {
  dnsTimeout: 10_000,
  connectionTimeout: 10_000,
  greetingTimeout: 10_000,
  socketTimeout: 20_000,
  socketCloseTimeout: 1_000,
};

/** Creates the carrier of a mail server. `from` is the sender of messages without their own. */
export function createSmtpCarrier(target: SmtpTarget, from: string): Carrier<OutgoingEmail> {
  const { host, port, login, tls } = target;
  const transport = createTransport({
    host,
    port,
    secure: tls === 'always',
    requireTLS: tls === 'required',
    ignoreTLS: tls === 'never',
    tls: { minVersion: 'TLSv1.2' },
    ...(login === undefined ? {} : { auth: { user: login.user, pass: login.password } }),
    ...timeouts,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return {
    send: async (message, signal) => {
      const { to, subject, text, html, senderName, replyTo, reference } = message;
      const sender = message.from ?? from;
      // The library would split a text with several addresses into several recipients.
      if (![sender, to, replyTo ?? to].every(isBareAddress)) {
        throw new CarrierError('malformed address', true);
      }
      try {
        await transport.sendMail({
          from: { name: senderName, address: sender },
          to: { name: '', address: to },
          ...(replyTo === undefined ? {} : { replyTo: { name: '', address: replyTo } }),
          envelope: { from: sender, to: [to] },
          ...messageIdOf(sender, reference),
          subject,
          text,
          html,
          // RFC 3834: prevents automatic replies.
          headers: { 'Auto-Submitted': 'auto-generated' },
          signal,
        });
      } catch (error) {
        throw failureOf(error);
      }
    },
  };
}

/** Uses the reference of the mail's events as Message-ID, to match the mail server's log. */
function messageIdOf(sender: string, reference: EmailReference | undefined) {
  if (reference === undefined) return {};
  return { messageId: `<${reference.messageId}@${sender.slice(sender.lastIndexOf('@') + 1)}>` };
}

/** The server's text may quote the message, so only codes are reported. */
function failureOf(error: unknown): CarrierError {
  if (!(error instanceof Error)) return new CarrierError('unexpected error', false);
  const code = 'code' in error && typeof error.code === 'string' ? error.code : error.name;
  const status =
    'responseCode' in error && typeof error.responseCode === 'number' ? error.responseCode : 0;
  return new CarrierError(status === 0 ? code : `${code} ${status}`, status >= 500 && status < 600);
}
