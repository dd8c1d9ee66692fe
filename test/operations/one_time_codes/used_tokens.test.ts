// A verification token is used at most once in the organization that issued it and once in its children,
// also by concurrent requests on several nodes.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { maximumUsedTokens } from '../../../src/core/auth/verifications.ts';
import type { TokenUsage } from '../../../src/core/organization/model.ts';
import { startTestService, type TestService, testKey } from '../../support/harness.ts';
import { activityBody } from '../checks.ts';
import { changeOrganization } from '../other_callers.ts';
import { askTwoNodes } from '../second_node.ts';
import { describedKey, makeUser } from '../users/user_requests.ts';
import {
  alice,
  childWithAlice,
  firstToken,
  loginSignature,
  otpLogin,
  resultOf,
  switchOn,
  usageSignature,
  verifiedToken,
} from './otp_requests.ts';

/** Sends requests with one token to two nodes; returns their sorted outcomes. */
async function twoNodes(service: TestService) {
  const ask = await askTwoNodes(service);
  return async (operation: string, bodies: readonly Uint8Array[]) => {
    const refusals = await ask(operation, bodies);
    return refusals.map((code) => code ?? 'done').sort();
  };
}

const once = ['done', ...Array.from({ length: 5 }, () => 'verification_token_invalid')];

test('of several logins with one token, on two nodes, one opens a session', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const { organizationId, userId } = await childWithAlice(service);
  const token = await verifiedToken(service);
  const ask = await twoNodes(service);
  const bodies = once.map((_, i) => {
    const { publicKey } = testKey(`session ${i}`);
    const clientSignature = loginSignature(token, publicKey);
    const parameters = { verificationToken: token, publicKey, clientSignature };
    return activityBody(service, otpLogin.type, parameters, organizationId);
  });
  assert.deepEqual(await ask(otpLogin.operation, bodies), once);
  const { apiKeys } = (await service.query('get_api_keys', { userId }, { organizationId })).body;
  const logins = apiKeys.filter(
    ({ credential }: { credential: { type: string } }) =>
      credential.type === 'CREDENTIAL_TYPE_LOGIN',
  );
  assert.equal(logins.length, 1);
});

test('of several sign-ups with one token, on two nodes, one creates an organization', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const token = await verifiedToken(service);
  const ask = await twoNodes(service);
  const usage = { type: 'USAGE_TYPE_SIGNUP', signupV2: { email: alice } };
  const clientSignature = usageSignature(token, usage);
  const credentials = { apiKeys: [], authenticators: [], oauthProviders: [] };
  const bodies = once.map((_, i) =>
    activityBody(service, 'ACTIVITY_TYPE_CREATE_SUB_ORGANIZATION_V8', {
      subOrganizationName: `Sign-up ${i}`,
      rootUsers: [{ userName: 'Alice', userEmail: alice, ...credentials }],
      rootQuorumThreshold: 1,
      verificationToken: token,
      clientSignature,
    }),
  );
  assert.deepEqual(await ask('create_sub_organization', bodies), once);
  const filter = { filterType: 'EMAIL', filterValue: alice };
  const { organizationIds } = (await service.query('list_verified_suborgs', filter)).body;
  assert.equal(organizationIds.length, 1);
});

test('of several users with one token’s contact, on two nodes, one verifies the contact', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const userIds: string[] = [];
  for (const [i] of once.entries()) userIds.push(await makeUser(service, `User ${i}`));
  const token = await verifiedToken(service, { key: service.root.key });
  const ask = await twoNodes(service);
  const bodies = userIds.map((userId) => {
    const parameters = { userId, userEmail: alice, verificationToken: token };
    return activityBody(service, 'ACTIVITY_TYPE_UPDATE_USER_EMAIL', parameters);
  });
  assert.deepEqual(await ask('update_user_email', bodies), once);
  const { users } = (await service.query('list_users')).body;
  const holders = users.filter(({ userEmail }: { userEmail?: string }) => userEmail === alice);
  assert.equal(holders.length, 1);
});

