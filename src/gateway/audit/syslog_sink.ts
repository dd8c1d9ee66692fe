// Sends the audit trail by syslog (RFC 5424) over TCP or TLS, with octet counting (RFC 6587, RFC 5425).
// Syslog has no acknowledgement, so each batch has a separate connection. A receiver that closes it after
// this side has read the whole batch.

import { readFileSync } from 'node:fs';
import { connect as connectPlain, isIP, type Socket } from 'node:net';
import { hostname } from 'node:os';
import { connect as connectSecure } from 'node:tls';
import type { Settings } from '../../settings/settings.ts';
import { UnusableDataError } from '../../store/unusable_data_error.ts';
import { type AuditSink, AuditSinkError } from './sink.ts';
import { syslogFrames } from './syslog_message.ts';

/** Maximum time of one batch, shorter than the lease of the stream. */
const batchTimeoutMs = 10_000;
const defaultPorts = { 'tls:': 6514, 'tcp:': 601 } as const;

type Receiver = {
  readonly host: string;
  readonly port: number;
  readonly isSecure: boolean;
  readonly ca: Buffer | undefined;
};

/** Opens a syslog receiver. Raises UnusableDataError for an invalid address or CA file. */
export function openSyslogSink({
  auditSyslog,
  auditSyslogCa,
  auditSyslogFormat: format,
}: Pick<Settings, 'auditSyslogCa' | 'auditSyslogFormat'> & {
  readonly auditSyslog: string;
}): AuditSink {
  const receiver = receiverOf(auditSyslog, auditSyslogCa);
  const open = new Set<Socket>();
  return {
    kind: 'syslog',
    name: auditSyslog,
    write: (lines) =>
      deliver(receiver, syslogFrames(lines, { hostname: hostname(), format }), open),
    close: () => {
      for (const socket of open) socket.destroy();
    },
  };
}

function receiverOf(address: string, caFile: string | undefined): Receiver {
  const url = URL.parse(address);
  const isWhole = url !== null && url.hostname !== '' && ['', '/'].includes(url.pathname);
  const isPlain = url?.username === '' && url.search === '' && url.hash === '';
  const protocol = url?.protocol;
  if (!isWhole || !isPlain || (protocol !== 'tls:' && protocol !== 'tcp:')) {
    throw new UnusableDataError(
      'the receiver of syslog: expected tls://host:port or tcp://host:port',
    );
  }
  const port = url.port === '' ? defaultPorts[protocol] : Number(url.port);
  const host = url.hostname.replace(/^\[|\]$/g, '');
  return { host, port, isSecure: protocol === 'tls:', ca: certificatesIn(caFile) };
}

function certificatesIn(path: string | undefined): Buffer | undefined {
  if (path === undefined) return undefined;
  try {
    return readFileSync(path);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new UnusableDataError(`the certificates for the receiver of syslog: ${reason}`);
  }
}

/** Resolves when the receiver closes the connection after the last byte. Raises AuditSinkError. */
function deliver(receiver: Receiver, frames: Uint8Array, open: Set<Socket>): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const socket = connect(receiver);
  open.add(socket);
  let isSent = false;
  let isRead = false;
  let failure = 'the receiver closed the connection early';
  const deadline = setTimeout(() => {
    failure = 'the receiver did not end the connection in time';
    socket.destroy();
  }, batchTimeoutMs);
  socket.on(receiver.isSecure ? 'secureConnect' : 'connect', () => socket.end(frames));
  socket.on('finish', () => {
    isSent = true;
  });
  socket.on('end', () => {
    isRead = isSent;
  });
  socket.on('error', (error) => {
    isRead = false;
    failure = error.message;
  });
  socket.on('close', (hadError) => {
    clearTimeout(deadline);
    open.delete(socket);
    if (isRead && !hadError) resolve();
    else reject(new AuditSinkError(failure));
  });
  // Receivers send nothing, but the end of the connection is only reported to a reader.
  socket.resume();
  return promise;
}

function connect({ host, port, isSecure, ca }: Receiver): Socket {
  if (!isSecure) return connectPlain({ host, port });
  return connectSecure({
    host,
    port,
    minVersion: 'TLSv1.2',
    ...(isIP(host) === 0 ? { servername: host } : {}),
    ...(ca === undefined ? {} : { ca }),
  });
}
