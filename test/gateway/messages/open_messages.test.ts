import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { type MessageSettings, openMessages } from '../../../src/gateway/messages/open_messages.ts';
import type { Tracing } from '../../../src/gateway/traces/tracing.ts';
import { UnusableDataError } from '../../../src/store/unusable_data_error.ts';
import { startMailServer } from '../../support/mail_server.ts';

const none: MessageSettings = {
  host: '127.0.0.1',
  trustedProxies: 0,
  smtpUrl: undefined,
  emailFrom: undefined,
  smsUrl: undefined,
  smsToken: undefined,
};
const smtpUrl = 'smtp://mail.example';
const smsUrl = 'https://sms.example/';

async function open(settings: Partial<MessageSettings>) {
  const posted: string[] = [];
  const outcomes: string[] = [];
  const calls: (readonly [purpose: string, outcome: object])[] = [];
  const tracing: Tracing = {
    request: () => undefined,
    call: (purpose) => ({
      headers: { traceparent: 'unused' },
      end: (outcome) => calls.push([purpose, outcome]),
    }),
  };
  const messages = await openMessages(
    { ...none, ...settings },
    {
      log: () => {},
      clock: () => 0,
      random: (length) => new Uint8Array(length),
      finished: (channel, outcome) => outcomes.push(`${channel} ${outcome}`),
      send: async ({ url }) => {
        posted.push(url);
        return { status: 200 };
      },
      tracing,
      submit: async () => undefined,
    },
  );
  return { messages, posted, outcomes, calls };
}

const sms = { channel: 'sms', to: '+12025550123', text: '123456' } as const;

test('settings select the receivers of messages', async () => {
  const cases: readonly (readonly [Partial<MessageSettings>, boolean, readonly string[]])[] = [
    [{}, true, ['email', 'sms']],
    [{ host: '::1' }, true, ['email', 'sms']],
    [{ smsUrl }, true, ['email', 'sms']],
    [{ smtpUrl }, false, ['email']],
    [{ smtpUrl, smsUrl }, false, ['email', 'sms']],
    // Behind a proxy, requests come from other machines too.
    [{ trustedProxies: 1 }, false, []],
    [{ trustedProxies: 1, smsUrl }, false, ['sms']],
    [{ host: '0.0.0.0' }, false, []],
    [{ host: '0.0.0.0', smsUrl }, false, ['sms']],
    [{ host: '192.0.2.1', smtpUrl }, false, ['email']],
  ];
  for (const [settings, hasInbox, channels] of cases) {
    const { messages } = await open(settings);
    assert.equal(messages.inbox !== undefined, hasInbox, JSON.stringify(settings));
    assert.deepEqual(messages.channels, channels, JSON.stringify(settings));
    await messages.stop(1_000);
  }
});

test('a message is in the inbox as soon as it is accepted', async () => {
  const { messages, outcomes } = await open({});
  messages.deliver(sms);
  assert.equal(messages.inbox?.read().messages[0]?.text, '123456');
  await turn();
  assert.deepEqual(outcomes, ['sms sent']);
});

test('a provider of text messages has priority over the inbox', async () => {
  const { messages, posted } = await open({ smsUrl });
  messages.deliver(sms);
  await messages.stop(1_000);
  assert.deepEqual(posted, [smsUrl]);
  assert.deepEqual(messages.inbox?.read().messages, []);
});

const email = {
  channel: 'email',
  to: 'user@example.com',
  senderName: 'Notifications',
  subject: 'Your code',
  text: '123456',
  html: '<p>123456</p>',
} as const;

test('each attempt at an e-mail is traced, with the code of its failure', async () => {
  const server = await startMailServer({
    onRcptTo: ({ address }, _, done) =>
      done(address === email.to ? undefined : Object.assign(new Error(), { responseCode: 550 })),
  });
  const { messages, calls, outcomes } = await open({
    smtpUrl: `smtp://127.0.0.1:${server.port}`,
  });
  messages.deliver(email);
  while (outcomes.length < 1) await turn();
  messages.deliver({ ...email, to: 'nobody@example.com' });
  while (outcomes.length < 2) await turn();
  await messages.stop(1_000);
  await server.close();
  assert.deepEqual(outcomes, ['email sent', 'email failed']);
  assert.deepEqual(calls, [
    ['email', {}],
    ['email', { failure: 'EENVELOPE 550' }],
  ]);
});

test('unreadable addresses stop the start, and are not repeated', async () => {
  const bad = [{ smtpUrl: 'http://user:secret@mail.example' }, { smtpUrl, emailFrom: 'secret' }];
  for (const settings of bad) {
    await assert.rejects(open(settings), (error) => {
      assert.ok(error instanceof UnusableDataError);
      assert.doesNotMatch(error.message, /secret/);
      return true;
    });
  }
});
