// On loopback without a mail server, the developer sees the codes. Text messages go to a provider, if one is
// configured.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { after, test } from 'node:test';
import { portOf } from '../../src/gateway/base/both_families.ts';
import { serverClient } from './clients.ts';
import { serviceOfThisFile, until } from './service.ts';

type Taken = { readonly authorization: string | undefined; readonly body: string };

const taken: Taken[] = [];
const provider = createServer((request, response) => {
  let body = '';
  request.setEncoding('utf8').on('data', (text: string) => {
    body += text;
  });
  request.once('end', () => {
    taken.push({ authorization: request.headers.authorization, body });
    response.writeHead(202).end();
  });
});
provider.listen(0, '127.0.0.1');
await once(provider, 'listening');
after(() => provider.close());

const service = await serviceOfThisFile({
  KEYWRIGHT_SMS_URL: `http://127.0.0.1:${portOf(provider.address())}/messages`,
  KEYWRIGHT_SMS_PREFIXES: '+49',
  KEYWRIGHT_SMS_TOKEN: 'provider token',
  KEYWRIGHT_ALLOW_PRIVATE_TARGETS: 'true',
});
const client = serverClient(service);
const inbox = async () => (await (await fetch(service.inboxUrl())).json()).messages;

test('the printed address opens the inbox, and the path without the token does not', async () => {
  assert.equal((await fetch(service.inboxUrl())).status, 200);
  assert.equal((await fetch(`${service.baseUrl}/dev/inbox`)).status, 404);
});

test('e-mails are in the inbox, and in the log', async () => {
  const contact = 'ada@example.com';
  await client.initOtp({ otpType: 'OTP_TYPE_EMAIL', contact, appName: 'Example' });
  await until('the message is there', async () => (await inbox()).length === 1);
  const [{ channel, to, subject, text }] = await inbox();
  assert.deepEqual([channel, to, subject], ['email', contact, 'Your Example code']);
  assert.match(text, /^[0-9A-Z]{9}$/m);
  await until('the message is in the log', () =>
    /a message for the development inbox/.test(service.output().stdout),
  );
});

test('text messages go to the provider, and are not logged', async () => {
  const contact = '+4930123456';
  await client.initOtp({ otpType: 'OTP_TYPE_SMS', contact, appName: 'Example' });
  await until('the provider takes it', () => taken.length === 1);
  const [message] = taken;
  assert.equal(message?.authorization, 'Bearer provider token');
  const { to, text } = JSON.parse(message?.body ?? '');
  assert.equal(to, contact);
  const code = /code is ([0-9A-Z]{9})\./.exec(text)?.[1] ?? assert.fail(text);
  const { stdout, stderr } = service.output();
  assert.ok(!`${stdout}${stderr}`.includes(code));
  assert.ok(!`${stdout}${stderr}`.includes('provider token'));
});
