import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  defaultSender,
  isBareAddress,
  readSmtpUrl,
} from '../../../src/gateway/messages/smtp_url.ts';

test('the URL of a mail server selects the protocol and the login', () => {
  const login = { user: 'user', password: 'pass' };
  const cases = [
    ['smtps://user:pass@mail.example', { host: 'mail.example', port: 465, login, tls: 'always' }],
    ['smtps://127.0.0.1:2465', { host: '127.0.0.1', port: 2465, login: undefined, tls: 'always' }],
    ['smtp://user:pass@mail.example', { host: 'mail.example', port: 587, login, tls: 'required' }],
    [
      'smtp://mail.example:25/',
      { host: 'mail.example', port: 25, login: undefined, tls: 'offered' },
    ],
    ['smtp://user:pass@127.0.0.1:2525', { host: '127.0.0.1', port: 2525, login, tls: 'never' }],
    ['smtp://[::1]:2525', { host: '::1', port: 2525, login: undefined, tls: 'never' }],
    ['smtp://localhost:1025', { host: 'localhost', port: 1025, login: undefined, tls: 'never' }],
    [
      'smtp://user%40mail.example:p%3A%2F%40%25@mail.example',
      {
        host: 'mail.example',
        port: 587,
        login: { user: 'user@mail.example', password: 'p:/@%' },
        tls: 'required',
      },
    ],
  ] as const;
  for (const [text, target] of cases) assert.deepEqual(readSmtpUrl(text), target, text);
});

test('a malformed URL of a mail server is refused', () => {
  const malformed = [
    '',
    'mail.example',
    'mail.example:25',
    'http://mail.example',
    'smtp:',
    'smtp://',
    'smtp:///path',
    'smtp://mail.example:0',
    'smtp://mail.example:65536',
    'smtp://mail.example/path',
    // Unsupported options are refused, so they cannot seem to work.
    'smtp://mail.example?tls.rejectUnauthorized=false',
    'smtp://mail.example#tls',
    'smtp://user@mail.example',
    'smtp://:pass@mail.example',
    'smtp://user:%zz@mail.example',
    'smtp://mail%20.example',
  ];
  for (const text of malformed) assert.equal(readSmtpUrl(text), undefined, text);
});

test('a missing sender is derived', () => {
  const senderOf = (text: string) => {
    const target = readSmtpUrl(text);
    assert.ok(target !== undefined);
    return defaultSender(target);
  };
  assert.equal(senderOf('smtp://me%40acme.example:pass@mail.example'), 'me@acme.example');
  assert.equal(senderOf('smtp://apikey:pass@mail.example'), 'notifications@mail.example');
  assert.equal(senderOf('smtp://192.0.2.1'), 'notifications@localhost');
  assert.equal(senderOf('smtp://[::1]'), 'notifications@localhost');
  assert.equal(senderOf('smtp://localhost'), 'notifications@localhost');
  assert.ok(isBareAddress('keys@localhost') && isBareAddress("o'neil+keys@mail.example"));
  for (const text of ['', 'keys', '@x', 'a@b@c', 'a@b, c@d', '<a@b>', 'a@b\r\n', 'a b@c']) {
    assert.ok(!isBareAddress(text), text);
  }
});
