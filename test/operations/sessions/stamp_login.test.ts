import assert from 'node:assert/strict';
import { test } from 'node:test';
import { stamp_login } from '../../../src/operations/sessions/stamp_login.ts';
import { stampOf, startTestService, type TestService, testKey } from '../../support/harness.ts';
import { makeApiKeys } from '../api_keys/api_key_requests.ts';
import {
  activityBody,
  assertCompleted,
  assertRefused,
  assertViolation,
  checkRefused,
  storedCount,
} from '../checks.ts';
import { addChild, addPlainUser } from '../other_callers.ts';
import { makePolicy } from '../policies/policy_requests.ts';
import { describedKey, factsOf, makeUser, shownUser } from '../users/user_requests.ts';
import { unknownId } from '../wallets/wallet_requests.ts';
import { claimsOf, logIn, makeProfile, payloadOf, resultOf } from './session_requests.ts';

const wire = {
  operation: 'stamp_login',
  type: 'ACTIVITY_TYPE_STAMP_LOGIN',
  intent: 'stampLoginIntent',
  result: 'stampLoginResult',
};
const quarterHourMs = 900_000;

const started = async (t: { after: (done: () => void) => void }): Promise<TestService> => {
  const service = await startTestService();
  t.after(() => service.close());
  return service;
};

test('stamp_login: every user starts own sessions', async (t) => {
  const service = await started(t);
  const plain = await addPlainUser(service);
  const { publicKey } = testKey('session');
  const parameters = { publicKey };
  const body = activityBody(service, wire.type, parameters);
  const send = () => service.send('submit', wire.operation, body, [stampOf(body, plain.key)]);
  const answer = await send();
  const { organizationId } = service.root;
  assertCompleted(answer, { ...wire, parameters }, body, organizationId);
  const stored = await storedCount(service);
  assert.deepEqual((await send()).body.activity.result, answer.body.activity.result);
  assert.deepEqual(await storedCount(service), stored, 'a repetition has no effect');

  const { session } = resultOf(answer);
  const { userId } = answer.body.activity.votes[0];
  assert.deepEqual(claimsOf(session, service), {
    expiresAtSeconds: Math.floor((service.now() + quarterHourMs) / 1000),
    publicKey,
    sessionType: 'SESSION_TYPE_READ_WRITE',
    userId,
    organizationId,
  });
  const [, key] = (await shownUser(service, userId)).apiKeys;
  assert.equal(key.credential.type, 'CREDENTIAL_TYPE_LOGIN'); // ENUM-01
  assert.equal(key.expirationSeconds, '900');
  assert.match(key.apiKeyName, /^Login - 2026-01-01T/);
  const as = { key: testKey('session') };
  assert.equal((await service.query('whoami', {}, as)).body.userId, userId);
  service.advance(quarterHourMs);
  const late = await service.query('whoami', {}, as);
  assertRefused(late, 401, 16);
  assert.equal(late.body.turnkeyErrorCode, 'API_KEY_EXPIRED');
});

test('stamp_login: malformed members are refused by name', async (t) => {
  const service = await started(t);
  const { publicKey } = testKey('session');
  for (const [field, parameters] of [
    ['parameters.publicKey', {}],
    ['parameters.publicKey', { publicKey: 7 }],
    ['parameters.publicKey', { publicKey: '02' }],
    ['parameters.publicKey', { publicKey: publicKey.slice(2) }],
    ['parameters.expirationSeconds', { publicKey, expirationSeconds: 'x' }],
    ['parameters.expirationSeconds', { publicKey, expirationSeconds: '0' }],
    ['parameters.expirationSeconds', { publicKey, expirationSeconds: String(10 ** 10) }],
    ['parameters.invalidateExisting', { publicKey, invalidateExisting: 'true' }],
    ['parameters.sessionProfileId', { publicKey, sessionProfileId: 'x' }],
    ['parameters.surprise', { publicKey, surprise: 1 }],
  ] as const) {
    assertViolation(await service.submit(wire.operation, wire.type, parameters), field);
  }
  assertRefused(await logIn(service, 'session', {}, { key: testKey('stranger') }), 401, 16);
  const body = activityBody(service, wire.type, { publicKey });
  assertRefused(await service.send('submit', wire.operation, body, []), 401, 16);
});

test('stamp_login: a user of the parent does not log in to a child', async (t) => {
  const service = await started(t);
  const child = await addChild(service);
  const { organizationId } = child;
  const refused = await logIn(service, 'session', {}, { organizationId });
  assertRefused(refused, 400, 3);
  assert.equal(refused.body.turnkeyErrorCode, 'ORGANIZATION_MISMATCH');
});

test('stamp_login: a policy may deny it, or require votes', async (t) => {
  const service = await started(t);
  const plain = await addPlainUser(service);
  await makePolicy(service, 'No logins', {
    effect: 'EFFECT_DENY',
    condition: "activity.kind == 'STAMP_LOGIN' && activity.params.session_profile_id == ''",
    consensus: 'true',
  });
  const profile = await makeProfile(service, 'Profile', 'true');
  const parameters = { publicKey: testKey('session').publicKey };
  const text = /^You don't have sufficient permissions/;
  await checkRefused(
    service,
    { ...wire, parameters, as: plain },
    { status: 403, code: 7, text, clientCode: 'REQUEST_NOT_AUTHORIZED' },
  );
  resultOf(await logIn(service, 'session', { sessionProfileId: profile }, plain));

  await makePolicy(service, 'With another', {
    condition: `activity.params.session_profile_id == '${profile}'`,
    consensus: 'approvers.count() >= 2',
  });
  const waiting = await logIn(service, 'other', { sessionProfileId: profile }, plain);
  assert.equal(waiting.body.activity.status, 'ACTIVITY_STATUS_CONSENSUS_NEEDED');
  const { fingerprint } = waiting.body.activity;
  const approveType = 'ACTIVITY_TYPE_APPROVE_ACTIVITY';
  const { session } = resultOf(
    await service.submit('approve_activity', approveType, { fingerprint }),
  );
  assert.equal(claimsOf(session, service).userId, waiting.body.activity.votes[0].userId);
});

