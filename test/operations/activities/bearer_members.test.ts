// Members that work for any holder (bearer tokens, codes), listed by hand from the interface. Only the
// submitter reads them in activities.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { activityView } from '../../../src/core/activity/activity.ts';
import { hex, utf8 } from '../../../src/core/base/bytes.ts';
import { sha256 } from '../../../src/core/crypto/hashes.ts';
import type { Activity, Vote } from '../../../src/core/organization/records/activity.ts';
import type { JsonObject } from '../../../src/core/schema/json.ts';
import { withoutBearers } from '../../../src/operations/activities/bearer_members.ts';
import { activityOperations } from '../../../src/operations/index.ts';
import { startTestService, testKey } from '../../support/harness.ts';
import {
  alice,
  childWithAlice,
  resultOf,
  startedOtp,
  verifiedToken,
} from '../one_time_codes/otp_requests.ts';
import { describedKey, describedUser, makeUsers } from '../users/user_requests.ts';

const token = 'a.bearer.token.that.nobody.guesses';
const digest = `sha256:${hex(sha256(utf8(token)))}`;
const provider = { providerName: 'x', oidcToken: token };
const otherUser = { userName: 'x', apiKeys: [], authenticators: [] };

/** The parameters with bearer members, by activity type; each bearer member contains `token`. */
const intents: Readonly<Record<string, JsonObject>> = {
  OTP_LOGIN: { verificationToken: token },
  OTP_LOGIN_V2: { verificationToken: token },
  OTP_AUTH: { otpCode: token },
  VERIFY_OTP: { otpCode: token },
  UNSEAL_ORGANIZATION: { holderId: 'id', encryptedSecret: token },
  UPDATE_USER_EMAIL: { verificationToken: token },
  UPDATE_USER_PHONE_NUMBER: { verificationToken: token },
  CREATE_SUB_ORGANIZATION_V5: { rootUsers: [{ ...otherUser, oauthProviders: [provider] }] },
  CREATE_SUB_ORGANIZATION_V6: { rootUsers: [{ ...otherUser, oauthProviders: [provider] }] },
  CREATE_SUB_ORGANIZATION_V7: {
    rootUsers: [{ ...otherUser, oauthProviders: [provider] }],
    verificationToken: token,
  },
  CREATE_SUB_ORGANIZATION_V8: {
    rootUsers: [otherUser, { ...otherUser, oauthProviders: [provider, provider] }],
    verificationToken: token,
  },
  CREATE_USERS_V3: { users: [{ ...otherUser, oauthProviders: [provider] }] },
  CREATE_USERS_V4: { users: [{ ...otherUser, oauthProviders: [provider] }] },
  CREATE_OAUTH_PROVIDERS: { oauthProviders: [provider] },
  CREATE_OAUTH_PROVIDERS_V2: { oauthProviders: [provider] },
  OAUTH: { oidcToken: token },
  OAUTH_LOGIN: { oidcToken: token },
  OAUTH2_AUTHENTICATE: { authCode: token, codeVerifier: token },
};

const results: Readonly<Record<string, JsonObject>> = {
  VERIFY_OTP: { verificationToken: token },
  VERIFY_OTP_V2: { verificationToken: token },
  CREATE_READ_ONLY_SESSION: { session: token },
  OAUTH2_AUTHENTICATE: { oidcToken: token },
};

const vote = { userId: 'u', message: `{"x":"${token}"}`, signature: '00' } as unknown as Vote;

function activityOf(type: string, parts: Partial<Activity>): Activity {
  const fixed = { submitterId: 'u', votes: [vote], intent: {}, result: {}, ...parts };
  return { type: `ACTIVITY_TYPE_${type}`, ...fixed } as unknown as Activity;
}

test('bearer members of every intent are shown as digests, with the signed messages', () => {
  for (const [type, intent] of Object.entries(intents)) {
    const shown = withoutBearers(activityOf(type, { intent: { someIntent: intent } }));
    const text = JSON.stringify(shown);
    assert.ok(!text.includes(token), `${type}: ${text}`);
    const count = JSON.stringify(intent).split(token).length - 1;
    assert.equal(JSON.stringify(shown.intent).split(digest).length - 1, count, type);
    assert.equal(shown.votes[0]?.message, `sha256:${hex(sha256(utf8(vote.message)))}`, type);
  }
});

test('a replaced request is shown as its digest, too', () => {
  const request = vote.message;
  const again = { ...vote, message: `{"parameters":{"fingerprint":"${digest}"}}` };
  const times = { createdAtMs: 0, updatedAtMs: 0 };
  const parts = { request, ...times, votes: [again], intent: { someIntent: { oidcToken: token } } };
  const viewer = { canApprove: false, canReject: false, timestampObjects: false };
  const shown = activityView(withoutBearers(activityOf('OAUTH', parts)), viewer);
  assert.ok(!JSON.stringify(shown).includes(token));
  assert.deepEqual(shown['request'], {
    userId: 'u',
    message: `sha256:${hex(sha256(utf8(request)))}`,
  });
});

