// A mail server on loopback that records received mails.

import { once } from 'node:events';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import { textOfUtf8 } from '../../src/core/base/bytes.ts';
import { portOf } from '../../src/gateway/base/both_families.ts';

export type Mail = { readonly from: string; readonly to: readonly string[]; readonly raw: string };

export type MailServer = {
  /** Oldest first. */
  readonly mails: readonly Mail[];
  readonly port: number;
  close(): Promise<unknown>;
};

/** Starts a mail server. Default: without TLS. */
export async function startMailServer(options: SMTPServerOptions = {}): Promise<MailServer> {
  const mails: Mail[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    disableReverseLookup: true,
    closeTimeout: 0,
    logger: false,
    onData: (stream, { envelope }, taken) => {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk) => chunks.push(chunk));
      stream.on('end', () => {
        const from = envelope.mailFrom === false ? '' : envelope.mailFrom.address;
        const to = envelope.rcptTo.map(({ address }) => address);
        mails.push({ from, to, raw: textOfUtf8(Buffer.concat(chunks)) ?? '' });
        taken();
      });
    },
    ...options,
  });
  // Some tests disconnect clients on purpose.
  server.on('error', () => {});
  const listener = server.listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const close = () => new Promise((closed) => server.close(() => closed(undefined)));
  return { mails, port: portOf(listener.address()), close };
}

/** Returns the plain text of a mail, with quoted-printable line breaks removed. */
export function plainTextOf({ raw }: Mail): string {
  const [, part = ''] = /Content-Type: text\/plain.*?\r\n\r\n(.*?)\r\n--/s.exec(raw) ?? [];
  return part
    .replace(/=\r\n/g, '')
    .replace(/=([0-9A-F]{2})/g, (_, digits: string) =>
      String.fromCharCode(Number.parseInt(digits, 16)),
    )
    .replaceAll('\r\n', '\n');
}
