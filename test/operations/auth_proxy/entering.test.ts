// Checks before the proxy acts: configuration, origin, captcha, and the policy of the proxy.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { utf8 } from '../../../src/core/base/bytes.ts';
import { startServiceOver } from '../../enclave/service_over.ts';
import { testKey } from '../../support/harness.ts';
import { assertRefused, storedCount } from '../checks.ts';
import { describedKey, makeUser } from '../users/user_requests.ts';
import {
  accepted,
  callProxy,
  configure,
  done,
  nobody,
  shownProxy,
  startProxyService,
} from './proxy_requests.ts';

const withKey = (name: string) => ({ ...nobody, apiKeys: [describedKey(name)] });

// SIGNUP-03, AUTH-06
test('a request must name an existing configuration', async (t) => {
  const service = await startProxyService();
  t.after(() => service.close());
  const of = (configId: string | undefined) =>
    callProxy(service, 'wallet_kit_config', {}, { configId });
  for (const configId of [undefined, '', 'x', 'é']) {
    const answer = await of(configId);
    assertRefused(answer, 400, 3);
    assert.match(answer.body.message, /^invalid header `X-Auth-Proxy-Config-Id`: expected a UUID$/);
  }
  for (const configId of [service.root.organizationId, service.root.userId]) {
    assertRefused(await of(configId), 404, 5);
  }
  await accepted(of(service.root.authProxyConfigId.toUpperCase()));
  assertRefused(await callProxy(service, 'sign_raw_payload', {}), 404, 5);
  assertRefused(await callProxy(service, 'constructor', {}), 404, 5);
  const headers = ['x', 'y'].map(() => ({
    name: 'x-auth-proxy-config-id',
    value: service.root.authProxyConfigId,
  }));
  const twice = await service.enclave.request({
    requestId: 'twice',
    kind: 'proxy',
    operation: 'wallet_kit_config',
    headers,
    timestampObjects: false,
    remoteAddress: '',
    body: utf8('{}'),
  });
  assert.equal(twice.status, 400);
});

test('pages of other origins are refused and cannot read the reason', async (t) => {
  const service = await startProxyService();
  t.after(() => service.close());
  const from = (origin?: string, body: object = {}) =>
    callProxy(service, 'wallet_kit_config', body, origin === undefined ? {} : { origin });
  const open = await from('https://anywhere.example');
  assert.deepEqual([open.status, open.allowedOrigin], [200, 'https://anywhere.example']);
  assert.equal((await from('null')).status, 200);
  await configure(service, { allowedOrigins: ['https://wallet.example', 'http://localhost:3000'] });
  for (const origin of ['https://wallet.example', 'http://localhost:3000']) {
    const answer = await from(origin);
    assert.deepEqual([answer.status, answer.allowedOrigin], [200, origin]);
    const refused = await from(origin, { surprise: 1 });
    assert.deepEqual([refused.status, refused.allowedOrigin], [400, origin], 'its own mistakes');
  }
  for (const origin of [
    'https://anywhere.example',
    'https://wallet.example.evil.example',
    'https://sub.wallet.example',
    'http://wallet.example',
    'https://wallet.example:444',
    'HTTPS://WALLET.EXAMPLE',
    'null',
    '',
  ]) {
    const answer = await from(origin);
    assertRefused(answer, 403, 7);
    assert.equal(answer.allowedOrigin, undefined);
  }
  const application = await from();
  assert.deepEqual([application.status, application.allowedOrigin], [200, undefined]);
});

for (const [what, wire, parametersOf] of [
  [
    'its policy',
    { operation: 'delete_policy', type: 'ACTIVITY_TYPE_DELETE_POLICY' },
    ({ policyId }: Proxy) => ({ policyId }),
  ],
  [
    'its user',
    { operation: 'delete_users', type: 'ACTIVITY_TYPE_DELETE_USERS' },
    ({ userId }: Proxy) => ({ userIds: [userId] }),
  ],
  [
    'the feature',
    {
      operation: 'remove_organization_feature',
      type: 'ACTIVITY_TYPE_REMOVE_ORGANIZATION_FEATURE',
    },
    () => ({ name: 'FEATURE_NAME_AUTH_PROXY' }),
  ],
] as const) {
  test(`without ${what} the proxy does nothing, and requests of strangers are not recorded`, async (t) => {
    const service = await startProxyService();
    t.after(() => service.close());
    await done(service, wire, parametersOf(await shownProxy(service)));
    const before = await storedCount(service);
    for (const operation of ['signup_v2', 'wallet_kit_config']) {
      const body = operation === 'signup_v2' ? withKey('alice') : {};
      const answer = await callProxy(service, operation, body);
      assertRefused(answer, 403, 7);
      assert.match(
        answer.body.message,
        /^request not authorized: the auth proxy is switched off: /,
      );
    }
    assert.deepEqual(await storedCount(service), before);
  });
}

type Proxy = { readonly policyId: string; readonly userId: string };

test('without its key the proxy does nothing', async (t) => {
  const service = await startProxyService();
  t.after(() => service.close());
  const { userId } = await shownProxy(service);
  const { user } = await accepted(service.query('get_user', { userId }));
  const apiKeyIds = user.apiKeys.map(({ apiKeyId }: { apiKeyId: string }) => apiKeyId);
  const create = { operation: 'create_api_keys', type: 'ACTIVITY_TYPE_CREATE_API_KEYS_V2' };
  await done(service, create, { userId, apiKeys: [describedKey('another')] });
  const remove = { operation: 'delete_api_keys', type: 'ACTIVITY_TYPE_DELETE_API_KEYS' };
  await done(service, remove, { userId, apiKeyIds });
  assertRefused(await callProxy(service, 'wallet_kit_config'), 403, 7);
});

