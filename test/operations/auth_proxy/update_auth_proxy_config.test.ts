import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startTestService, testKey } from '../../support/harness.ts';
import { assertRefused, checkActivity, checkRefused } from '../checks.ts';
import { makePolicy } from '../policies/policy_requests.ts';
import { makeUser } from '../users/user_requests.ts';
import { configure, shownProxy, startProxyService, update } from './proxy_requests.ts';

const everything = {
  allowedOrigins: ['https://wallet.example', 'http://localhost:3000', 'capacitor://localhost'],
  allowedAuthMethods: ['email', 'passkey', 'google'],
  sendFromEmailAddress: 'login@wallet.example',
  replyToEmailAddress: 'help@wallet.example',
  emailCustomizationParams: { appName: 'Wallet', logoUrl: 'https://wallet.example/logo.png' },
  smsCustomizationParams: { template: 'Wallet: {{.OtpCode}}' },
  walletKitSettings: {
    enabledSocialProviders: ['google'],
    oauthClientIds: { google: 'client' },
    oauthRedirectUrl: 'https://wallet.example/back',
  },
  otpExpirationSeconds: 120,
  verificationTokenExpirationSeconds: 600,
  sessionExpirationSeconds: 1800,
  otpAlphanumeric: false,
  otpLength: 6,
  sendFromEmailSenderName: 'Wallet',
  verificationTokenRequiredForGetAccountPii: true,
  socialLinkingClientIds: ['client'],
  captchaEnabled: true,
};

test('update_auth_proxy_config: changes every setting, and checks each', async (t) => {
  const service = await startProxyService();
  t.after(() => service.close());
  const wrong = (field: string, changes: object) => ({
    field: `parameters.${field}`,
    parameters: { ...everything, ...changes },
  });
  const originsThatAreNone = [
    'https://wallet.example/',
    'https://*.wallet.example',
    'https://Wallet.example',
    'https://wallet.example:443',
    'wallet.example',
    'null',
    'https://a.example,https://b.example',
    '**',
  ];
  const result = await checkActivity(service, {
    ...update,
    parameters: everything,
    optional: Object.keys(everything),
    malformed: [
      ...originsThatAreNone.map((origin) =>
        wrong('allowedOrigins.1', { allowedOrigins: ['*', origin] }),
      ),
      wrong('allowedOrigins', { allowedOrigins: [] }),
      wrong('allowedAuthMethods', { allowedAuthMethods: [] }),
      wrong('allowedAuthMethods.0', { allowedAuthMethods: ['carrier pigeon'] }),
      wrong('sendFromEmailAddress', { sendFromEmailAddress: 'nobody' }),
      wrong('replyToEmailAddress', { replyToEmailAddress: 'nobody' }),
      wrong('sendFromEmailSenderName', { sendFromEmailSenderName: 'a\nb' }),
      wrong('emailAuthTemplateId', { emailAuthTemplateId: 'template' }),
      wrong('otpTemplateId', { otpTemplateId: 'template' }),
      wrong('emailCustomizationParams.logoUrl', { emailCustomizationParams: { logoUrl: 'x' } }),
      wrong('smsCustomizationParams.template', { smsCustomizationParams: { template: 'x' } }),
      wrong('walletKitSettings.oauthRedirectUrl', { walletKitSettings: { oauthRedirectUrl: 'x' } }),
      wrong('otpLength', { otpLength: 5 }),
      wrong('otpLength', { otpLength: 10 }),
      wrong('otpExpirationSeconds', { otpExpirationSeconds: 0 }),
      wrong('otpExpirationSeconds', { otpExpirationSeconds: 601 }),
      wrong('verificationTokenExpirationSeconds', { verificationTokenExpirationSeconds: 86_401 }),
      wrong('sessionExpirationSeconds', { sessionExpirationSeconds: 0 }),
    ],
  });
  const { configId, settings } = await shownProxy(service);
  assert.deepEqual(result, { configId });
  assert.deepEqual(settings, everything);
});

test('update_auth_proxy_config: keeps omitted settings, and empty texts remove settings', async (t) => {
  const service = await startProxyService();
  t.after(() => service.close());
  await configure(service, everything);
  await configure(service, { otpLength: 8, sendFromEmailAddress: '' });
  const { sendFromEmailAddress: _, ...rest } = everything;
  assert.deepEqual((await shownProxy(service)).settings, { ...rest, otpLength: 8 });
  await configure(service, { allowedOrigins: ['*'], socialLinkingClientIds: [] });
  const { settings } = await shownProxy(service);
  assert.deepEqual([settings.allowedOrigins, settings.socialLinkingClientIds], [['*'], []]);
});

test('update_auth_proxy_config: refuses changes before the proxy is enabled', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  await checkRefused(
    service,
    { ...update, parameters: { otpLength: 6 } },
    { status: 404, code: 5, text: /^unable to find auth proxy configuration / },
  );
});

test('update_auth_proxy_config: policies decide', async (t) => {
  const service = await startProxyService();
  t.after(() => service.close());
  await makeUser(service, 'Alice');
  const as = { key: testKey('Alice') };
  const send = () => service.submit(update.operation, update.type, { otpLength: 7 }, as);
  assertRefused(await send(), 403, 7);
  await makePolicy(service, 'Proxies', {
    condition: "activity.resource == 'AUTH_PROXY' && activity.action == 'UPDATE'",
    consensus: 'approvers.count() >= 2',
  });
  const { body } = await send();
  assert.equal(body.activity.status, 'ACTIVITY_STATUS_CONSENSUS_NEEDED');
});
