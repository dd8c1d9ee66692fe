import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { after, test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import type { SMTPServerOptions } from 'smtp-server';
import type { OutgoingEmail } from '../../../src/core/external/outgoing_message.ts';
import { portOf } from '../../../src/gateway/base/both_families.ts';
import { CarrierError } from '../../../src/gateway/messages/carrier.ts';
import { createMessageDelivery } from '../../../src/gateway/messages/delivery.ts';
import { createSmtpCarrier } from '../../../src/gateway/messages/smtp.ts';
import type { SmtpTarget } from '../../../src/gateway/messages/smtp_url.ts';
import { startMailServer } from '../../support/mail_server.ts';
import { createSimulatedTime } from './simulated_time.ts';

const sender = 'keys@example.net';
const closers: (() => Promise<unknown>)[] = [];
after(() => Promise.all(closers.map((close) => close())));

const message: OutgoingEmail = {
  channel: 'email',
  to: 'user@example.com',
  subject: 'Your Acme code',
  text: 'Your Acme code is:\n\n123456\n',
  html: '<p>Your Acme code is:</p><p>123456</p>\n',
  senderName: 'Notifications',
};

async function startServer(options: SMTPServerOptions = {}) {
  const { close, ...server } = await startMailServer(options);
  closers.push(close);
  return server;
}

/** Starts a server that does not speak SMTP. */
async function startSocketServer(connected: (socket: Socket) => void) {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    connected(socket);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  closers.push(async () => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return portOf(server.address());
}

function carrierTo(port: number, changes: Partial<SmtpTarget> = {}) {
  const target = { host: '127.0.0.1', port, login: undefined, tls: 'never', ...changes } as const;
  return createSmtpCarrier(target, sender);
}

async function failureOf(sending: Promise<void>): Promise<CarrierError> {
  try {
    await sending;
  } catch (error) {
    assert.ok(error instanceof CarrierError);
    return error;
  }
  return assert.fail('it was sent');
}

const patient = () => new AbortController().signal;
const refusal = (responseCode: number) =>
  Object.assign(new Error('no, user@example.com, not with 123456'), { responseCode });

test('an e-mail arrives with its text, its HTML and its headers', async () => {
  const { mails, port } = await startServer();
  await carrierTo(port).send(
    { ...message, from: 'login@acme.example', replyTo: 'help@acme.example' },
    patient(),
  );
  const [{ from, to, raw } = assert.fail('nothing arrived')] = mails;
  assert.deepEqual([from, to], ['login@acme.example', ['user@example.com']]);
  const headers = raw.slice(0, raw.indexOf('\r\n\r\n'));
  for (const header of [
    'From: Notifications <login@acme.example>',
    'To: user@example.com',
    'Reply-To: help@acme.example',
    'Subject: Your Acme code',
    'Auto-Submitted: auto-generated',
  ]) {
    assert.ok(headers.split('\r\n').includes(header), header);
  }
  assert.match(headers, /^Content-Type: multipart\/alternative;/m);
  assert.ok(raw.includes('Your Acme code is:\r\n\r\n123456\r\n'));
  assert.ok(raw.includes('<p>123456</p>'));
});

test('a message without a sender gets the sender of the deployment', async () => {
  const { mails, port } = await startServer();
  await carrierTo(port).send(message, patient());
  assert.equal(mails[0]?.from, sender);
  assert.match(mails[0]?.raw ?? '', /^From: Notifications <keys@example\.net>\r$/m);
});

// The rules in src/core/auth/one_time_codes/ refuse these earlier; this is the second line of defence.
test('line breaks and lists of addresses create no header and no recipient', async () => {
  const { mails, port } = await startServer();
  const line = 'Acme\r\nBcc: other@example.com\r\n\r\nbody';
  await carrierTo(port).send({ ...message, subject: line, senderName: line }, patient());
  const headers = (mails[0]?.raw ?? '').split('\r\n\r\n')[0] ?? '';
  assert.doesNotMatch(headers, /^Bcc/im);
  assert.deepEqual(mails[0]?.to, ['user@example.com']);
  const list = 'user@example.com, other@example.com';
  for (const changes of [
    { to: list },
    { from: list },
    { replyTo: list },
    { to: `${message.to}\r\n` },
  ]) {
    const { reason, isPermanent } = await failureOf(
      carrierTo(port).send({ ...message, ...changes }, patient()),
    );
    assert.deepEqual([reason, isPermanent], ['malformed address', true]);
  }
  assert.equal(mails.length, 1);
});

test('the login comes from the URL, and a wrong one is not retried', async () => {
  const logins: unknown[] = [];
  const { mails, port } = await startServer({
    authOptional: false,
    allowInsecureAuth: true,
    onAuth: ({ username, password }, _session, answer) => {
      logins.push([username, password]);
      if (password === 'right') answer(null, { user: username });
      else answer(refusal(535));
    },
  });
  const login = { user: 'keys@example.net', password: 'right' };
  await carrierTo(port, { login }).send(message, patient());
  assert.deepEqual(logins, [['keys@example.net', 'right']]);
  assert.equal(mails.length, 1);
  const wrong = carrierTo(port, { login: { ...login, password: 'wrong' } });
  const { reason, isPermanent } = await failureOf(wrong.send(message, patient()));
  assert.deepEqual([reason, isPermanent], ['EAUTH 535', true]);
});

test('if TLS is required the password is not sent without it', async () => {
  const seen: string[] = [];
  const { mails, port } = await startServer({
    allowInsecureAuth: true,
    onAuth: ({ password }, _session, answer) => {
      seen.push(password ?? '');
      answer(null, { user: 'any' });
    },
  });
  const login = { user: 'user', password: 'right' };
  const carrier = carrierTo(port, { login, tls: 'required' });
  await failureOf(carrier.send(message, patient()));
  assert.deepEqual([seen, mails], [[], []]);
});

// No authority has signed the server's certificate.
test('an unverifiable certificate is refused, with STARTTLS and without', async () => {
  const plain = await startServer({ disabledCommands: [] });
  const secure = await startServer({ secure: true });
  const cases = [
    [plain, 'offered'],
    [plain, 'required'],
    [secure, 'always'],
  ] as const;
  for (const [{ mails, port }, tls] of cases) {
    const { isPermanent } = await failureOf(carrierTo(port, { tls }).send(message, patient()));
    assert.equal(isPermanent, false);
    assert.deepEqual(mails, []);
  }
});

test('STARTTLS is not used on the same machine', async () => {
  const { mails, port } = await startServer({ disabledCommands: [] });
  await carrierTo(port).send(message, patient());
  assert.equal(mails.length, 1);
});

test('a permanent and a temporary refusal are reported as such, without the server’s text', async () => {
  const cases = [
    [550, 'EENVELOPE 550', true],
    [451, 'EENVELOPE 451', false],
  ] as const;
  for (const [status, reason, isPermanent] of cases) {
    const { port } = await startServer({
      onRcptTo: (_address, _session, answer) => answer(refusal(status)),
    });
    const failure = await failureOf(carrierTo(port).send(message, patient()));
    assert.deepEqual(
      [failure.reason, failure.isPermanent, failure.message],
      [reason, isPermanent, reason],
    );
  }
});

test('a server that disconnects is a temporary failure', async () => {
  const ports = [
    await startSocketServer((socket) => socket.destroy()),
    await startSocketServer((socket) => socket.end('220 mail.example ESMTP\r\n')),
    await startSocketServer((socket) => {
      socket.write('220 mail.example ESMTP\r\n');
      socket.once('data', () => socket.destroy());
    }),
  ];
  for (const port of ports) {
    const { isPermanent, reason } = await failureOf(carrierTo(port).send(message, patient()));
    assert.equal(isPermanent, false, reason);
  }
});

test('an absent server is a temporary failure', async () => {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const port = portOf(server.address());
  server.close();
  await once(server, 'close');
  const { isPermanent, reason } = await failureOf(carrierTo(port).send(message, patient()));
  assert.equal(isPermanent, false);
  assert.match(reason, /^E[A-Z]+$/);
});

test('a silent or endless server times out', async () => {
  const silent = Promise.withResolvers<Socket>();
  const endless = Promise.withResolvers<Socket>();
  const ports = [
    await startSocketServer((socket) => silent.resolve(socket)),
    await startSocketServer((socket) => {
      const drip = () => socket.write('220-one more line\r\n');
      socket.on('drain', drip);
      drip();
      endless.resolve(socket);
    }),
  ];
  for (const [i, connected] of [silent, endless].entries()) {
    const controller = new AbortController();
    const failure = failureOf(carrierTo(ports[i] ?? 0).send(message, controller.signal));
    const socket = await connected.promise;
    const closed = new Promise((resolve) => socket.once('close', resolve));
    socket.resume();
    controller.abort();
    const { reason, isPermanent } = await failure;
    assert.deepEqual([reason, isPermanent], ['EABORT', false]);
    await closed;
  }
});

test('a message is delivered once the server accepts it, without its contents in the log', async () => {
  let refusals = 2;
  const { mails, port } = await startServer({
    onRcptTo: (_address, _session, answer) => {
      refusals -= 1;
      answer(refusals >= 0 ? refusal(451) : null);
    },
  });
  const time = createSimulatedTime();
  const lines: string[] = [];
  const sent = Promise.withResolvers<string>();
  let paused = Promise.withResolvers<void>();
  const delivery = createMessageDelivery({
    now: () => performance.now(),
    email: carrierTo(port),
    log: (_level, line, fields) => {
      lines.push(JSON.stringify({ line, ...fields }));
      paused.resolve();
    },
    finished: (_channel, outcome) => sent.resolve(outcome),
    after: time.after,
  });
  delivery.deliver(message);
  for (const pauseMs of [1_000, 10_000]) {
    await paused.promise;
    paused = Promise.withResolvers();
    await turn();
    time.advance(pauseMs);
  }
  assert.equal(await sent.promise, 'sent');
  assert.equal(mails.length, 1);
  assert.equal(lines.length, 3);
  assert.ok(!/123456|user@|Acme/.test(lines.join('\n')));
  await delivery.stop(1_000);
});

test('a mail with a reference has it as its Message-ID', async () => {
  const { mails, port } = await startServer();
  const reference = { organizationId: 'o', messageId: '0198a000-0000-7000-8000-000000000001' };
  await carrierTo(port).send({ ...message, reference }, patient());
  await carrierTo(port).send({ ...message, from: 'a@acme.example', reference }, patient());
  const headers = mails.map(({ raw }) => /^Message-ID: (.*)\r$/im.exec(raw)?.[1]);
  assert.deepEqual(headers, [
    `<${reference.messageId}@example.net>`,
    `<${reference.messageId}@acme.example>`,
  ]);
});
