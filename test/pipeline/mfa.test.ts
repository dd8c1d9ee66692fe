// Several factors: an activity requires them of its submitter and of its approvers before it is carried
// out.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { textOfUtf8 } from '../../src/core/base/bytes.ts';
import { noSessionProfileId } from '../../src/core/users/credentials.ts';
import { makeApiKeys } from '../operations/api_keys/api_key_requests.ts';
import { activityBody, assertRefused, storedCount } from '../operations/checks.ts';
import {
  apiKey,
  emailOtp,
  makeMfaPolicy,
  passkey,
  session,
  stepsOf,
} from '../operations/mfa_policies/mfa_requests.ts';
import { addChild, changeOrganization } from '../operations/other_callers.ts';
import { makePolicy } from '../operations/policies/policy_requests.ts';
import { logIn, makeProfile, resultOf } from '../operations/sessions/session_requests.ts';
import {
  describedKey,
  makeUser,
  setFeatures,
  shownUser,
} from '../operations/users/user_requests.ts';
import { stampOf, startTestService, type TestService, testKey } from '../support/harness.ts';
import type { SoftwareAuthenticator } from '../support/software_authenticator.ts';
import {
  approve,
  approveType,
  by,
  changeQuorum,
  dayMs,
  makeWallet,
  organizationName,
  read,
  reject,
  rename,
  renameType,
  type Shown,
  shownAs,
} from '../votes/voting.ts';
import { attestedContact, attestedStamp } from './attested_requests.ts';
import { addAuthenticator, passkeyStamp } from './passkey_requests.ts';

async function started(t: { after: (done: () => void) => void }): Promise<TestService> {
  const service = await startTestService();
  t.after(() => service.close());
  return service;
}

function approveByPasskey(
  service: TestService,
  { fingerprint }: Shown,
  phone: SoftwareAuthenticator,
  organizationId?: string,
) {
  const body = activityBody(service, approveType, { fingerprint }, organizationId);
  return service.send('submit', 'approve_activity', body, [passkeyStamp(body, phone)]);
}

test('the root user needs a second factor, too, before the activity is carried out', async (t) => {
  const service = await started(t);
  const phone = await addAuthenticator(service, service.root.userId, 'phone');
  await makeMfaPolicy(service, service.root.userId);
  const asked = await rename(service, 'Renamed');
  const waiting = shownAs('AUTHENTICATORS_NEEDED', asked);
  assert.equal(waiting.canApprove, true);
  assert.equal(waiting.canReject, true);
  assert.equal(asked.body.decision.outcome, 'WAIT');
  assert.equal(asked.body.decision.reason, 'AWAITS_AUTHENTICATORS');
  const [missing] = asked.body.decision.authenticators;
  assert.equal(missing.userId, service.root.userId);
  assert.equal(missing.satisfied, false);
  assert.equal(await organizationName(service), 'Test organization');

  // The same credential again adds nothing, nor does the same body.
  const stored = await storedCount(service);
  shownAs('AUTHENTICATORS_NEEDED', await approve(service, waiting));
  assert.deepEqual(await storedCount(service), stored);
  assert.equal((await read(service, waiting)).status, 'ACTIVITY_STATUS_AUTHENTICATORS_NEEDED');

  const done = shownAs('COMPLETED', await approveByPasskey(service, waiting, phone));
  assert.equal(done.id, waiting.id);
  assert.equal(await organizationName(service), 'Renamed');
  assert.equal(done.votes.length, 1);
  const late = await approveByPasskey(service, waiting, phone);
  shownAs('COMPLETED', late);
});

test('one sufficient credential needs no second request', async (t) => {
  const service = await started(t);
  const phone = await addAuthenticator(service, service.root.userId, 'phone');
  await makeMfaPolicy(service, service.root.userId, {
    requiredAuthenticationMethods: stepsOf([passkey]),
  });
  const body = activityBody(service, renameType, { organizationName: 'By passkey' });
  const stamped = [passkeyStamp(body, phone)];
  shownAs('COMPLETED', await service.send('submit', 'update_organization_name', body, stamped));
  shownAs('AUTHENTICATORS_NEEDED', await rename(service, 'By key'));
});

