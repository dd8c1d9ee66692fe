// Every operation is open exactly to the users in the table: each is called by users with a single policy,
// through the real path of a request. The table was not derived from the code.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { textOfUtf8 } from '../../src/core/base/bytes.ts';
import {
  activityOperations,
  proxyOperations,
  queryOperations,
  voteOperations,
} from '../../src/operations/index.ts';
import { callProxy } from '../operations/auth_proxy/proxy_requests.ts';
import { activityBody } from '../operations/checks.ts';
import { stampOf, type TestAnswer, type TestKey, testKey } from '../support/harness.ts';
import {
  proxyRows,
  queriesThatFindChild,
  queryNames,
  type Rule,
  type SubmitRow,
  submitRows,
  voteRows,
} from './access_table.ts';
import { type Call, queryCalls, submitCalls } from './calls.ts';
import { policyOf, startTenants, type Tenant, type TenantName, type Tenants } from './tenants.ts';

/** Tenants whose root quorum is another user now, so their former root user has no special rights. */
const prepared: readonly TenantName[] = ['parent', 'child', 'unrelated'];

let tenants: Tenants;
/** By tenant, the key of its root quorum, and its only policy with an effect. */
const roots = new Map<string, { readonly key: TestKey; readonly policyId: string }>();
const conditions = new Map<string, string>();

before(async () => {
  tenants = await startTenants();
  for (const name of prepared) await giveUpRoot(tenantOf(name));
});
after(() => tenants.close());

test('every operation has a row in the table, and every row an operation', () => {
  const same = (rows: Iterable<string>, operations: object) =>
    assert.deepEqual([...rows].sort(), Object.keys(operations).sort());
  same(
    submitRows.map(({ operation }) => operation),
    activityOperations,
  );
  same(Object.keys(voteRows), voteOperations);
  same([...queryNames, ...queriesThatFindChild], queryOperations);
  same(Object.keys(proxyRows), proxyOperations);
});

test('every operation accepts the types of its row, newest first', () => {
  const versions = Object.entries(activityOperations).map(([operation, { wire, older }]) => [
    operation,
    [wire.type, ...older.map((version) => version.wire.type)],
  ]);
  const written = submitRows.map(({ operation, types }) => [
    operation,
    types.map((type) => `ACTIVITY_TYPE_${type}`),
  ]);
  assert.deepEqual(Object.fromEntries(versions), Object.fromEntries(written));
  const votes = Object.entries(voteOperations).map(([operation, { type }]) => [operation, type]);
  const rows = Object.entries(voteRows).map(([name, type]) => [name, `ACTIVITY_TYPE_${type}`]);
  assert.deepEqual(Object.fromEntries(votes), Object.fromEntries(rows));
});

for (const row of submitRows) {
  const { operation, resource, action, rule } = row;
  const title = `${operation} is ${resource} ${action}, and up to ${rule}`;
  test(title, async () => {
    for (const call of callsOf(submitCalls, operation)) {
      const tenant = tenantOf(call.by ?? 'child');
      await checkGrants(row, call, tenant, tenant.key);
      if (rule.endsWith('oneself')) await checkGrants(row, call, tenant, plainKey(tenant));
      if (rule.startsWith('quorum')) await checkQuorum(row, call, tenant);
      if (call.by === undefined) await checkParent(row, call);
      if (call.by === undefined) await checkFromAbove(row, call);
      await checkNoStamp('submit', operation, bodyOf(row, call, tenant));
    }
  });
}

for (const [operation, type] of Object.entries(voteRows)) {
  test(`${operation} is open to users whose votes count for the activity`, async () => {
    const tenant = tenantOf('unrelated');
    const { service } = tenants;
    const parameters = { fingerprint: tenant.pendingFingerprint };
    const { organizationId } = tenant;
    const body = () => activityBody(service, `ACTIVITY_TYPE_${type}`, parameters, organizationId);
    await grant(tenant, 'false');
    await checkNoStamp('submit', operation, body());
    const vote = await tried(operation, body(), tenant.key);
    assert.equal(vote.status, 200, JSON.stringify(vote.body));
    // A policy without a consensus gives strangers no vote in a child.
    const stranger = await tried(operation, body(), tenantOf('child').key);
    assert.equal(stranger.status, 401, JSON.stringify(stranger.body));
  });
}

