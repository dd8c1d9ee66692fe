// A verification token attests one act: one activity or one vote, despite repetitions by anyone, in any
// organization and on any node.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { activityBody, assertRefused } from '../operations/checks.ts';
import {
  childWithAlice,
  loginSignature,
  usageSignature,
  verifiedToken,
} from '../operations/one_time_codes/otp_requests.ts';
import { makePolicy } from '../operations/policies/policy_requests.ts';
import { askTwoNodes } from '../operations/second_node.ts';
import { resultOf } from '../operations/sessions/session_requests.ts';
import { makeUser, setFeatures } from '../operations/users/user_requests.ts';
import { startTestService, type TestService, testKey } from '../support/harness.ts';
import { type Attestation, attestedStamp } from './attested_requests.ts';
import { bytesOf } from './requests.ts';

const alice = 'alice@example.com';
const key = testKey('client');
const scheme = 'STAMP_ATTESTED_SCHEME_P256_VERIFICATION_TOKEN';
const tagType = 'ACTIVITY_TYPE_CREATE_USER_TAG';
const loginType = 'ACTIVITY_TYPE_STAMP_LOGIN';

const attested = async (service: TestService): Promise<Attestation> => ({
  token: await verifiedToken(service),
  scheme,
});

const send = (service: TestService, operation: string, body: Uint8Array, by: Attestation) =>
  service.send('submit', operation, body, [attestedStamp(body, key, by)]);

const tagBody = (service: TestService, userTagName: string) =>
  activityBody(service, tagType, { userTagName, userIds: [] });

const loginBody = (service: TestService, name: string, organizationId?: string) =>
  activityBody(service, loginType, { publicKey: testKey(name).publicKey }, organizationId);

const whoami = (service: TestService, by: Attestation) => {
  const { organizationId } = service.root;
  const body = bytesOf({ organizationId });
  return service.send('query', 'whoami', body, [attestedStamp(body, key, by)]);
};

async function startedWithAlice(t: { after: (done: () => void) => void }) {
  const service = await startTestService();
  t.after(() => service.close());
  await setFeatures(service, ['FEATURE_NAME_OTP_EMAIL_AUTH']);
  const userId = await makeUser(service, 'Alice', { userEmail: alice });
  return { service, userId };
}

test('a token that logged in stamps nothing more, and its repetition is the same session', async (t) => {
  const { service } = await startedWithAlice(t);
  const by = await attested(service);
  assert.equal((await whoami(service, by)).status, 200);
  const body = loginBody(service, 'session');
  const first = await send(service, 'stamp_login', body, by);
  resultOf(first);
  const again = await send(service, 'stamp_login', body, by);
  assert.equal(again.body.activity.id, first.body.activity.id);
  const other = await send(service, 'stamp_login', loginBody(service, 'thief'), by);
  assertRefused(other, 400, 3);
  assert.match(other.body.message, /it was used before/);
  const read = await whoami(service, by);
  assertRefused(read, 401, 16);
  assert.match(read.body.message, /it was used before/);
});

test('a token stamps one activity of any kind, also a waiting one, and one vote', async (t) => {
  const { service, userId } = await startedWithAlice(t);
  const policy = (policyName: string, condition: string, consensus: string) =>
    service.submit('create_policy', 'ACTIVITY_TYPE_CREATE_POLICY_V3', {
      policyName,
      effect: 'EFFECT_ALLOW',
      condition,
      consensus,
      notes: '',
    });
  const isTag = "activity.type == 'ACTIVITY_TYPE_CREATE_USER_TAG'";
  const both = `approvers.any(user, user.id == '${userId}') && approvers.count() >= 2`;
  resultOf(await policy('tags', isTag, both));
  const by = await attested(service);
  const body = tagBody(service, 'one');
  const waits = await send(service, 'create_user_tag', body, by);
  assert.equal(waits.body.activity.status, 'ACTIVITY_STATUS_CONSENSUS_NEEDED');
  const same = await send(service, 'create_user_tag', body, by);
  assert.equal(same.body.activity.id, waits.body.activity.id);
  for (const [operation, later] of [
    ['create_user_tag', tagBody(service, 'two')],
    ['stamp_login', loginBody(service, 'thief')],
  ] as const) {
    const refused = await send(service, operation, later, by);
    assertRefused(refused, 400, 3);
    assert.match(refused.body.message, /it was used before/);
  }
});

