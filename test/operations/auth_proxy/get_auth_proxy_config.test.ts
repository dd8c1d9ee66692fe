import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startTestService } from '../../support/harness.ts';
import { assertRefused, checkQuery } from '../checks.ts';
import { done, shownProxy, startProxyService } from './proxy_requests.ts';

test('get_auth_proxy_config: shows everything but the key, with the defaults', async (t) => {
  const service = await startProxyService();
  t.after(() => service.close());
  const answer = await checkQuery(service, { operation: 'get_auth_proxy_config', body: {} });
  const { userId, policyId, createdAt, updatedAt, ...rest } = answer;
  assert.equal(typeof userId, 'string');
  assert.equal(typeof policyId, 'string');
  assert.deepEqual(createdAt, updatedAt);
  assert.deepEqual(rest, {
    configId: service.root.authProxyConfigId,
    isActive: true,
    settings: {
      allowedOrigins: ['*'],
      allowedAuthMethods: [
        ...['email', 'sms', 'passkey', 'wallet', 'google', 'apple', 'facebook', 'x', 'discord'],
        'oidc',
      ],
      otpExpirationSeconds: 300,
      verificationTokenExpirationSeconds: 3600,
      sessionExpirationSeconds: 900,
      otpAlphanumeric: true,
      otpLength: 9,
      verificationTokenRequiredForGetAccountPii: true,
      socialLinkingClientIds: [],
      captchaEnabled: false,
    },
  });
});

test('get_auth_proxy_config: not found in an organization without a proxy, or with a stopped proxy', async (t) => {
  const without = await startTestService();
  t.after(() => without.close());
  assertRefused(await without.query('get_auth_proxy_config'), 404, 5);
  const service = await startProxyService();
  t.after(() => service.close());
  const { policyId } = await shownProxy(service);
  const wire = { operation: 'delete_policy', type: 'ACTIVITY_TYPE_DELETE_POLICY' };
  await done(service, wire, { policyId });
  assert.equal((await shownProxy(service)).isActive, false);
});
