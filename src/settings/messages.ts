// Settings of e-mails, text messages and captchas, and of their allowed recipients.

import { optionalPrefixes, optionalSecret, optionalText } from './kinds.ts';

export const messageSettings = {
  smtpUrl: optionalSecret({
    variable: 'KEYWRIGHT_SMTP_URL',
    expected: '`smtp://user:password@host:port` or `smtps://…`',
    absent: 'the development inbox on loopback, no e-mails elsewhere',
    sentence: 'Mail server that sends e-mails; see docs/authentication.md.',
  }),
  emailFrom: optionalText({
    variable: 'KEYWRIGHT_EMAIL_FROM',
    absent: 'the user of the mail server, or `notifications@` its name',
    sentence: 'Sender of e-mails, unless the request names one.',
  }),
  smsUrl: optionalText({
    variable: 'KEYWRIGHT_SMS_URL',
    absent: 'the development inbox on loopback without a mail server, no text messages elsewhere',
    sentence: 'Provider of text messages: accepts a POST of `{"to", "text"}`.',
  }),
  smsPrefixes: optionalPrefixes({
    variable: 'KEYWRIGHT_SMS_PREFIXES',
    absent: 'no number where a provider is set, any in the development inbox',
    sentence: 'Prefixes of phone numbers that may receive text messages.',
  }),
  smsToken: optionalSecret({
    variable: 'KEYWRIGHT_SMS_TOKEN',
    expected: 'a text',
    absent: 'none is sent',
    sentence: 'Bearer token for the provider of text messages.',
  }),
  captchaUrl: optionalText({
    variable: 'KEYWRIGHT_CAPTCHA_URL',
    absent: 'no captcha counts as solved',
    sentence:
      'Endpoint that verifies captchas of the onboarding proxy: accepts a form of `secret`, `response` and `remoteip`.',
  }),
  captchaSecret: optionalSecret({
    variable: 'KEYWRIGHT_CAPTCHA_SECRET',
    expected: 'a text',
    absent: 'an empty one is sent',
    sentence: 'Secret for the provider of captchas.',
  }),
  captchaSiteKey: optionalText({
    variable: 'KEYWRIGHT_CAPTCHA_SITE_KEY',
    absent: 'pages get no key',
    sentence: 'Public key with which pages show captchas.',
  }),
} as const;