test('stamp_login: a profile names, limits and shortens the session', async (t) => {
  const service = await started(t);
  const scope = "activity.action == 'SIGN' || activity.params.count() > 3";
  await checkRefused(
    service,
    {
      operation: 'create_session_profile',
      type: 'ACTIVITY_TYPE_CREATE_SESSION_PROFILE',
      parameters: { sessionProfileName: 'Wrong', scope },
    },
    { status: 400, code: 3, text: /^invalid policy scope: / },
  );
  const signing = "activity.action == 'SIGN' && '~?>' != ''";
  const sessionProfileId = await makeProfile(service, 'Signer', signing, {
    expirationSeconds: '600',
  });
  const named = { sessionProfileId: sessionProfileId.toUpperCase() };
  const lives = [
    [{}, 600],
    [{ expirationSeconds: '1' }, 1],
    [{ expirationSeconds: '60' }, 60],
    [{ expirationSeconds: '6000' }, 600],
  ] as const;
  for (const [asked, seconds] of lives) {
    const { session } = resultOf(await logIn(service, 'scoped', { ...named, ...asked }));
    const claims = claimsOf(session, service);
    assert.equal(claims.expiresAtSeconds, Math.floor(service.now() / 1000) + seconds);
    assert.equal(claims.sessionType, 'Signer');
    assert.equal(claims.sessionProfileId, sessionProfileId);
    assert.equal(claims.scope, signing);
    // Some clients decode the payload as plain base64, so it avoids `-` and `_`.
    assert.match(session.split('.')[1], /^[A-Za-z0-9]+$/);
    assert.equal(JSON.parse(payloadOf(session)).scope, signing);
  }
  const { apiKeys } = await shownUser(service, service.root.userId);
  assert.equal(apiKeys.length, 2, 'the same key again takes the place of the session before');
  assert.equal(apiKeys[1].credential.sessionProfileId, sessionProfileId);

  const as = { key: testKey('scoped') };
  const denied = await logIn(service, 'escape', {}, as);
  assertRefused(denied, 403, 7);
  assert.match(denied.body.message, /the scope of the session does not allow/);
  // The scope does not limit queries.
  assert.equal((await service.query('list_users', {}, as)).status, 200);

  const missing = { publicKey: testKey('none').publicKey, sessionProfileId: unknownId };
  const text = /^unable to find session profile /;
  await checkRefused(service, { ...wire, parameters: missing }, { status: 404, code: 5, text });
});

test('stamp_login: a session with a profile logs in again if its scope allows it', async (t) => {
  const service = await started(t);
  const sessionProfileId = await makeProfile(
    service,
    'Again',
    "activity.kind == 'STAMP_LOGIN' && activity.params.session_profile_id != ''",
  );
  resultOf(await logIn(service, 'first', { sessionProfileId }));
  const as = { key: testKey('first') };
  resultOf(await logIn(service, 'second', { sessionProfileId }, as));
  assertRefused(await logIn(service, 'third', {}, as), 403, 7);
});

test('stamp_login: invalidateExisting ends earlier logins, and nothing else', async (t) => {
  const service = await started(t);
  const userId = await makeUser(service, 'Alice');
  const as = { key: testKey('Alice') };
  await makeApiKeys(service, userId, [describedKey('Expiring', { expirationSeconds: '900' })]);
  for (const name of ['one', 'two']) resultOf(await logIn(service, name, {}, as));
  resultOf(await logIn(service, 'three', { invalidateExisting: true }, as));
  for (const [name, status] of [
    ['one', 401],
    ['two', 401],
    ['three', 200],
    ['Expiring', 200],
    ['Alice', 200],
  ] as const) {
    const { status: answered } = await service.query('whoami', {}, { key: testKey(name) });
    assert.equal(answered, status, name);
  }
});

test('stamp_login: a registered key is refused', async (t) => {
  const service = await started(t);
  await makeUser(service, 'Alice');
  const as = { key: testKey('Alice') };
  resultOf(await logIn(service, 'of the root', {}));
  const taken = { status: 409, code: 6, text: /^API key already exists: / };
  for (const name of ['of the root', 'root', 'Alice']) {
    const parameters = { publicKey: testKey(name).publicKey };
    await checkRefused(service, { ...wire, parameters, as }, taken);
  }
});

test('stamp_login: the eleventh session evicts the oldest', async (t) => {
  const service = await started(t);
  for (let i = 0; i < 11; i += 1) resultOf(await logIn(service, `session ${i}`));
  const [first, second] = await Promise.all(
    [0, 1].map((i) => service.query('whoami', {}, { key: testKey(`session ${i}`) })),
  );
  assert.deepEqual([first?.status, second?.status], [401, 200]);
});

test('stamp_login: policies see the profile id, or an empty text', () => {
  const publicKey = testKey('session').publicKey;
  assert.deepEqual(factsOf(stamp_login, { publicKey }), { params: { session_profile_id: '' } });
  const sessionProfileId = unknownId.toUpperCase();
  assert.deepEqual(factsOf(stamp_login, { publicKey, sessionProfileId }), {
    params: { session_profile_id: unknownId.toLowerCase() },
  });
});
