import assert from 'node:assert/strict';
import { test } from 'node:test';
import { serverClient } from '../e2e/clients.ts';
import { serviceOfThisFile, until } from '../e2e/service.ts';
import { folderOfTests, runIn } from './terminal.ts';

const service = await serviceOfThisFile();
const folder = folderOfTests();

test('inbox prints the messages of a service in development', async () => {
  const from = ['--from', service.inboxUrl()];
  const empty = await runIn(folder, ['inbox', ...from]);
  assert.equal(empty.code, 0, empty.err);
  assert.equal(empty.err, 'No messages yet.\n');
  const contact = 'ada@example.com';
  await serverClient(service).initOtp({ otpType: 'OTP_TYPE_EMAIL', contact, appName: 'Example' });
  await until(
    'the message is there',
    async () => (await runIn(folder, ['inbox', ...from])).out !== '',
  );
  const { out } = await runIn(folder, ['inbox', ...from]);
  assert.match(out, /email +ada@example\.com +Your Example code +\S/);
});

test('a missing inbox ends with 8 and the command to start it', async () => {
  for (const words of [
    [],
    ['--from', `${service.baseUrl}/dev/inbox`],
    ['--from', 'https://elsewhere.example/'],
  ]) {
    const { code, err } = await runIn(folder, ['inbox', ...words]);
    assert.equal(code, 8, err);
    assert.match(err, /next: Start keywright dev in this folder/);
  }
});
