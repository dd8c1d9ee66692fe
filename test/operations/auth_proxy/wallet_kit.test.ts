import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertViolation } from '../checks.ts';
import { accepted, callProxy, configure, startProxyService } from './proxy_requests.ts';

test('wallet_kit_config: names the login methods that work, with and without a body', async (t) => {
  const service = await startProxyService();
  t.after(() => service.close());
  const expected = {
    enabledProviders: ['email', 'sms', 'passkey', 'wallet'],
    sessionExpirationSeconds: '900',
    organizationId: service.root.organizationId,
    otpAlphanumeric: true,
    otpLength: '9',
  };
  assert.deepEqual(await accepted(callProxy(service, 'wallet_kit_config')), expected);
  assert.deepEqual(await accepted(callProxy(service, 'wallet_kit_config', {})), expected);
  assertViolation(await callProxy(service, 'wallet_kit_config', { surprise: 1 }), 'surprise');
  await configure(service, {
    allowedAuthMethods: ['email', 'passkey', 'google', 'x'],
    walletKitSettings: {
      enabledSocialProviders: ['google', 'apple'],
      oauthClientIds: { google: 'client' },
      oauthRedirectUrl: 'https://wallet.example/back',
    },
    sessionExpirationSeconds: 60,
    otpAlphanumeric: false,
    otpLength: 6,
  });
  assert.deepEqual(await accepted(callProxy(service, 'wallet_kit_config')), {
    enabledProviders: ['email', 'passkey', 'google'],
    sessionExpirationSeconds: '60',
    organizationId: service.root.organizationId,
    oauthClientIds: { google: 'client' },
    oauthRedirectUrl: 'https://wallet.example/back',
    otpAlphanumeric: false,
    otpLength: '6',
  });
});

test('wallet_kit_config: offers codes only if the service can send them', async (t) => {
  const deployment = { sendsEmail: false, sendsSms: false };
  const service = await startProxyService({ deployment });
  t.after(() => service.close());
  const { enabledProviders } = await accepted(callProxy(service, 'wallet_kit_config'));
  assert.deepEqual(enabledProviders, ['passkey', 'wallet']);
});

test('wallet_kit_client_params: names the captcha key if captchas are required', async (t) => {
  const service = await startProxyService({ deployment: { captchaSiteKey: 'site' } });
  t.after(() => service.close());
  const ask = () => accepted(callProxy(service, 'wallet_kit_client_params'));
  assert.deepEqual(await ask(), {});
  await configure(service, { captchaEnabled: true });
  assert.deepEqual(await ask(), { turnstileSiteKey: 'site' });
});