for (const operation of [...queryNames, ...queriesThatFindChild]) {
  test(`${operation} is read by users of the organization and of its parent`, async () => {
    for (const call of callsOf(queryCalls, operation)) {
      const { service } = tenants;
      const child = tenantOf('child');
      const tenant = tenantOf(call.by ?? 'child');
      await grant(tenant, 'false');
      const { organizationId } = tenant;
      const parameters = call.parameters(tenant);
      const ask = (key: TestKey) => service.query(operation, parameters, { organizationId, key });
      for (const key of [tenant.key, plainKey(tenant), tenantOf('parent').key]) {
        const answer = await ask(key);
        assert.equal(answer.status, 200, JSON.stringify(answer.body));
      }
      for (const key of [tenantOf('unrelated').key, tenantOf('sibling').key]) {
        // A query that finds the child lets a sibling through if it names the common parent.
        const isFound = tenant.name === 'parent' && queriesThatFindChild.includes(operation);
        if (isFound && key === tenantOf('sibling').key) continue;
        assert.equal((await ask(key)).status, 401);
      }
      await checkNoStamp('query', operation, { organizationId, ...parameters });
      const above = tenantOf('parent').organizationId;
      const as = { organizationId: above, key: child.key };
      const fromBelow = (of: Tenant) => service.query(operation, call.parameters(of), as);
      if (!queriesThatFindChild.includes(operation)) {
        assert.equal((await fromBelow(tenantOf('parent'))).status, 401);
      } else {
        const inChild = await service.query(operation, call.parameters(child), child);
        assert.deepEqual(await fromBelow(child), inChild);
      }
    }
  });
}

for (const [operation, { takesCaptcha }] of Object.entries(proxyRows)) {
  test(`the proxy’s ${operation} requires a configuration${takesCaptcha ? ' and a captcha' : ''}`, async () => {
    const { service } = tenants;
    const { body } = await service.query('get_auth_proxy_config');
    const configId: string = body.config?.configId ?? body.configId ?? assert.fail();
    for (const wrong of [undefined, tenantOf('child').organizationId]) {
      const answer = await callProxy(service, operation, {}, { configId: wrong });
      assert.ok(answer.status >= 400 && answer.status < 500, JSON.stringify(answer.body));
      assert.match(answer.body.message, /config/i);
    }
    assert.equal(proxyOperations[operation]?.takesCaptcha === true, takesCaptcha);
    // A request that is refused for its body passed the access check.
    const entered = await callProxy(service, operation, { otpType: 1, apiKeys: 1 }, { configId });
    assert.doesNotMatch(String(entered.body.message ?? ''), /config/i);
  });
}

/** Returns conditions of policies, and true for those that cover the row. */
const grants = ({ types, resource, action }: SubmitRow) => {
  const isRow = `activity.resource == '${resource}' && activity.action == '${action}'`;
  const type = `ACTIVITY_TYPE_${types[0]}`;
  const kind = types[0]?.replace(/_V\d+$/, '');
  return [
    { condition: 'false', covers: false },
    { condition: 'true', covers: true },
    { condition: isRow, covers: true },
    { condition: `!(${isRow})`, covers: false },
    { condition: `activity.type == '${type}'`, covers: true },
    { condition: `activity.type != '${type}'`, covers: false },
    { condition: `activity.kind == '${kind}'`, covers: true },
  ];
};

