// Lines of the audit trail by syslog: the messages, and their acceptance by receivers.

import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { createServer as createSecureServer } from 'node:tls';
import { AuditSinkError } from '../../../src/gateway/audit/sink.ts';
import { syslogFrames } from '../../../src/gateway/audit/syslog_message.ts';
import { openSyslogSink } from '../../../src/gateway/audit/syslog_sink.ts';
import { UnusableDataError } from '../../../src/store/unusable_data_error.ts';
import { temporaryDirectory } from '../../store/temporary_directory.ts';
import { messagesIn } from '../../support/syslog_messages.ts';
import { certificate, certificateKey } from '../outbound/certificate.ts';

const line = {
  number: 17,
  organizationId: '019b76da-a801-7f2d-b0f2-6b5a9a6f2c10',
  activityId: '019b76db-0c4e-7a5b-9d41-0f3d2e77b1aa',
  type: 'ACTIVITY_TYPE_UPDATE_USER_NAME',
  status: 'ACTIVITY_STATUS_COMPLETED',
  fingerprint: 'sha256:9f86',
  decidedAt: '2026-01-01T09:30:00.142Z',
  submitter: { userId: '019b76da-a802-7bb6-8a3e-52f6c1ab2f01' },
  decision: { outcome: 'ALLOW', reason: 'ROOT_QUORUM_MET' },
};
const textOf = (...lines: readonly object[]) =>
  Buffer.from(lines.map((each) => `${JSON.stringify(each)}\n`).join(''));
const framesOf = (format: 'json' | 'cef', ...lines: readonly object[]) =>
  messagesIn(Buffer.from(syslogFrames(textOf(...lines), { hostname: 'node 1', format })));

test('a message has the header of RFC 5424 and the line as its text', () => {
  const begin = '1 2026-01-01T09:30:00.142Z node1 keywright - UPDATE_USER_NAME -';
  const failed = { ...line, status: 'ACTIVITY_STATUS_FAILED', failureCode: 7 };
  const lost = { number: 19, organizationId: 'o', activityId: 'a', unreadable: true };
  assert.deepEqual(framesOf('json', line, failed, lost), [
    `<110>${begin} ${JSON.stringify(line)}`,
    `<109>${begin} ${JSON.stringify(failed)}`,
    `<107>1 - node1 keywright - - - ${JSON.stringify(lost)}`,
  ]);
  const long = framesOf('json', { ...line, type: `ACTIVITY_TYPE_${'X'.repeat(40)}` })[0] ?? '';
  assert.equal(long.split(' ')[5], 'X'.repeat(32));
});

test('CEF escapes the marks of its header and of its members', () => {
  const [message = ''] = framesOf('cef', {
    ...line,
    type: 'ACTIVITY_TYPE_A|B\\C',
    fingerprint: 'a=b\\c\nd',
    failureCode: 7,
  });
  assert.equal(
    message.slice(message.indexOf('CEF:')),
    [
      'CEF:0|Keywright|Keywright|0|ACTIVITY_TYPE_A\\|B\\\\C|A\\|b\\\\c|3|rt=1767259800142',
      'externalId=019b76db-0c4e-7a5b-9d41-0f3d2e77b1aa suid=019b76da-a802-7bb6-8a3e-52f6c1ab2f01',
      'outcome=COMPLETED reason=ROOT_QUORUM_MET cn1=17 cn1Label=number cn2=7 cn2Label=failureCode',
      'cs1=019b76da-a801-7f2d-b0f2-6b5a9a6f2c10 cs1Label=organizationId',
      'cs2=a\\=b\\\\c\\nd cs2Label=fingerprint',
    ].join(' '),
  );
});

test('lines count as delivered once the receiver closes the connection after them', async (t) => {
  const received: Buffer[] = [];
  const port = await listening(
    createServer(async (socket) => {
      for await (const chunk of socket) received.push(chunk);
    }),
    t,
  );
  const sink = openSyslogSink(settings(`tcp://127.0.0.1:${port}`));
  const lines = Array.from({ length: 128 }, (_, i) => ({ ...line, number: i }));
  await sink.write(textOf(...lines));
  const numbers = messagesIn(Buffer.concat(received)).map(
    (text) => JSON.parse(text.slice(text.indexOf('{'))).number,
  );
  assert.deepEqual(
    numbers,
    lines.map(({ number }) => number),
  );
});

test('lines do not count as delivered if the receiver closes early or is down', async (t) => {
  const early = await listening(
    createServer((socket) => socket.once('data', () => socket.resetAndDestroy())),
    t,
  );
  await assert.rejects(
    openSyslogSink(settings(`tcp://127.0.0.1:${early}`)).write(textOf(line)),
    AuditSinkError,
  );
  const server = createServer();
  const away = await listening(server, t);
  await new Promise((resolve) => server.close(resolve));
  await assert.rejects(
    openSyslogSink(settings(`tcp://127.0.0.1:${away}`)).write(textOf(line)),
    AuditSinkError,
  );
});

test('a receiver over TLS is verified with the given certificates', async (t) => {
  const received: Buffer[] = [];
  const server = createSecureServer({ cert: certificate, key: certificateKey }, async (socket) => {
    for await (const chunk of socket) received.push(chunk);
  });
  const port = await listening(server, t);
  const folder = temporaryDirectory();
  after(() => folder.remove());
  const file = join(folder.path, 'ca.pem');
  writeFileSync(file, certificate);
  const address = `tls://127.0.0.1:${port}`;
  await openSyslogSink(settings(address, file)).write(textOf(line));
  assert.equal(messagesIn(Buffer.concat(received)).length, 1);
  await assert.rejects(
    openSyslogSink(settings(address)).write(textOf(line)),
    (error) => error instanceof AuditSinkError && /self-signed|certificate/.test(error.message),
  );
});

test('an address of an invalid receiver is refused', () => {
  for (const address of ['udp://host', 'tls://', 'tls://host/path', 'tcp://user@host', 'host:1']) {
    assert.throws(() => openSyslogSink(settings(address)), UnusableDataError, address);
  }
  assert.throws(() => openSyslogSink(settings('tls://host', '/absent.pem')), UnusableDataError);
});

const settings = (auditSyslog: string, auditSyslogCa?: string) => ({
  auditSyslog,
  auditSyslogCa,
  auditSyslogFormat: 'json' as const,
});

async function listening(server: Server, t: { after(end: () => void): void }): Promise<number> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
  });
  t.after(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}