test('each step needs a different credential', async (t) => {
  const service = await started(t);
  const { userId } = service.root;
  const phone = await addAuthenticator(service, userId, 'phone');
  await makeMfaPolicy(service, userId, {
    requiredAuthenticationMethods: stepsOf([apiKey, passkey], [passkey]),
  });
  const body = activityBody(service, renameType, { organizationName: 'One' });
  const stamped = [passkeyStamp(body, phone)];
  const one = await service.send('submit', 'update_organization_name', body, stamped);
  const waiting = shownAs('AUTHENTICATORS_NEEDED', one);
  shownAs('COMPLETED', await approve(service, waiting));
  // In the reverse order the passkey moves to the step that only it meets.
  const other = shownAs('AUTHENTICATORS_NEEDED', await rename(service, 'Two'));
  shownAs('COMPLETED', await approveByPasskey(service, other, phone));
});

test('the first policy that applies is required, by its order and then its age', async (t) => {
  const service = await started(t);
  const { userId } = service.root;
  const phone = await addAuthenticator(service, userId, 'phone');
  const condition = "activity.kind == 'CREATE_WALLET'";
  const requiredAuthenticationMethods = stepsOf([passkey], [session]);
  await makeMfaPolicy(service, userId, { order: 2, condition, requiredAuthenticationMethods });
  await makeMfaPolicy(service, userId, { order: 9, condition: "activity.action == 'CREATE'" });
  const easy = { requiredAuthenticationMethods: stepsOf([apiKey]) };
  const body = activityBody(service, 'ACTIVITY_TYPE_CREATE_MFA_POLICY', {
    userId,
    mfaPolicyName: 'Easy',
    condition,
    order: 1,
    ...easy,
  });
  const made = await service.send('submit', 'create_mfa_policy', body, [passkeyStamp(body, phone)]);
  const tag = { userTagName: 'Tag', userIds: [] };
  const tagType = 'ACTIVITY_TYPE_CREATE_USER_TAG';
  shownAs('AUTHENTICATORS_NEEDED', await service.submit('create_user_tag', tagType, tag));
  shownAs('AUTHENTICATORS_NEEDED', await makeWallet(service, 'Before'));
  shownAs('COMPLETED', await approve(service, shownAs('AUTHENTICATORS_NEEDED', made)));
  shownAs('COMPLETED', await makeWallet(service, 'After'));
  // A request without a matching policy needs no further factor.
  shownAs('COMPLETED', await rename(service, 'Free'));
});

test('a condition on absent facts requires nothing, unless an alternative holds', async (t) => {
  const service = await started(t);
  const { userId } = service.root;
  const requiredAuthenticationMethods = stepsOf([passkey]);
  const about = async (condition: string) =>
    await makeMfaPolicy(service, userId, { condition, requiredAuthenticationMethods });
  await about("eth.tx.to == 'x'");
  shownAs('COMPLETED', await rename(service, 'One'));
  await about("eth.tx.to == 'x' || activity.action == 'UPDATE'");
  shownAs('AUTHENTICATORS_NEEDED', await rename(service, 'Two'));
});

test('a failing condition requires its policy, and replaces no other', async (t) => {
  const service = await started(t);
  const { userId } = service.root;
  const phone = await addAuthenticator(service, userId, 'phone');
  const unreadable = { condition: "activity.params.wallet_id[0..99] == 'x'", order: 0 };
  await makeMfaPolicy(service, userId, {
    ...unreadable,
    requiredAuthenticationMethods: stepsOf([apiKey]),
  });
  shownAs('COMPLETED', await rename(service, 'One'));
  await makeMfaPolicy(service, userId, {
    condition: "activity.kind == 'X' || activity.action == 'UPDATE'",
    order: 1,
    requiredAuthenticationMethods: stepsOf([passkey]),
  });
  const asked = await rename(service, 'Two');
  const waiting = shownAs('AUTHENTICATORS_NEEDED', asked);
  assert.equal(asked.body.decision.authenticators.length, 1);
  shownAs('COMPLETED', await approveByPasskey(service, waiting, phone));
});