/** By rule, if a user outside of the root quorum is allowed. */
const isAllowed: Readonly<Record<Rule, (isOwn: boolean, covers: boolean) => boolean>> = {
  policies: (_, covers) => covers,
  'policies or oneself': (isOwn, covers) => isOwn || covers,
  'quorum or oneself': (isOwn) => isOwn,
  quorum: () => false,
};

/** Checks a user outside of the root quorum under each policy. */
async function checkGrants(row: SubmitRow, call: Call, tenant: Tenant, key: TestKey) {
  const callerId = key === tenant.key ? tenant.rootUserId : tenant.userId;
  const targetId = (call.parameters(tenant) as { userId?: string }).userId ?? callerId;
  for (const { condition, covers } of grants(row)) {
    // Policies cannot name the kinds of root quorum operations.
    if (row.rule === 'quorum' && condition.startsWith('activity.kind')) continue;
    await grant(tenant, condition);
    const isExpected = isAllowed[row.rule](targetId === callerId, covers);
    await checkOutcome(row, bodyOf(row, call, tenant), key, isExpected, condition);
  }
}

/** Checks that the root quorum needs no policy. */
async function checkQuorum(row: SubmitRow, call: Call, tenant: Tenant) {
  await grant(tenant, 'false');
  await checkOutcome(row, bodyOf(row, call, tenant), rootOf(tenant).key, true, 'as root quorum');
}

/**
 * Checks a user of the parent in the child: the policies of the parent decide, if the operation allows it.
 */
async function checkParent(row: SubmitRow, call: Call) {
  const [parent, child] = [tenantOf('parent'), tenantOf('child')];
  await grant(child, 'true');
  for (const { condition, covers } of grants(row).slice(0, 4)) {
    await grant(parent, condition);
    const what = `by the parent, ${condition}`;
    const isExpected = row.parentActs && covers;
    const refusal = row.parentActs ? notPermitted : otherOrganization;
    await checkOutcome(row, bodyOf(row, call, child), parent.key, isExpected, what, refusal);
  }
}

/** Checks a user of the child who names the parent. */
async function checkFromAbove(row: SubmitRow, call: Call) {
  const [parent, child] = [tenantOf('parent'), tenantOf('child')];
  await grant(parent, 'true');
  await grant(child, 'true');
  const { types, operation } = row;
  const parameters = { ...call.parameters(child) };
  const { organizationId } = parent;
  const type = `ACTIVITY_TYPE_${types[0]}`;
  const body = activityBody(tenants.service, type, parameters, organizationId);
  const answer = await tried(operation, body, child.key);
  // A caller who is found passes authentication; its rights are checked elsewhere.
  const isFound = answer.status !== 401;
  assert.equal(isFound, row.findsChild, `${operation}: ${JSON.stringify(answer.body)}`);
}

/** Status and code of a refusal by policies, and of a request for an organization of other users. */
const notPermitted = [403, 7];
const otherOrganization = [400, 3];

async function checkOutcome(
  { operation }: SubmitRow,
  body: Uint8Array,
  key: TestKey,
  isExpected: boolean,
  what: string,
  refusal = notPermitted,
): Promise<void> {
  if (isExpected) {
    // An allowed request is only a dry run, so that the next request finds the same state.
    const { status, body: answer } = await tried(operation, body, key);
    assert.equal(answer.dryRun?.outcome, 'ALLOW', `${what}: ${JSON.stringify({ status, answer })}`);
  } else {
    const { status, body: answer } = await tenants.service.send('submit', operation, body, [
      stampOf(body, key),
    ]);
    assert.deepEqual([status, answer.code], refusal, `${what}: ${JSON.stringify(answer)}`);
  }
}

async function checkNoStamp(
  kind: 'submit' | 'query',
  operation: string,
  body: Uint8Array | object,
): Promise<void> {
  const bytes = body instanceof Uint8Array ? body : Buffer.from(JSON.stringify(body));
  const { status, body: answer } = await tenants.service.send(kind, operation, bytes, []);
  assert.deepEqual([status, answer.code], [401, 16], JSON.stringify(answer));
}

