import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testKey } from '../../support/harness.ts';
import { assertRefused, checkActivity, checkRefused } from '../checks.ts';
import { makePolicy } from '../policies/policy_requests.ts';
import { makeUser } from '../users/user_requests.ts';
import {
  accepted,
  callProxy,
  disable,
  done,
  shownProxy,
  startProxyService,
} from './proxy_requests.ts';

test('disable_auth_proxy: removes user, key, policy, settings and feature', async (t) => {
  const service = await startProxyService();
  t.after(() => service.close());
  const { userId } = await shownProxy(service);
  const result = await checkActivity(service, { ...disable, parameters: {} });
  assert.deepEqual(result, {});
  assertRefused(await callProxy(service, 'wallet_kit_config'), 404, 5);
  assertRefused(await service.query('get_auth_proxy_config'), 404, 5);
  assertRefused(await service.query('get_user', { userId }), 404, 5);
  const { policies } = await accepted(service.query('list_policies'));
  assert.deepEqual(policies, []);
  const { configs } = await accepted(service.query('get_organization_configs'));
  assert.deepEqual(configs.features, []);
  await checkRefused(
    service,
    { ...disable, parameters: {} },
    { status: 404, code: 5, text: /^unable to find auth proxy configuration / },
  );
});

test('disable_auth_proxy: tolerates parts that are deleted already', async (t) => {
  const service = await startProxyService();
  t.after(() => service.close());
  const { userId, policyId } = await shownProxy(service);
  await done(
    service,
    { operation: 'delete_users', type: 'ACTIVITY_TYPE_DELETE_USERS' },
    { userIds: [userId] },
  );
  await done(
    service,
    { operation: 'delete_policy', type: 'ACTIVITY_TYPE_DELETE_POLICY' },
    { policyId },
  );
  await done(
    service,
    {
      operation: 'remove_organization_feature',
      type: 'ACTIVITY_TYPE_REMOVE_ORGANIZATION_FEATURE',
    },
    { name: 'FEATURE_NAME_AUTH_PROXY' },
  );
  await done(service, disable);
});

test('disable_auth_proxy: does not remove a member of the root quorum', async (t) => {
  const service = await startProxyService();
  t.after(() => service.close());
  const { userId } = await shownProxy(service);
  await done(
    service,
    { operation: 'update_root_quorum', type: 'ACTIVITY_TYPE_UPDATE_ROOT_QUORUM' },
    { threshold: 1, userIds: [service.root.userId, userId] },
  );
  await checkRefused(
    service,
    { ...disable, parameters: {} },
    { status: 400, code: 3, text: /^quorum users missing: user / },
  );
});

test('disable_auth_proxy: policies decide', async (t) => {
  const service = await startProxyService();
  t.after(() => service.close());
  await makeUser(service, 'Alice');
  await makePolicy(service, 'Proxies', {
    condition: "activity.resource == 'AUTH_PROXY' && activity.action == 'DELETE'",
    consensus: 'approvers.count() >= 2',
  });
  const as = { key: testKey('Alice') };
  const { body } = await service.submit(disable.operation, disable.type, {}, as);
  assert.equal(body.activity.status, 'ACTIVITY_STATUS_CONSENSUS_NEEDED');
});