test('a session counts as a session, for any login method', async (t) => {
  const service = await started(t);
  const { userId } = service.root;
  const phone = await addAuthenticator(service, userId, 'phone');
  const profile = await makeProfile(service, 'Profile', 'true');
  const login = activityBody(service, 'ACTIVITY_TYPE_STAMP_LOGIN', {
    publicKey: testKey('by passkey').publicKey,
  });
  resultOf(await service.send('submit', 'stamp_login', login, [passkeyStamp(login, phone)]));
  resultOf(await logIn(service, 'scoped', { sessionProfileId: profile }));
  const of = (id: string) => ({ requiredAuthenticationMethods: stepsOf([{ ...session, id }]) });
  const condition = (kind: string) => ({ condition: `activity.kind == '${kind}'` });
  await makeMfaPolicy(service, userId, {
    ...condition('CREATE_USER_TAG'),
    requiredAuthenticationMethods: stepsOf([passkey]),
  });
  await makeMfaPolicy(service, userId, { ...condition('CREATE_WALLET'), ...of(profile) });
  await makeMfaPolicy(service, userId, {
    ...condition('CREATE_PRIVATE_KEY_TAG'),
    ...of(noSessionProfileId),
  });
  const ask = async (name: string) => {
    const as = by(name);
    const [tag, wallet, keyTag] = [
      await service.submit(
        'create_user_tag',
        'ACTIVITY_TYPE_CREATE_USER_TAG',
        { userTagName: `${name} ${service.now()}`, userIds: [] },
        as,
      ),
      await makeWallet(service, `${name} ${service.now()}`, as),
      await service.submit(
        'create_private_key_tag',
        'ACTIVITY_TYPE_CREATE_PRIVATE_KEY_TAG',
        { privateKeyTagName: `${name} ${service.now()}`, privateKeyIds: [] },
        as,
      ),
    ];
    return [tag, wallet, keyTag].map(({ body }) =>
      body.activity.status.replace('ACTIVITY_STATUS_', ''),
    );
  };
  const needed = 'AUTHENTICATORS_NEEDED';
  assert.deepEqual(await ask('by passkey'), [needed, needed, 'COMPLETED']);
  assert.deepEqual(await ask('scoped'), [needed, 'COMPLETED', needed]);
  assert.deepEqual(await ask('root'), [needed, needed, needed]);
});

test('a one-time code is a factor, by a stamp that its token attests', async (t) => {
  const service = await started(t);
  const contact = 'alice@example.com';
  await setFeatures(service, ['FEATURE_NAME_OTP_EMAIL_AUTH']);
  await makePolicy(service, 'Wallets', {
    condition: "activity.resource == 'WALLET'",
    consensus: 'approvers.count() >= 1',
  });
  const alice = await makeUser(service, 'Alice', { userEmail: contact });
  await makeMfaPolicy(service, alice, {
    requiredAuthenticationMethods: stepsOf([apiKey], [emailOtp]),
  });
  const waiting = shownAs('AUTHENTICATORS_NEEDED', await makeWallet(service, 'W', by('Alice')));
  const key = testKey('attested');
  const body = activityBody(service, approveType, { fingerprint: waiting.fingerprint });
  const stamp = attestedStamp(body, key, attestedContact(service, key, contact));
  shownAs('COMPLETED', await service.send('submit', 'approve_activity', body, [stamp]));
});