test('a token that was used for a login or a contact stamps nothing', async (t) => {
  const { service, userId } = await startedWithAlice(t);
  const { token } = await attested(service);
  const { publicKey } = key;
  const signed = { type: 'USAGE_TYPE_LOGIN', login: { publicKey } };
  const parameters = {
    verificationToken: token,
    publicKey,
    clientSignature: usageSignature(token, signed),
  };
  resultOf(await service.submit('otp_login', 'ACTIVITY_TYPE_OTP_LOGIN_V2', parameters));
  const refused = await send(service, 'stamp_login', loginBody(service, 'x'), { token, scheme });
  assertRefused(refused, 400, 3);
  assert.ok(userId);
});

test('a token stamps the login that exchanges it, once', async (t) => {
  const { service } = await startedWithAlice(t);
  const by = await attested(service);
  const login = (name: string) => {
    const { publicKey } = testKey(name);
    const clientSignature = loginSignature(by.token, publicKey);
    const parameters = { verificationToken: by.token, publicKey, clientSignature };
    const body = activityBody(service, 'ACTIVITY_TYPE_OTP_LOGIN_V2', parameters);
    return send(service, 'otp_login', body, by);
  };
  const condition = "activity.resource == 'AUTH'";
  await makePolicy(service, 'Logins', { condition, consensus: 'true' });
  resultOf(await login('session'));
  assertRefused(await login('second'), 400, 3);
});

test('after a sign-up its token opens one session in the new organization, and nothing else', async (t) => {
  const { service } = await startedWithAlice(t);
  const { token } = await attested(service);
  const signUp = (name: string) =>
    service.submit('create_sub_organization', 'ACTIVITY_TYPE_CREATE_SUB_ORGANIZATION_V8', {
      subOrganizationName: name,
      rootUsers: [
        {
          userName: 'Alice',
          userEmail: alice,
          apiKeys: [],
          authenticators: [],
          oauthProviders: [],
        },
      ],
      rootQuorumThreshold: 1,
      verificationToken: token,
      clientSignature: usageSignature(token, {
        type: 'USAGE_TYPE_SIGNUP',
        signupV2: { email: alice },
      }),
    });
  const { subOrganizationId } = resultOf(await signUp('Child'));
  const by = { token, scheme };
  const tag = activityBody(service, tagType, { userTagName: 'x', userIds: [] }, subOrganizationId);
  for (const refused of [
    await send(service, 'create_user_tag', tag, by),
    await send(service, 'stamp_login', loginBody(service, 'of the parent'), by),
    await signUp('Second'),
  ]) {
    assertRefused(refused, 400, 3);
    assert.match(refused.body.message, /it was used before/);
  }
  const login = (name: string) =>
    send(service, 'stamp_login', loginBody(service, name, subOrganizationId), by);
  resultOf(await login('session'));
  assertRefused(await login('second'), 400, 3);
});

test('of two children on two nodes at once, one takes the token', async (t) => {
  const { service } = await startedWithAlice(t);
  const children = [await childWithAlice(service), await childWithAlice(service)];
  const ask = await askTwoNodes(service);
  const token = await verifiedToken(service);
  for (const round of ['first', 'later']) {
    const { publicKey } = testKey(round);
    const login = { type: 'USAGE_TYPE_LOGIN', login: { publicKey } };
    const clientSignature = usageSignature(token, login);
    const parameters = { verificationToken: token, publicKey, clientSignature };
    const bodies = children.map(({ organizationId }) =>
      activityBody(service, 'ACTIVITY_TYPE_OTP_LOGIN_V2', parameters, organizationId),
    );
    const refusals = await ask('otp_login', bodies);
    const used = 'verification_token_invalid';
    const expected = round === 'first' ? [undefined, used] : [used, used];
    assert.deepEqual(
      refusals.toSorted((a, b) => (a ?? '').localeCompare(b ?? '')),
      expected.toSorted(),
    );
  }
});
