// An activity that a verification token stamps and exchanges may wait for votes. Only the deciding vote
// exchanges the token, once.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  maximumUsedTokens,
  useForWaiting,
  useVerification,
} from '../../src/core/auth/verifications.ts';
import { createDraft, newOrganizationState } from '../../src/core/organization/state.ts';
import { activityBody, assertRefused } from '../operations/checks.ts';
import {
  loginSignature,
  resultOf,
  usageSignature,
  verifiedToken,
} from '../operations/one_time_codes/otp_requests.ts';
import { changeOrganization } from '../operations/other_callers.ts';
import { makePolicy } from '../operations/policies/policy_requests.ts';
import { describedKey, makeUser, setFeatures } from '../operations/users/user_requests.ts';
import {
  stampOf,
  startTestService,
  type TestAnswer,
  type TestService,
  testKey,
} from '../support/harness.ts';
import {
  approve,
  approveType,
  by,
  changeQuorum,
  reject,
  rejectType,
  type Shown,
  shownAs,
} from '../votes/voting.ts';
import { type Attestation, attestedStamp } from './attested_requests.ts';

const alice = 'alice@example.com';
const key = testKey('client');
const scheme = 'STAMP_ATTESTED_SCHEME_P256_VERIFICATION_TOKEN';

/** Starts Alice with a token, and Voter and Third; each request of Alice needs this number of approvals. */
async function started(t: { after: (done: () => void) => void }, approvals = 2) {
  const service = await startTestService();
  t.after(() => service.close());
  await setFeatures(service, ['FEATURE_NAME_OTP_EMAIL_AUTH']);
  const userId = await makeUser(service, 'Alice', { userEmail: alice });
  for (const name of ['Voter', 'Third']) await makeUser(service, name);
  const consensus = `approvers.count() >= ${approvals}`;
  await makePolicy(service, 'By votes', { condition: 'true', consensus });
  return { service, userId, by: await attested(service) };
}

type World = Awaited<ReturnType<typeof started>>;

const attested = async (service: TestService): Promise<Attestation> => ({
  token: await verifiedToken(service),
  scheme,
});

const send = (service: TestService, operation: string, body: Uint8Array, token: Attestation) =>
  service.send('submit', operation, body, [attestedStamp(body, key, token)]);

/** Returns a login with its own session key that exchanges a token. */
function loginBody(service: TestService, { token }: Attestation, session: string, child?: string) {
  const { publicKey } = testKey(session);
  const clientSignature = loginSignature(token, publicKey);
  const parameters = { verificationToken: token, publicKey, clientSignature };
  return activityBody(service, 'ACTIVITY_TYPE_OTP_LOGIN_V2', parameters, child);
}

const signUpBody = (service: TestService, token: Attestation) =>
  activityBody(service, 'ACTIVITY_TYPE_CREATE_SUB_ORGANIZATION_V8', {
    subOrganizationName: 'Child',
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
    verificationToken: token.token,
    clientSignature: signUpSignature(token),
  });

const signUpSignature = ({ token }: Attestation) =>
  usageSignature(token, { type: 'USAGE_TYPE_SIGNUP', signupV2: { email: alice } });

const stampLoginBody = (service: TestService, session: string, organizationId: string) =>
  activityBody(
    service,
    'ACTIVITY_TYPE_STAMP_LOGIN',
    { publicKey: testKey(session).publicKey },
    organizationId,
  );

const contactBody = ({ service, userId, by: { token: verificationToken } }: World) =>
  activityBody(service, 'ACTIVITY_TYPE_UPDATE_USER_EMAIL', {
    userId,
    userEmail: alice,
    verificationToken,
  });

const tagBody = (service: TestService, child?: string) =>
  activityBody(
    service,
    'ACTIVITY_TYPE_CREATE_USER_TAG',
    { userTagName: 'tag', userIds: [] },
    child,
  );

const voteBody = (service: TestService, { fingerprint }: Shown, child?: string) =>
  activityBody(service, approveType, { fingerprint }, child);