test('of two required approvers, each needs own factors', async (t) => {
  const service = await started(t);
  const second = await makeUser(service, 'Second');
  const ofRoot = await addAuthenticator(service, service.root.userId, 'root phone');
  const ofSecond = await addAuthenticator(service, second, 'second phone');
  await changeQuorum(service, { threshold: 2, userIds: [service.root.userId, second] });
  const both = async (userId: string) => {
    const type = 'ACTIVITY_TYPE_CREATE_MFA_POLICY';
    const parameters = {
      userId,
      mfaPolicyName: 'P',
      condition: "activity.kind == 'UPDATE_ORGANIZATION_NAME'",
      requiredAuthenticationMethods: stepsOf([apiKey], [passkey]),
      order: 0,
    };
    const asked = await service.submit('create_mfa_policy', type, parameters);
    shownAs('COMPLETED', await approve(service, asked.body.activity, by('Second')));
  };
  await both(service.root.userId);
  await both(second);

  const waiting = shownAs('AUTHENTICATORS_NEEDED', await rename(service, 'Renamed'));
  // Another user may approve already; the first approver still needs the missing factor first.
  shownAs('AUTHENTICATORS_NEEDED', await approve(service, waiting, by('Second')));
  shownAs('AUTHENTICATORS_NEEDED', await approveByPasskey(service, waiting, ofSecond));
  assert.equal(await organizationName(service), 'Test organization');
  shownAs('COMPLETED', await approveByPasskey(service, waiting, ofRoot));

  const other = shownAs('AUTHENTICATORS_NEEDED', await rename(service, 'Again'));
  shownAs('CONSENSUS_NEEDED', await approveByPasskey(service, other, ofRoot));
  const halfway = await approve(service, other, by('Second'));
  shownAs('CONSENSUS_NEEDED', halfway);
  assert.equal(halfway.body.decision.reason, 'AWAITS_AUTHENTICATORS');
  assert.equal(halfway.body.decision.authenticators[0].userId, second);
  assert.equal((await read(service, other, by('Second'))).canApprove, true);
  assert.equal((await read(service, other)).canApprove, false, 'it has shown everything');
  shownAs('COMPLETED', await approveByPasskey(service, other, ofSecond));
});

test('a rejection needs no second factor', async (t) => {
  const service = await started(t);
  await makeMfaPolicy(service, service.root.userId);
  const waiting = shownAs('AUTHENTICATORS_NEEDED', await rename(service, 'Renamed'));
  shownAs('REJECTED', await reject(service, waiting));
  assert.equal(await organizationName(service), 'Test organization');
});

test('a request that policies refuse is refused at once', async (t) => {
  const service = await started(t);
  const alice = await makeUser(service, 'Alice');
  await makeMfaPolicy(service, alice);
  assertRefused(await makeWallet(service, 'Wallet', by('Alice')), 403, 7);
  // A request of a user about own credentials waits for its factors like all others.
  const type = 'ACTIVITY_TYPE_CREATE_API_KEYS_V2';
  const own = { userId: alice, apiKeys: [describedKey('Own')] };
  const asked = await service.submit('create_api_keys', type, own, by('Alice'));
  const waiting = shownAs('AUTHENTICATORS_NEEDED', asked);
  assert.equal(waiting.canApprove, true, 'although no consensus speaks of the user');
  assertRefused(await service.query('whoami', {}, by('Own')), 401, 16);
  const phone = await addAuthenticator(service, alice, 'phone');
  shownAs('COMPLETED', await approveByPasskey(service, waiting, phone));
  assert.equal((await service.query('whoami', {}, by('Own'))).status, 200);
});

test('a credential of another user is no factor', async (t) => {
  const service = await started(t);
  const second = await makeUser(service, 'Second');
  const phone = await addAuthenticator(service, second, 'phone');
  const userIds = [service.root.userId, second];
  await changeQuorum(service, { threshold: 1, userIds });
  await makeMfaPolicy(service, service.root.userId);
  const waiting = shownAs('AUTHENTICATORS_NEEDED', await rename(service, 'Renamed'));
  // The whole root quorum approves, but the submitter still lacks a factor.
  shownAs('AUTHENTICATORS_NEEDED', await approveByPasskey(service, waiting, phone));
  assert.equal(await organizationName(service), 'Test organization');
});

