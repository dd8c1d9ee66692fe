import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  checkAppName,
  checkEmailCustomization,
  checkSender,
  checkSmsTemplate,
  customizationLimits,
  type EmailCustomizationParameters,
} from '../../../../src/core/auth/one_time_codes/message_customization.ts';
import {
  codeEmail,
  codeSms,
  escapeHtml,
  loginEmail,
  recoveryEmail,
} from '../../../../src/core/auth/one_time_codes/messages.ts';
import { ServiceError } from '../../../../src/core/errors/errors.ts';

const to = 'name@example.org';
const field = 'parameters.emailCustomization';
const bundle = 'w99a5xV6A75TfoAUkZn869fVyDYvgVsKrawMALZXmrauZd8h$&$1';
const sender = checkSender({}, 'parameters');

const linkOrigins = [
  'https://app.example',
  'https://app.example:8443',
  'http://localhost:3000',
  'myapp://login',
];

function customized(parameters: EmailCustomizationParameters = {}, origins = linkOrigins) {
  return checkEmailCustomization(parameters, field, origins);
}

function refusalOf(run: () => unknown): ServiceError {
  try {
    run();
  } catch (error) {
    assert.ok(error instanceof ServiceError);
    return error;
  }
  return assert.fail('nothing was refused');
}

test('an e-mail with a code has a text and an HTML part', () => {
  const message = codeEmail('ABC123XYZ', 300, to, customized({ appName: 'Acme & Co' }), sender);
  assert.deepEqual(
    { ...message, html: undefined },
    {
      channel: 'email',
      to,
      subject: 'Your Acme & Co code',
      text: [
        'Your Acme & Co code is:',
        'ABC123XYZ',
        'It is valid for 5 minutes and can be used once.',
        'If you did not ask for it, ignore this message, and do not share the code.\n',
      ].join('\n\n'),
      html: undefined,
      senderName: 'Notifications',
    },
  );
  assert.match(message.html, /<title>Your Acme &#38; Co code<\/title>/);
  assert.match(message.html, />ABC123XYZ<\/p>/);
  assert.ok(!message.html.includes('<img'));
  assert.match(
    codeEmail('1', 60, to, customized(), sender).text,
    /^Your code is:[\s\S]* 1 minute and/,
  );
  assert.match(codeEmail('1', 59, to, customized(), sender).text, / 59 seconds and/);
});

test('an e-mail with a code has the requested link, which contains the code', () => {
  const magicLinkTemplate = 'https://app.example/login?code=%s&next=%2Fhome';
  const linked = customized({ appName: 'Acme & Co', magicLinkTemplate });
  const message = codeEmail('ABC123XYZ', 300, to, linked, sender);
  const link = 'https://app.example/login?code=ABC123XYZ&next=%2Fhome';
  assert.ok(message.text.includes('\n\nABC123XYZ\n\n'));
  assert.ok(message.text.includes(`\n\n${link}\n\n`));
  const anchor = `<a href="${escapeHtml(link)}" rel="noreferrer">Continue to Acme &#38; Co</a>`;
  assert.ok(message.html.includes(anchor));
  const unnamed = codeEmail('1', 60, to, customized({ magicLinkTemplate }), sender);
  assert.ok(unnamed.html.includes('>Continue</a>'));
});

test('a magic link contains the unchanged bundle', () => {
  const magicLinkTemplate = 'https://app.example/login?bundle=%s&next=%2Fhome';
  const message = loginEmail(
    bundle,
    900,
    to,
    customized({ appName: 'Acme', magicLinkTemplate, logoUrl: 'https://app.example/logo.png' }),
    sender,
  );
  const link = `https://app.example/login?bundle=${bundle}&next=%2Fhome`;
  assert.equal(message.subject, 'Log in to Acme');
  assert.ok(message.text.includes(`\n\n${link}\n\n`));
  assert.ok(message.html.includes(`<a href="${escapeHtml(link)}" rel="noreferrer">`));
  assert.ok(message.html.includes('<img src="https://app.example/logo.png" alt=""'));
});

test('without a magic link the mail contains the bundle itself', () => {
  const login = loginEmail(bundle, 900, to, customized({ appName: 'Acme' }), sender);
  const recovery = recoveryEmail(bundle, 900, to, customized({ appName: 'Acme' }), sender);
  assert.ok(login.text.includes(`\n\n${bundle}\n\nIt is valid for 15 minutes.`));
  assert.ok(login.html.includes(escapeHtml(bundle)));
  assert.equal(recovery.subject, 'Recover your Acme account');
  assert.ok(recovery.text.includes(bundle));
  assert.equal(
    recoveryEmail(bundle, 900, to, customized(), sender).subject,
    'Recover your account',
  );
  assert.equal(loginEmail(bundle, 900, to, customized(), sender).subject, 'Log in');
});

test('a text message uses the default text or the template', () => {
  const text = (appName: string | undefined, template?: string) =>
    codeSms('123456', 300, '+12025550123', { appName, template }).text;
  assert.equal(text('Acme'), 'Your Acme code is 123456. It is valid for 5 minutes.');
  assert.equal(text(undefined), 'Your code is 123456. It is valid for 5 minutes.');
  assert.equal(text('Acme', 'Acme: {{.OtpCode}}'), 'Acme: 123456');
  assert.equal(
    text('Acme', '$& {{ .OtpCode }}\n@acme.example #{{.OtpCode}}'),
    '$& 123456\n@acme.example #123456',
  );
});

test('templates of text messages may use only the code', () => {
  const check = (template: string) => checkSmsTemplate({ template }, 'parameters.smsCustomization');
  assert.equal(check('Your OTP is {{.OtpCode}}'), 'Your OTP is {{.OtpCode}}');
  for (const apart of [
    'Code: {{.OtpCode}}.',
    '@app.example #{{.OtpCode}}',
    'G-{{.OtpCode}} (https://app.example/help)',
    '{{ .OtpCode }}\nhttps://app.example/help',
  ]) {
    assert.equal(check(apart), apart);
  }
  assert.equal(check(''), undefined);
  assert.equal(checkSmsTemplate({}, 'parameters.smsCustomization'), undefined);
  const malformed = [
    'no place',
    '{{.otpcode}}',
    '{.OtpCode}',
    '{{.OtpCode}} {{.Other}}',
    '{{.OtpCode}} {{',
    '{{.OtpCode}}}}',
    '{{{.OtpCode}}}}',
    '{{.OtpCode}}\r',
    '{{.OtpCode}}\u0000',
    'https://evil.example/?code={{.OtpCode}}',
    'Log in at evil.example/{{.OtpCode}}!',
    'evil.example#{{.OtpCode}}',
    '{{.OtpCode}}.evil.example',
    'https://evil.example/?code={{ .OtpCode }}',
    'evil.example#{{  .OtpCode}}',
    // Spaces that some programs accept inside of a link.
    ...['\u00a0', '\u1680', '\u205f', '\u3000', '\ufeff'].map(
      (space) => `https://evil.example/?code=${space}{{.OtpCode}}`,
    ),
    `{{.OtpCode}}${'x'.repeat(customizationLimits.smsTemplateCharacters)}`,
  ];
  for (const template of malformed) {
    const refusal = refusalOf(() => check(template));
    assert.equal(refusal.code, 'message_customization_invalid');
    assert.match(refusal.message, /^invalid sms template: /);
    assert.equal(refusal.fieldViolations[0]?.field, 'parameters.smsCustomization.template');
  }
});

test('magic links are URLs that contain the bundle once', () => {
  const good = [
    'https://app.example/%s',
    'http://localhost:3000/login#bundle=%s',
    'https://app.example/?a=%20b&bundle=%s',
    'myapp://login/%s',
    'https://app.example/-._~:/?#@!$&*+,;=%s',
  ];
  for (const template of good) {
    assert.equal(customized({ magicLinkTemplate: template }).magicLinkTemplate, template);
  }
  const bad = [
    'https://app.example/',
    'https://app.example/%S',
    'https://app.example/%s/%s',
    '/login/%s',
    '%s',
    'https://%s.app.example/',
    'https://user:%s@app.example/',
    'https://user@app.example/%s',
    'javascript:alert("%s")',
    'JavaScript://x/%0aalert("%s")',
    ' javascript:%s',
    'java\nscript:%s',
    'data:text/html,%s',
    'file:///%s',
    'https://app.example\\@evil.example/%s',
    'https://evil.example/%s',
    'myapp://%s',
    'com.example.app:/login?%s',
    'https://app.example/%s x',
    // Some programs start a second link behind these characters.
    ...['<', '>', '"', "'", '`', '(', ')', '[', ']', '{', '|', '^', '\u200b', '\u2039', '。'].map(
      (end) => `https://app.example/${end}https://evil.example/%s`,
    ),
    'myapp://login/<https://evil.example/%s>',
    'https://app.example/%s\r\nBcc: all@example.org',
    `https://app.example/%s${'x'.repeat(customizationLimits.magicLinkCharacters)}`,
  ];
  for (const magicLinkTemplate of bad) {
    const refusal = refusalOf(() => customized({ magicLinkTemplate }));
    assert.match(refusal.message, /^invalid magic link template: /, magicLinkTemplate);
    assert.equal(refusal.fieldViolations[0]?.field, `${field}.magicLinkTemplate`);
  }
});

test('logos are on the web', () => {
  const logoUrl = 'https://app.example/logo.png?size="340"';
  assert.equal(customized({ logoUrl }).logoUrl, logoUrl);
  for (const bad of ['logo.png', 'data:image/png;base64,AA==', 'javascript:1', 'https://', ` `]) {
    assert.match(refusalOf(() => customized({ logoUrl: bad })).message, /^invalid logo url: /);
  }
});

test('template variables are a small object with string values', () => {
  const check = (templateVariables: string) => customized({ templateVariables });
  check('{"name":"Ada","__proto__":"x"}');
  check('{}');
  const many = Object.fromEntries(Array.from({ length: 33 }, (_, i) => [`v${i}`, '']));
  const bad = [
    '{',
    '[]',
    'null',
    '"text"',
    '{"count":1}',
    '{"inner":{}}',
    '{"none":null}',
    JSON.stringify(many),
    JSON.stringify({ ['n'.repeat(65)]: '' }),
    JSON.stringify({ long: 'x'.repeat(1025) }),
    JSON.stringify({
      a: ' '.repeat(1024),
      b: ' '.repeat(1024),
      c: ' '.repeat(1024),
      d: ' '.repeat(1024),
    }),
  ];
  for (const templateVariables of bad) {
    const refusal = refusalOf(() => check(templateVariables));
    assert.match(refusal.message, /^failed to unmarshal template variables: /, templateVariables);
  }
});

test('a template id is refused', () => {
  const refusal = refusalOf(() => customized({ templateId: 'welcome' }));
  assert.match(refusal.message, /^failed to get email template contents: /);
});

test('members with empty texts count as absent', () => {
  const empty = {
    appName: '',
    logoUrl: '',
    magicLinkTemplate: '',
    templateVariables: '',
    templateId: '',
  };
  assert.deepEqual(customized(empty), customized());
  assert.deepEqual(
    checkSender(
      { sendFromEmailAddress: '', sendFromEmailSenderName: '', replyToEmailAddress: '' },
      'p',
    ),
    { from: undefined, senderName: 'Notifications', replyTo: undefined },
  );
});

test('the caller sets the sender, its name and the address for replies', () => {
  const given = checkSender(
    {
      sendFromEmailAddress: 'login@acme.example',
      sendFromEmailSenderName: 'Acme "Login" Ü',
      replyToEmailAddress: 'help@acme.example',
    },
    'parameters',
  );
  const message = codeEmail('123456', 300, to, customized(), given);
  assert.deepEqual(
    [message.from, message.senderName, message.replyTo],
    ['login@acme.example', 'Acme "Login" Ü', 'help@acme.example'],
  );
  for (const member of ['sendFromEmailAddress', 'replyToEmailAddress']) {
    const bad = [
      'acme',
      'a@b.example, c@d.example',
      'a@b.example\r\nBcc: c@d.example',
      '<a@b.example>',
    ];
    for (const address of bad) {
      const refusal = refusalOf(() => checkSender({ [member]: address }, 'parameters'));
      assert.equal(refusal.code, 'email_invalid');
      assert.equal(refusal.fieldViolations[0]?.field, `parameters.${member}`);
    }
  }
});

test('no text of a caller starts another header', () => {
  for (const line of [
    'a\r\nBcc: b@example.org',
    'a\nb',
    'a\rb',
    'a\u0000b',
    'a\u0085b',
    'a\u2028b',
    'a\u2029b',
    ' ',
    'a'.repeat(256),
  ]) {
    const words = /^invalid email customization: /;
    assert.match(refusalOf(() => checkAppName(line, 'parameters.appName')).message, words);
    assert.match(refusalOf(() => customized({ appName: line })).message, words);
    const sendFromEmailSenderName = line;
    assert.match(refusalOf(() => checkSender({ sendFromEmailSenderName }, 'p')).message, words);
  }
  assert.throws(() => codeEmail('1', 300, `${to}\r\n`, customized(), sender), /assertion failed/);
  const forged = { ...sender, senderName: 'a\r\nBcc: b@example.org' };
  assert.throws(() => codeEmail('1', 300, to, customized(), forged), /assertion failed/);
});

test('any text leaves the elements of the HTML unchanged', () => {
  const shape = (html: string) => html.replace(/"[^"<>]*"/g, '""').replace(/>[^<>]*</g, '><');
  const made = (appName: string, logoUrl: string, path: string) => {
    const magicLinkTemplate = `https://app.example/%s?${path}`;
    return loginEmail(bundle, 900, to, { appName, logoUrl, magicLinkTemplate }, sender).html;
  };
  const plain = shape(made('Acme', 'https://app.example/', 'x'));
  const hostile = fc.string({
    unit: fc.constantFrom(...'<>"\'&;=/ a', '<script>', '" onload="', '-->'),
    maxLength: 30,
  });
  fc.assert(
    fc.property(hostile, hostile, hostile, (appName, logoUrl, path) => {
      assert.equal(shape(made(appName, logoUrl, path)), plain);
    }),
  );
});

test('escaped text is read back unchanged', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const escaped = escapeHtml(text);
      assert.doesNotMatch(escaped, /[<>"']/);
      const read = escaped.replace(/&#([0-9]+);/g, (_, code) => String.fromCharCode(Number(code)));
      // An entity that the text itself contains is escaped too.
      assert.equal(read, text);
    }),
  );
});