function assertUsedBefore(answer: TestAnswer): void {
  assertRefused(answer, 400, 3);
  assert.match(answer.body.message, /^invalid verification token: it was used before$/);
}

/** Asserts that the token is refused for every further use. */
async function assertSpent(world: World): Promise<void> {
  const { service, by: token } = world;
  const login = loginBody(service, token, 'thief');
  assertUsedBefore(await send(service, 'otp_login', login, token));
  assertUsedBefore(await send(service, 'create_user_tag', tagBody(service), token));
  assertUsedBefore(await send(service, 'update_user_email', contactBody(world), token));
  // The root user needs no votes.
  assertUsedBefore(
    await service.send('submit', 'otp_login', login, [stampOf(login, service.root.key)]),
  );
}

const exchanges: { readonly [operation: string]: (world: World) => Uint8Array } = {
  otp_login: ({ service, by: token }) => loginBody(service, token, 'session'),
  update_user_email: contactBody,
  create_sub_organization: ({ service, by: token }) => signUpBody(service, token),
};

for (const [operation, bodyOf] of Object.entries(exchanges)) {
  test(`the last vote carries out ${operation}, which its own token stamped, once`, async (t) => {
    const world = await started(t);
    const { service, by: token } = world;
    const body = bodyOf(world);
    const waiting = shownAs('CONSENSUS_NEEDED', await send(service, operation, body, token));
    await assertSpent(world);
    shownAs('COMPLETED', await approve(service, waiting, by('Voter')));
    if (operation === 'create_sub_organization') {
      const firstLogin = loginBody(service, token, 'first login');
      shownAs('COMPLETED', await send(service, 'otp_login', firstLogin, token));
    }
    await assertSpent(world);
    const again = shownAs('COMPLETED', await send(service, operation, body, token));
    assert.equal(again.id, waiting.id);
  });

  test(`a rejected ${operation} does not free the token that stamped it`, async (t) => {
    const world = await started(t);
    const { service, by: token } = world;
    const waiting = shownAs(
      'CONSENSUS_NEEDED',
      await send(service, operation, bodyOf(world), token),
    );
    shownAs('REJECTED', await reject(service, waiting, by('Voter')));
    await assertSpent(world);
  });
}

test('the token that an activity exchanges may stamp a vote on it', async (t) => {
  const world = await started(t, 3);
  const { service, by: token } = world;
  const body = loginBody(service, token, 'session');
  const stamps = [stampOf(body, testKey('Voter'))];
  const waiting = shownAs(
    'CONSENSUS_NEEDED',
    await service.send('submit', 'otp_login', body, stamps),
  );
  const vote = await send(service, 'approve_activity', voteBody(service, waiting), token);
  shownAs('CONSENSUS_NEEDED', vote);
  await assertSpent(world);
  shownAs('COMPLETED', await approve(service, waiting, by('Third')));
  await assertSpent(world);
});

test('a token that stamped an activity stamps no vote on it', async (t) => {
  const world = await started(t);
  const { service, by: token } = world;
  const body = loginBody(service, token, 'session');
  const waiting = shownAs('CONSENSUS_NEEDED', await send(service, 'otp_login', body, token));
  // From now on any vote suffices.
  const consensus = 'approvers.count() >= 1';
  await makePolicy(service, 'By one vote', { condition: 'true', consensus });
  const vote = (from: Attestation) =>
    send(service, 'approve_activity', voteBody(service, waiting), from);
  assertUsedBefore(await vote(token));
  const rejection = { fingerprint: waiting.fingerprint };
  const rejecting = activityBody(service, rejectType, rejection);
  assertUsedBefore(await send(service, 'reject_activity', rejecting, token));
  shownAs('COMPLETED', await vote(await attested(service)));
  await assertSpent(world);
});