test('a factor counts for a day, and while its user has the credential', async (t) => {
  const service = await started(t);
  const { userId } = service.root;
  const phone = await addAuthenticator(service, userId, 'phone');
  const second = await makeUser(service, 'Second');
  const [spare] = await makeApiKeys(service, userId, [describedKey('Spare')]);
  await changeQuorum(service, { threshold: 2, userIds: [userId, second] });
  const type = 'ACTIVITY_TYPE_CREATE_MFA_POLICY';
  const parameters = {
    userId,
    mfaPolicyName: 'P',
    condition: "activity.kind == 'UPDATE_ORGANIZATION_NAME'",
    requiredAuthenticationMethods: stepsOf([apiKey], [passkey]),
    order: 0,
  };
  const made = await service.submit('create_mfa_policy', type, parameters);
  shownAs('COMPLETED', await approve(service, made.body.activity, by('Second')));

  const late = shownAs('AUTHENTICATORS_NEEDED', await rename(service, 'Late'));
  service.advance(dayMs / 2);
  shownAs('CONSENSUS_NEEDED', await approveByPasskey(service, late, phone));
  service.advance(dayMs / 2);
  shownAs('AUTHENTICATORS_NEEDED', await approve(service, late, by('Second')));
  assert.equal(await organizationName(service), 'Test organization');
  shownAs('COMPLETED', await approve(service, late));

  const gone = shownAs('AUTHENTICATORS_NEEDED', await rename(service, 'Gone', by('Spare')));
  shownAs('CONSENSUS_NEEDED', await approveByPasskey(service, gone, phone));
  await changeOrganization(service, (draft) => {
    draft.remove('api_key', spare ?? '');
    return undefined;
  });
  shownAs('AUTHENTICATORS_NEEDED', await approve(service, gone, by('Second')));
  shownAs('COMPLETED', await approve(service, gone));
});

test('a policy that is created or deleted meanwhile counts at the time of the vote', async (t) => {
  const service = await started(t);
  const { userId } = service.root;
  const phone = await addAuthenticator(service, userId, 'phone');
  const second = await makeUser(service, 'Second');
  await changeQuorum(service, { threshold: 2, userIds: [userId, second] });
  const before = shownAs('CONSENSUS_NEEDED', await rename(service, 'Before'));
  const put = (id: string, isThere: boolean) =>
    changeOrganization(service, (draft) => {
      const times = { createdAtMs: service.now(), updatedAtMs: service.now() };
      const requiredMethods = stepsOf([apiKey], [passkey]);
      const row = { id, userId, name: 'P', condition: 'true', requiredMethods, order: 0, ...times };
      if (isThere) draft.put('mfa_policy', row);
      else draft.remove('mfa_policy', id);
      return undefined;
    });
  const id = '019b76da-0000-7000-8000-000000000000';
  await put(id, true);
  // The policy is newer than the request, but required; the first vote counts as a factor.
  shownAs('AUTHENTICATORS_NEEDED', await approve(service, before, by('Second')));
  shownAs('COMPLETED', await approveByPasskey(service, before, phone));

  const after = shownAs('AUTHENTICATORS_NEEDED', await rename(service, 'After'));
  await put(id, false);
  shownAs('CONSENSUS_NEEDED', await approve(service, after));
  shownAs('COMPLETED', await approve(service, after, by('Second')));
});

test('a dry run names missing factors, and adds none', async (t) => {
  const service = await started(t);
  const phone = await addAuthenticator(service, service.root.userId, 'phone');
  await makeMfaPolicy(service, service.root.userId);
  const stored = await storedCount(service);
  const body = activityBody(service, renameType, { organizationName: 'Dry' });
  const dry = await dryRun(service, 'update_organization_name', body);
  assert.equal(dry.status, 'ACTIVITY_STATUS_AUTHENTICATORS_NEEDED');
  assert.equal(dry.reason, 'AWAITS_AUTHENTICATORS');
  assert.deepEqual(await storedCount(service), stored);
  const waiting = shownAs('AUTHENTICATORS_NEEDED', await rename(service, 'Wet'));
  const vote = activityBody(service, approveType, { fingerprint: waiting.fingerprint });
  const told = await dryRun(service, 'approve_activity', vote, [passkeyStamp(vote, phone)]);
  assert.equal(told.status, 'ACTIVITY_STATUS_COMPLETED');
  assert.equal((await read(service, waiting)).status, 'ACTIVITY_STATUS_AUTHENTICATORS_NEEDED');
});