/** Makes another user the root quorum, and leaves one policy that tests change. */
async function giveUpRoot(tenant: Tenant): Promise<void> {
  const { service } = tenants;
  const { organizationId, name } = tenant;
  const key = testKey(`root quorum of ${name}`);
  const done = async (operation: string, type: string, parameters: object) => {
    const as = { organizationId, key: tenant.key };
    const answer = await service.submit(operation, `ACTIVITY_TYPE_${type}`, parameters, as);
    assert.equal(answer.body.activity?.status, 'ACTIVITY_STATUS_COMPLETED', JSON.stringify(answer));
    return answer.body.activity.result;
  };
  const user = {
    userName: 'Root quorum',
    apiKeys: [{ apiKeyName: 'Key', publicKey: key.publicKey, curveType: 'API_KEY_CURVE_P256' }],
    authenticators: [],
    oauthProviders: [],
    userTags: [],
  };
  const made = await done('create_users', 'CREATE_USERS_V4', { users: [user] });
  const { userIds } = made.createUsersResult;
  const policy = await done('create_policy', 'CREATE_POLICY_V3', policyOf('Grant'));
  const { policyId } = policy.createPolicyResult;
  if (name !== 'unrelated') await dropOthers(tenant, policyId, done);
  await done('update_root_quorum', 'UPDATE_ROOT_QUORUM', { threshold: 1, userIds });
  roots.set(name, { key, policyId });
}

/** Deletes other policies, which could make activities wait for votes. */
async function dropOthers(
  { organizationId, key, policyId: own }: Tenant,
  policyId: string,
  done: (operation: string, type: string, parameters: object) => Promise<unknown>,
): Promise<void> {
  const { body } = await tenants.service.query('list_policies', {}, { organizationId, key });
  const ids: readonly string[] = body.policies.map((one: { policyId: string }) => one.policyId);
  // A sample names this policy, so it stays.
  const policyIds = ids.filter((id) => id !== policyId && id !== own);
  await done('delete_policies', 'DELETE_POLICIES', { policyIds });
}

/** Sets the condition of the only policy of a tenant. */
async function grant(tenant: Tenant, condition: string): Promise<void> {
  if (conditions.get(tenant.name) === condition) return;
  const { key, policyId } = rootOf(tenant);
  const { organizationId } = tenant;
  const type = 'ACTIVITY_TYPE_UPDATE_POLICY_V2';
  const parameters = { policyId, policyCondition: condition };
  const as = { organizationId, key };
  const answer = await tenants.service.submit('update_policy', type, parameters, as);
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
  conditions.set(tenant.name, condition);
}

async function tried(operation: string, body: Uint8Array, key: TestKey): Promise<TestAnswer> {
  const answer = await tenants.service.enclave.request({
    requestId: 'dry run',
    kind: 'dry_run',
    operation,
    headers: [stampOf(body, key)],
    timestampObjects: false,
    remoteAddress: '127.0.0.1',
    body,
  });
  return { status: answer.status, body: JSON.parse(textOfUtf8(answer.body) ?? '') };
}

function bodyOf({ types }: SubmitRow, call: Call, tenant: Tenant): Uint8Array {
  const { service } = tenants;
  service.advance(1);
  const type = `ACTIVITY_TYPE_${types[0]}`;
  return activityBody(service, type, { ...call.parameters(tenant) }, tenant.organizationId);
}

function callsOf(calls: Readonly<Record<string, readonly Call[]>>, operation: string) {
  return calls[operation] ?? assert.fail(`${operation} has no calls`);
}

/** Returns the key of the user whose credentials the samples name. */
const plainKey = ({ name }: Tenant): TestKey => testKey(`user of ${name}`);

const rootOf = ({ name }: Tenant) => roots.get(name) ?? assert.fail(name);

function tenantOf(name: TenantName): Tenant {
  return tenants.all.get(name) ?? assert.fail(name);
}