test('a token is exchanged even if the memory of used tokens is full', async (t) => {
  const world = await started(t);
  const { service, by: token } = world;
  const body = loginBody(service, token, 'session');
  const waiting = shownAs('CONSENSUS_NEEDED', await send(service, 'otp_login', body, token));
  const times = { createdAtMs: service.now(), updatedAtMs: service.now() };
  await changeOrganization(service, (draft, newId) => {
    const expiresAtMs = service.now() + 600_000;
    for (let i = draft.rows('used_token').size; i < maximumUsedTokens; i += 1) {
      draft.put('used_token', { id: newId(), usage: 'login', expiresAtMs, ...times });
    }
    return undefined;
  });
  shownAs('COMPLETED', await approve(service, waiting, by('Voter')));
  await assertSpent(world);
});

/** Starts a child that Alice signed up for with her token, in which Second must approve every login. */
async function startedInChild(t: { after: (done: () => void) => void }) {
  const { service, by: token } = await started(t);
  const second = testKey('Second');
  const credentials = { authenticators: [], oauthProviders: [] };
  const rootUsers = [
    { userName: 'Alice', userEmail: alice, apiKeys: [], ...credentials },
    { userName: 'Second', apiKeys: [describedKey('Second')], ...credentials },
  ];
  const type = 'ACTIVITY_TYPE_CREATE_SUB_ORGANIZATION_V8';
  const signUp = await service.submit('create_sub_organization', type, {
    subOrganizationName: 'Child',
    rootUsers,
    rootQuorumThreshold: 1,
    verificationToken: token.token,
    clientSignature: signUpSignature(token),
  });
  const { subOrganizationId: organizationId, rootUserIds: userIds } = resultOf(signUp);
  const as = { organizationId, key: second };
  await makePolicy(service, 'Logins', { condition: "activity.resource == 'AUTH'" }, as);
  await changeQuorum(service, { threshold: 2, userIds }, [as]);
  return { service, token, as, organizationId };
}

for (const operation of ['stamp_login', 'otp_login']) {
  test(`the first ${operation} after a sign-up may wait, and is the only one`, async (t) => {
    const { service, token, as, organizationId } = await startedInChild(t);
    const login = (session: string) =>
      send(
        service,
        operation,
        operation === 'otp_login'
          ? loginBody(service, token, session, organizationId)
          : stampLoginBody(service, session, organizationId),
        token,
      );
    const tag = tagBody(service, organizationId);
    assertUsedBefore(await send(service, 'create_user_tag', tag, token));
    const waiting = shownAs('CONSENSUS_NEEDED', await login('session'));
    assertUsedBefore(await login('second'));
    shownAs('COMPLETED', await approve(service, waiting, as));
    assertUsedBefore(await login('third'));
  });
}

test('the token of a sign-up stamps no vote on the login of another', async (t) => {
  const { service, token, as, organizationId } = await startedInChild(t);
  const body = stampLoginBody(service, 'session', organizationId);
  const stamps = [stampOf(body, as.key)];
  const waiting = shownAs(
    'CONSENSUS_NEEDED',
    await service.send('submit', 'stamp_login', body, stamps),
  );
  const vote = voteBody(service, waiting, organizationId);
  assertUsedBefore(await send(service, 'approve_activity', vote, token));
});

test('an activity exchanges the token of its stamp once, and never after its expiry', () => {
  const head = {
    name: 'x',
    rootQuorum: { threshold: 1, userIds: [] },
    features: [],
    createdAtMs: 0,
    updatedAtMs: 0,
  };
  const held = { id: 'token', expiresAtMs: 1_000 };
  const waiting = () => {
    const draft = createDraft(newOrganizationState('organization', undefined, head));
    useForWaiting(held, 'stamp', draft, { activityId: 'waits', now: 0 });
    return draft;
  };
  const draft = waiting();
  const exchange = (activityId: string, now: number, on = draft) =>
    useVerification(held, 'login', on, { activityId, now });
  assert.throws(() => exchange('other', 1), /used before/);
  exchange('waits', 1);
  assert.throws(() => exchange('waits', 2), /used before/);
  assert.throws(() => exchange('waits', 1_000, waiting()), /expired/);
});