test('evaluations name the policies that wait for factors', async (t) => {
  const service = await started(t);
  const alice = await makeUser(service, 'Alice');
  const phone = await addAuthenticator(service, alice, 'phone');
  const policyId = await makePolicy(service, 'Wallets', {
    condition: "activity.resource == 'WALLET'",
    consensus: 'approvers.count() >= 1',
  });
  await makeMfaPolicy(service, alice);
  const waiting = shownAs('AUTHENTICATORS_NEEDED', await makeWallet(service, 'W', by('Alice')));
  shownAs('COMPLETED', await approveByPasskey(service, waiting, phone));
  const { body } = await service.query('get_policy_evaluations', { activityId: waiting.id });
  type Evaluation = { policyEvaluations: { policyId: string; outcome: string }[] };
  const outcomes = body.policyEvaluations.map((one: Evaluation) => one.policyEvaluations);
  assert.deepEqual(outcomes, [
    [{ policyId, outcome: 'OUTCOME_REQUIRES_AUTHENTICATORS' }],
    [{ policyId, outcome: 'OUTCOME_ALLOW' }],
  ]);
});

test('children have their own MFA policies', async (t) => {
  const service = await started(t);
  const child = await addChild(service);
  const { organizationId } = child;
  const { body } = await service.query('whoami', {}, child);
  const phone = await addAuthenticator(service, body.userId, 'phone', organizationId);
  await makeMfaPolicy(service, body.userId, {}, child);
  const waiting = shownAs('AUTHENTICATORS_NEEDED', await rename(service, 'Child too', child));
  shownAs('COMPLETED', await approveByPasskey(service, waiting, phone, organizationId));
  // A login that names the parent waits in the child.
  const login = await logIn(service, 'session', {}, { key: child.key });
  const held = shownAs('AUTHENTICATORS_NEEDED', login);
  assert.equal(held.organizationId, organizationId);
  const done = await approveByPasskey(service, held, phone, organizationId);
  resultOf(done);
  assert.equal((await service.query('whoami', {}, by('session'))).body.userId, body.userId);
});

test('the condition may read the profile that a login names', async (t) => {
  const service = await started(t);
  const { userId } = service.root;
  const phone = await addAuthenticator(service, userId, 'phone');
  const sessionProfileId = await makeProfile(service, 'Strong', 'true');
  await makeMfaPolicy(service, userId, {
    condition: `activity.resource == 'AUTH' && activity.params.session_profile_id == '${sessionProfileId}'`,
    requiredAuthenticationMethods: stepsOf([passkey]),
  });
  const waiting = await logIn(service, 'strong', { sessionProfileId });
  shownAs('AUTHENTICATORS_NEEDED', waiting);
  resultOf(await logIn(service, 'weak'));
  resultOf(await approveByPasskey(service, waiting.body.activity, phone));
  const [, , strong] = (await shownUser(service, userId)).apiKeys;
  assert.equal(strong.credential.sessionProfileId, sessionProfileId);
});

async function dryRun(
  service: TestService,
  operation: string,
  body: Uint8Array,
  headers?: readonly { name: string; value: string }[],
) {
  const answer = await service.enclave.request({
    requestId: 'dry',
    kind: 'dry_run',
    operation,
    headers: headers ?? [stampOf(body, service.root.key)],
    timestampObjects: false,
    remoteAddress: '127.0.0.1',
    body,
  });
  const told = JSON.parse(textOfUtf8(answer.body) ?? '');
  assert.equal(answer.status, 200, JSON.stringify(told));
  return told.dryRun;
}
