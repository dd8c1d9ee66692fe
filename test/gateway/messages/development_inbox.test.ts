import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { OutgoingMessage } from '../../../src/core/external/outgoing_message.ts';
import {
  createDevelopmentInbox,
  maximumInboxMessages,
  mayReadInbox,
} from '../../../src/gateway/messages/development_inbox.ts';
import { isLoopbackHost } from '../../../src/gateway/messages/loopback.ts';
import { createSimulatedTime } from './simulated_time.ts';

const { signal } = new AbortController();

function mail(text: string): OutgoingMessage {
  return {
    channel: 'email',
    to: 'user@example.com',
    subject: 'Your code',
    text,
    html: '',
    senderName: 'Notifications',
  };
}

const random = (length: number) => new Uint8Array(length).fill(7);

test('messages are stored with their time, newest first, and written to the log', async () => {
  const lines: object[] = [];
  const time = createSimulatedTime();
  const inbox = createDevelopmentInbox(
    (_level, _message, fields) => lines.push(fields),
    time.clock,
    random,
  );
  assert.deepEqual(inbox.read(), { messages: [] });
  await inbox.carrier.send(mail('first'), signal);
  time.advance(1_500);
  await inbox.carrier.send({ channel: 'sms', to: '+12025550123', text: 'second' }, signal);
  const first = { channel: 'email', to: 'user@example.com', subject: 'Your code', text: 'first' };
  const second = { channel: 'sms', to: '+12025550123', text: 'second' };
  assert.deepEqual(inbox.read(), {
    messages: [
      { ...second, createdAt: '2026-01-01T00:00:01.500Z' },
      { ...first, createdAt: '2026-01-01T00:00:00.000Z' },
    ],
  });
  assert.deepEqual(lines, [first, second]);
});

test('the newest thousand are stored', async () => {
  const inbox = createDevelopmentInbox(
    () => {},
    () => 0,
    random,
  );
  for (let i = 0; i < maximumInboxMessages + 5; i += 1)
    await inbox.carrier.send(mail(`${i}`), signal);
  const { messages } = inbox.read();
  assert.equal(messages.length, 1_000);
  assert.deepEqual([messages[0]?.text, messages.at(-1)?.text], ['1004', '5']);
});

test('a page of messages does not change when later messages arrive', async () => {
  const inbox = createDevelopmentInbox(
    () => {},
    () => 0,
    random,
  );
  const before = inbox.read();
  await inbox.carrier.send(mail('later'), signal);
  assert.deepEqual(before.messages, []);
});

test('hosts that only name this machine are recognized', () => {
  const own = [
    '127.0.0.1',
    '127.1.2.3',
    '::1',
    '[::1]',
    'localhost',
    'LOCALHOST',
    '0:0:0:0:0:0:0:1',
  ];
  for (const host of own) assert.ok(isLoopbackHost(host), host);
  const others = [
    '0.0.0.0',
    '::',
    '10.0.0.1',
    '128.0.0.1',
    'localhost.example.com',
    'example.com',
    '',
    '::2',
  ];
  for (const host of others) assert.ok(!isLoopbackHost(host), host);
});

test('pages of other origins do not see the inbox', () => {
  const host = '127.0.0.1:8080';
  const none = { origin: undefined, secFetchSite: undefined };
  const may = [
    { host, ...none },
    { host: 'localhost:8080', ...none },
    { host: '[::1]:8080', ...none },
    { host, origin: 'http://127.0.0.1:8080', secFetchSite: 'same-origin' },
    { host, origin: undefined, secFetchSite: 'none' },
  ];
  const inbox = { token: 'token' };
  for (const headers of may) {
    assert.ok(mayReadInbox(inbox, { ...inbox, ...headers }), JSON.stringify(headers));
    for (const token of [null, '', 'tokem', 'toke', 'tokens']) {
      assert.ok(!mayReadInbox(inbox, { ...headers, token }), JSON.stringify({ token, headers }));
    }
  }
  const mayNot = [
    { host: undefined, ...none },
    { host: '', ...none },
    // A name that resolves to this machine (DNS rebinding).
    { host: 'rebound.example:8080', ...none },
    { host, origin: 'https://elsewhere.example', secFetchSite: undefined },
    { host, origin: 'http://127.0.0.1:3000', secFetchSite: undefined },
    { host, origin: 'null', secFetchSite: undefined },
    { host, origin: undefined, secFetchSite: 'cross-site' },
    { host, origin: undefined, secFetchSite: 'same-site' },
  ];
  for (const headers of mayNot)
    assert.ok(!mayReadInbox(inbox, { ...inbox, ...headers }), JSON.stringify(headers));
});