test('a code is hidden, because an attacker could find it from its digest by trying all codes', () => {
  for (const type of ['VERIFY_OTP', 'OTP_AUTH']) {
    const intent = { intent: { otpCode: '123456', otpId: 'id' } };
    const shown = withoutBearers(activityOf(type, { intent }));
    assert.deepEqual(shown.intent, { intent: { otpCode: 'hidden', otpId: 'id' } });
  }
});

test('bearer members of every result are shown as digests', () => {
  for (const [type, result] of Object.entries(results)) {
    const shown = withoutBearers(activityOf(type, { result: { someResult: result } }));
    const text = JSON.stringify(shown.result);
    assert.ok(!text.includes(token), `${type}: ${text}`);
    assert.ok(text.includes(digest), type);
  }
});

const bearerNames = /token$|^session$|otpcode|authcode|codeverifier|password|captchatoken/i;
/** Not bearers despite their names: the service accepts no session of a login, and swaps name coins. */
const noBearers: ReadonlySet<string> = new Set([
  'otp_login.session',
  'oauth_login.session',
  'stamp_login.session',
  'create_swap_quote.inputToken',
  'create_swap_quote.outputToken',
  'execute_swap.inputToken',
  'execute_swap.outputToken',
]);

test('every member with the name of a bearer is in the tables or in the list of exceptions', () => {
  const unmarked: string[] = [];
  const walk = (schema: unknown, operation: string, name: string): void => {
    const node = schema as { properties?: object; items?: unknown; 'x-bearer'?: boolean };
    const isNamedSo = bearerNames.test(name);
    if (isNamedSo && node['x-bearer'] !== true) unmarked.push(`${operation}.${name}`);
    if (node.items !== undefined) walk(node.items, operation, '');
    for (const [member, inner] of Object.entries(node.properties ?? {})) {
      walk(inner, operation, member);
    }
  };
  for (const [name, { parameters, result, older }] of Object.entries(activityOperations)) {
    walk(result, name, '');
    for (const each of [parameters, ...older.map((version) => version.parameters)]) {
      walk(each, name, '');
    }
  }
  assert.deepEqual(new Set(unmarked), noBearers);
});

test('an activity without bearer members stays unchanged', () => {
  const intent = { updateUserEmailIntent: { userId: 'u', userEmail: alice } };
  const plain = activityOf('UPDATE_USER_EMAIL', { intent });
  assert.equal(withoutBearers(plain), plain);
  const unknown = activityOf('OF_ANOTHER_TIME', { intent: { x: { oidcToken: token } } });
  assert.equal(withoutBearers(unknown), unknown);
});

test('only the credential of the request reads the members in plain form', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const { userId, ...child } = await childWithAlice(service);
  assert.ok(userId);
  const session = await service.submit(
    'create_read_only_session',
    'ACTIVITY_TYPE_CREATE_READ_ONLY_SESSION',
    {},
    child,
  );
  const text = resultOf(session).session;
  const activityId = session.body.activity.id;
  await makeUsers(service, [describedUser('Colleague')], child);
  const mine = { id: (await service.query('whoami', {}, child)).body.userId };
  const second = { userId: mine.id, apiKeys: [describedKey('second of the root')] };
  resultOf(
    await service.submit('create_api_keys', 'ACTIVITY_TYPE_CREATE_API_KEYS_V2', second, child),
  );
  const asks = (as: object) => service.query('get_activity', { activityId }, { ...child, ...as });
  const shownTo = async (as: object) =>
    JSON.stringify((await asks(as)).body).includes(text) ? 'whole' : 'digest';
  assert.equal(await shownTo({}), 'whole');
  for (const key of [testKey('Colleague'), testKey('second of the root'), service.root.key]) {
    const answer = await asks({ key });
    assert.equal(answer.status, 200, JSON.stringify(answer.body));
    assert.equal(await shownTo({ key }), 'digest');
  }
  const body = utf8(JSON.stringify({ organizationId: child.organizationId, activityId }));
  const bySession = await service.send('query', 'get_activity', body, [
    { name: 'x-session', value: text },
  ]);
  assert.equal(bySession.status, 200);
  assert.ok(!JSON.stringify(bySession.body).includes(text));
  const list = await service.query('list_activities', {}, service.root);
  assert.equal(list.status, 200);
});

test('a list for a colleague contains no token, code or session', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const verificationToken = await verifiedToken(service);
  const { otpId, code } = await startedOtp(service, { userIdentifier: 'x' });
  assert.ok(otpId);
  await makeUsers(service, [describedUser('Colleague')]);
  const { body } = await service.query('list_activities', {}, { key: testKey('Colleague') });
  const listed = JSON.stringify(body);
  assert.ok(body.activities.length >= 3);
  for (const secret of [verificationToken, code]) assert.ok(!listed.includes(secret));
});
