import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startTestService, testKey } from '../../support/harness.ts';
import { checkActivity, checkRefused } from '../checks.ts';
import { addChild } from '../other_callers.ts';
import { makePolicy } from '../policies/policy_requests.ts';
import { makeUser } from '../users/user_requests.ts';
import { accepted, callProxy, disable, done, enable, shownProxy } from './proxy_requests.ts';

test('enable_auth_proxy: creates a user, its key, one policy and the feature', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const { organizationId, authProxyConfigId, userId: rootUserId } = service.root;
  const { status } = await callProxy(service, 'wallet_kit_config');
  assert.equal(status, 404, 'not before it is enabled');

  const result = await checkActivity(service, { ...enable, parameters: {} });
  assert.deepEqual(Object.keys(result), ['userId']);
  const { userId } = result;
  const { user } = await accepted(service.query('get_user', { userId }));
  assert.equal(user.userName, 'Onboarding proxy');
  assert.equal(user.apiKeys.length, 1);
  assert.equal(user.apiKeys[0].credential.type, 'CREDENTIAL_TYPE_API_KEY_P256');
  const { configs } = await accepted(service.query('get_organization_configs'));
  assert.deepEqual(configs.quorum.userIds, [rootUserId], 'it is not of the root quorum');
  assert.deepEqual(
    configs.features.map(({ name }: { name: string }) => name),
    ['FEATURE_NAME_AUTH_PROXY'], // ENUM-07
  );

  const { policies } = await accepted(service.query('list_policies'));
  assert.equal(policies.length, 1);
  const [policy] = policies;
  assert.equal(policy.effect, 'EFFECT_ALLOW');
  assert.equal(policy.consensus, `approvers.any(user, user.id == '${userId}')`);
  const kinds = [...policy.condition.matchAll(/activity\.kind == '(\w+)'/g)].map(
    ([, kind]) => kind,
  );
  assert.deepEqual(kinds, [
    'CREATE_SUB_ORGANIZATION',
    'INIT_OTP',
    'VERIFY_OTP',
    'OTP_LOGIN',
    'OAUTH_LOGIN',
    'OAUTH2_AUTHENTICATE',
  ]);
  const shown = await shownProxy(service);
  assert.equal(shown.configId, authProxyConfigId, 'under the id that the root credentials name');
  assert.equal(shown.policyId, policy.policyId);

  const config = await accepted(callProxy(service, 'wallet_kit_config'));
  assert.equal(config.organizationId, organizationId);
  await checkRefused(
    service,
    { ...enable, parameters: {} },
    { status: 409, code: 6, text: /^auth proxy configuration already exists/ },
  );
});

test('enable_auth_proxy: enabling again replaces all but the id', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const first = await done(service, enable);
  const before = await shownProxy(service);
  await done(service, disable);
  const second = await done(service, enable);
  const after = await shownProxy(service);
  assert.notEqual(second.userId, first.userId);
  assert.notEqual(after.policyId, before.policyId);
  assert.equal(after.configId, before.configId);
  await accepted(callProxy(service, 'wallet_kit_config'));
});

test('enable_auth_proxy: only parents have a proxy, and policies may require votes', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const child = await addChild(service);
  await checkRefused(
    service,
    { ...enable, parameters: {}, as: child },
    { status: 403, code: 7, text: /a sub-organization cannot have an onboarding proxy$/ },
  );
  await makeUser(service, 'Alice');
  await makePolicy(service, 'Proxies', {
    condition: "activity.resource == 'AUTH_PROXY' && activity.action == 'CREATE'",
    consensus: 'approvers.count() >= 2',
  });
  const as = { key: testKey('Alice') };
  const { body } = await service.submit(enable.operation, enable.type, {}, as);
  assert.equal(body.activity.status, 'ACTIVITY_STATUS_CONSENSUS_NEEDED');
  const { fingerprint } = body.activity;
  const vote = 'ACTIVITY_TYPE_APPROVE_ACTIVITY';
  const approved = await accepted(service.submit('approve_activity', vote, { fingerprint }));
  assert.equal(approved.activity.status, 'ACTIVITY_STATUS_COMPLETED');
  await accepted(callProxy(service, 'wallet_kit_config'));
});