for (const version of ['current', 'first'] as const) {
  test(`a token (${version}) that was used in one child is refused in another`, async (t) => {
    const service = await startTestService({ deployment: { acceptsUnboundTokens: true } });
    t.after(() => service.close());
    const { organizationId } = await childWithAlice(service);
    const other = await childWithAlice(service);
    const isFirst = version === 'first';
    const token = isFirst ? await firstToken(service) : await verifiedToken(service);
    const type = isFirst ? 'ACTIVITY_TYPE_OTP_LOGIN' : otpLogin.type;
    const login = (name: string, inChild: string) => {
      const { publicKey } = testKey(name);
      const signed = isFirst ? {} : { clientSignature: loginSignature(token, publicKey) };
      const parameters = { verificationToken: token, publicKey, ...signed };
      return service.submit('otp_login', type, parameters, { organizationId: inChild });
    };
    resultOf(await login('owner', organizationId));
    // Other users of the child read the token in the activity.
    const rootUser = { userName: 'x', userEmail: alice, authenticators: [], oauthProviders: [] };
    const signedUp = { email: alice, apiKeys: [describedKey('thief')] };
    const usage = { type: 'USAGE_TYPE_SIGNUP', signupV2: signedUp };
    const refused = [
      await login('thief', other.organizationId),
      await service.submit(
        'create_sub_organization',
        `ACTIVITY_TYPE_CREATE_SUB_ORGANIZATION_${isFirst ? 'V7' : 'V8'}`,
        {
          subOrganizationName: 'x',
          rootUsers: [{ ...rootUser, apiKeys: signedUp.apiKeys }],
          rootQuorumThreshold: 1,
          verificationToken: token,
          ...(isFirst ? {} : { clientSignature: usageSignature(token, usage) }),
        },
      ),
      await service.submit(
        'update_user_email',
        'ACTIVITY_TYPE_UPDATE_USER_EMAIL',
        { userId: other.userId, userEmail: alice, verificationToken: token },
        other,
      ),
    ];
    for (const { status, body } of refused) {
      assert.equal(status, 400, JSON.stringify(body));
      assert.match(body.message, /it was used before$|stamped with the key of the verification/);
    }
    const filter = { filterType: 'EMAIL', filterValue: alice };
    const { organizationIds } = (await service.query('list_verified_suborgs', filter)).body;
    assert.deepEqual(organizationIds, [organizationId]);
  });
}

test('a used token stays used when its child is deleted', async (t) => {
  const service = await startTestService({ deployment: { acceptsUnboundTokens: true } });
  t.after(() => service.close());
  const child = await childWithAlice(service);
  const other = await childWithAlice(service);
  // The token is not bound to a key, so any reader could use it.
  const verificationToken = await firstToken(service);
  const login = (name: string, { organizationId }: { readonly organizationId: string }) => {
    const parameters = { verificationToken, publicKey: testKey(name).publicKey };
    return service.submit('otp_login', 'ACTIVITY_TYPE_OTP_LOGIN', parameters, { organizationId });
  };
  resultOf(await login('owner', child));
  const type = 'ACTIVITY_TYPE_DELETE_SUB_ORGANIZATION';
  resultOf(await service.submit('delete_sub_organization', type, {}, child));
  // No child has this verified contact, so a login that names the parent acts in the parent.
  const parent = service.root;
  await makeUser(service, 'Alice of the parent', { userEmail: alice });
  await switchOn(service, parent.organizationId, ['FEATURE_NAME_OTP_EMAIL_AUTH']);
  for (const { status, body } of [await login('thief', other), await login('thief', parent)]) {
    assert.equal(status, 400, JSON.stringify(body));
    assert.match(body.message, /^invalid verification token: it was used before$/);
  }
  assert.deepEqual((await service.query('list_suborgs')).body.organizationIds, [
    other.organizationId,
  ]);
});

/** Returns the sign-up of Alice with her token, as clients send it. */
function describedSignUp(token: string, subOrganizationName: string) {
  const credentials = { apiKeys: [], authenticators: [], oauthProviders: [] };
  return {
    subOrganizationName,
    rootUsers: [{ userName: 'Alice', userEmail: alice, ...credentials }],
    rootQuorumThreshold: 1,
    verificationToken: token,
    clientSignature: usageSignature(token, {
      type: 'USAGE_TYPE_SIGNUP',
      signupV2: { email: alice },
    }),
  };
}

/** Starts a service whose first organization stores the maximum number of used tokens. */
async function serviceFullOf(usage: TokenUsage) {
  const service = await startTestService();
  const token = await verifiedToken(service);
  const times = { createdAtMs: service.now(), updatedAtMs: service.now() };
  await changeOrganization(service, (draft, newId) => {
    for (let i = 0; i < maximumUsedTokens; i += 1) {
      const expiresAtMs = service.now() + 600_000 + i;
      draft.put('used_token', { id: newId(), usage, expiresAtMs, ...times });
    }
    return undefined;
  });
  const signUp = (name: string) =>
    service.submit(
      'create_sub_organization',
      'ACTIVITY_TYPE_CREATE_SUB_ORGANIZATION_V8',
      describedSignUp(token, name),
    );
  return { service, signUp };
}

test('many sign-ups do not block the next, and no token works twice', async (t) => {
  const { service, signUp } = await serviceFullOf('sign_up');
  t.after(() => service.close());
  resultOf(await signUp('First'));
  await changeOrganization(service, (draft) => {
    assert.equal(draft.rows('used_token').size, maximumUsedTokens);
    // The record of the sign-up is removed from the parent, too.
    for (const { id } of draft.list('used_token')) draft.remove('used_token', id);
    return undefined;
  });
  const again = await signUp('Second');
  assert.equal(again.status, 400, JSON.stringify(again.body));
  assert.match(again.body.message, /used before/);
});

test('a sign-up evicts no record of a token with another use, and is refused instead', async (t) => {
  const { service, signUp } = await serviceFullOf('login');
  t.after(() => service.close());
  const refused = await signUp('First');
  assert.equal(refused.status, 429);
  assert.match(refused.body.message, /^organization has exceeded maximum /);
});
