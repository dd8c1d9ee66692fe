// A verification token is used once in the organization that issued it and once below it, on however
// many nodes it is tried at once.

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

/** Outcome of the same token on two nodes, in no order. */
async function twoNodes(service: TestService) {
  const ask = await askTwoNodes(service);
  return async (operation: string, bodies: readonly Uint8Array[]) => {
    const refusals = await ask(operation, bodies);
    return refusals.map((code) => code ?? 'done').sort();
  };
}

const once = ['done', ...Array.from({ length: 5 }, () => 'verification_token_invalid')];

test('of several logins with one token, on two nodes, one is a session', async (t) => {
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

test('of several sign-ups with one token, on two nodes, one makes an organization', async (t) => {
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

test('of several users with the address of one token, on two nodes, one has shown to hold it', async (t) => {
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
  test(`a token (${version}) that one child has seen is worth nothing in another`, async (t) => {
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
    // Its other users read it in the activity.
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

test('a token stays used when the child that has seen it is deleted', async (t) => {
  const service = await startTestService({ deployment: { acceptsUnboundTokens: true } });
  t.after(() => service.close());
  const child = await childWithAlice(service);
  const other = await childWithAlice(service);
  // Not bound to a key: whoever has read it could use it.
  const verificationToken = await firstToken(service);
  const login = (name: string, { organizationId }: { readonly organizationId: string }) => {
    const parameters = { verificationToken, publicKey: testKey(name).publicKey };
    return service.submit('otp_login', 'ACTIVITY_TYPE_OTP_LOGIN', parameters, { organizationId });
  };
  resultOf(await login('owner', child));
  const type = 'ACTIVITY_TYPE_DELETE_SUB_ORGANIZATION';
  resultOf(await service.submit('delete_sub_organization', type, {}, child));
  // Where no child is found by the contact, a user of the parent is meant.
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

/** A sign-up of Alice with her token, as clients ask for it. */
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

/** The service, with as many used tokens of its first organization as that remembers. */
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
    // Now also that of the sign-up is forgotten there.
    for (const { id } of draft.list('used_token')) draft.remove('used_token', id);
    return undefined;
  });
  const again = await signUp('Second');
  assert.equal(again.status, 400, JSON.stringify(again.body));
  assert.match(again.body.message, /used before/);
});

test('where other uses fill the memory of tokens, a sign-up makes none forgotten', async (t) => {
  const { service, signUp } = await serviceFullOf('login');
  t.after(() => service.close());
  const refused = await signUp('First');
  assert.equal(refused.status, 429);
  assert.match(refused.body.message, /^organization has exceeded maximum /);
});