test('the policy of the proxy decides what it may do, and strangers see no policy', async (t) => {
  const service = await startProxyService();
  t.after(() => service.close());
  const { policyId, userId } = await shownProxy(service);
  const change = { operation: 'update_policy', type: 'ACTIVITY_TYPE_UPDATE_POLICY_V2' };
  await done(service, change, {
    policyId,
    policyCondition: "activity.kind == 'INIT_OTP'",
  });
  const answer = await callProxy(service, 'signup_v2', withKey('alice'));
  assertRefused(answer, 403, 7);
  assert.doesNotMatch(
    JSON.stringify(answer.body),
    new RegExp(`${policyId}|Onboarding proxy|${userId}`),
  );
  const asked = { otpType: 'OTP_TYPE_EMAIL', contact: 'alice@example.com' };
  await accepted(callProxy(service, 'otp_init_v2', asked));
});

test('a root quorum of several users does not stop the proxy, and a policy with votes does', async (t) => {
  const service = await startProxyService();
  t.after(() => service.close());
  const { policyId } = await shownProxy(service);
  const second = await makeUser(service, 'Second');
  await done(
    service,
    { operation: 'update_root_quorum', type: 'ACTIVITY_TYPE_UPDATE_ROOT_QUORUM' },
    { threshold: 2, userIds: [service.root.userId, second] },
  );
  await accepted(callProxy(service, 'signup_v2', withKey('alice')));

  const parameters = { policyId, policyConsensus: 'approvers.count() >= 2' };
  const change = { operation: 'update_policy', type: 'ACTIVITY_TYPE_UPDATE_POLICY_V2' };
  const { activity } = await accepted(service.submit(change.operation, change.type, parameters));
  const approve = ['approve_activity', 'ACTIVITY_TYPE_APPROVE_ACTIVITY'] as const;
  const { fingerprint } = activity;
  await accepted(service.submit(...approve, { fingerprint }, { key: testKey('Second') }));

  const answer = await callProxy(service, 'signup_v2', withKey('bob'));
  assertRefused(answer, 403, 7);
  const [, waitingId] = /activity ([0-9a-f-]{36}) waits/.exec(answer.body.message) ?? [];
  const waiting = await accepted(service.query('get_activity', { activityId: waitingId }));
  assert.equal(waiting.activity.status, 'ACTIVITY_STATUS_CONSENSUS_NEEDED');
  const voted = await accepted(
    service.submit(...approve, { fingerprint: waiting.activity.fingerprint }),
  );
  assert.equal(voted.activity.status, 'ACTIVITY_STATUS_COMPLETED');
  const filter = { filterType: 'PUBLIC_KEY', filterValue: testKey('bob').publicKey };
  const found = await accepted(callProxy(service, 'account', filter));
  assert.equal(typeof found.organizationId, 'string');
});

test('captchas are checked only where a configuration requires them', async (t) => {
  const service = await startProxyService();
  t.after(() => service.close());
  await configure(service, { captchaEnabled: true });
  service.outside.solvedCaptchas.add('solved');
  const asked = { otpType: 'OTP_TYPE_EMAIL', contact: 'alice@example.com' };
  for (const [operation, body] of [
    ['signup', withKey('a')],
    ['signup_v2', withKey('b')],
    ['otp_init', asked],
    ['otp_init_v2', asked],
  ] as const) {
    for (const headers of [{}, { captchaToken: 'guessed' }]) {
      const answer = await callProxy(service, operation, body, headers);
      assertRefused(answer, 403, 7);
      assert.match(answer.body.message, /X-Captcha-Token$/);
    }
    await accepted(callProxy(service, operation, body, { captchaToken: 'solved' }));
  }
  await accepted(callProxy(service, 'wallet_kit_config'));
  const filter = { filterType: 'PUBLIC_KEY', filterValue: testKey('a').publicKey };
  await accepted(callProxy(service, 'account', filter));
});

test('the proxy accepts requests from outside the IP allowlist of its organization', async (t) => {
  const service = await startProxyService();
  t.after(() => service.close());
  const wire = { operation: 'set_ip_allowlist', type: 'ACTIVITY_TYPE_SET_IP_ALLOWLIST' };
  const rules = [{ cidr: '127.0.0.1/32' }];
  await done(service, wire, { rules, enabled: true, onEvaluationError: 'DENY' });
  service.remoteAddress = '203.0.113.7';
  assertRefused(await service.query('whoami'), 403, 7);
  await accepted(callProxy(service, 'signup_v2', withKey('alice')));
});

test('a look-up that leads to another organization finds no proxy there', async (t) => {
  const service = await startProxyService();
  t.after(() => service.close());
  const { organizationId } = await accepted(callProxy(service, 'signup_v2', withKey('alice')));
  const { store } = service;
  const misled = {
    ...store.port,
    lookup: async (request: Parameters<typeof store.port.lookup>[0]) =>
      (await store.port.lookup(request)).map((row) => ({ ...row, organizationId })),
  };
  const other = await startServiceOver({ store: misled, seed: 'misled', clock: service.now });
  const answer = await callProxy({ ...service, enclave: other.enclave }, 'wallet_kit_config');
  assertRefused(answer, 404, 5);
});
