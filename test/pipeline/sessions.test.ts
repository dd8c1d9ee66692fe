// Sessions as credentials: a read-only session only reads, the key of a session is limited by its profile,
// and each ends with the credential and the user behind it.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeApiKeys } from '../operations/api_keys/api_key_requests.ts';
import { activityBody, assertRefused, storedCount } from '../operations/checks.ts';
import { addChild, changeOrganization } from '../operations/other_callers.ts';
import { makePolicy } from '../operations/policies/policy_requests.ts';
import {
  logIn,
  makeProfile,
  readOnlySession,
  resultOf,
  sessionHeader,
  testServiceKeys,
} from '../operations/sessions/session_requests.ts';
import { describedKey, makeUser } from '../operations/users/user_requests.ts';
import { stampOf, startTestService, type TestService, testKey } from '../support/harness.ts';
import { approve, by, makeWallet, reject, rename, shownAs } from '../votes/voting.ts';
import { addAuthenticator, passkeyStamp } from './passkey_requests.ts';
import { bytesOf, clientCodeOf, renameEnvelope, sendRename } from './requests.ts';

type Header = { readonly name: string; readonly value: string };

async function started(t: { after: (done: () => void) => void }): Promise<TestService> {
  const service = await startTestService();
  t.after(() => service.close());
  return service;
}

function whoami(
  service: TestService,
  headers: readonly Header[] | ((body: Uint8Array) => readonly Header[]),
  organizationId = service.root.organizationId,
) {
  const body = bytesOf({ organizationId });
  const sent = typeof headers === 'function' ? headers(body) : headers;
  return service.send('query', 'whoami', body, sent);
}

test('every kind of header reads, if it is the only one', async (t) => {
  const service = await started(t);
  const { userId } = service.root;
  const passkey = await addAuthenticator(service, userId, 'phone');
  const session = await readOnlySession(service);
  const kinds: readonly ((body: Uint8Array) => Header)[] = [
    (body) => stampOf(body, service.root.key),
    (body) => passkeyStamp(body, passkey),
    () => sessionHeader(session),
  ];
  for (const header of kinds) {
    const { status, body } = await whoami(service, (sent) => [header(sent)]);
    assert.equal(status, 200, JSON.stringify(body));
    assert.equal(body.userId, userId);
  }
  for (const [first, second] of [
    [0, 1],
    [1, 0],
    [0, 0],
  ] as const) {
    const both = await whoami(service, (body) =>
      [first, second].flatMap((i) => kinds[i]?.(body) ?? []),
    );
    assertRefused(both, 401, 16);
    assert.match(both.body.message, /expected exactly one authentication header/);
  }
  const twice = [sessionHeader(session), sessionHeader(session)];
  assertRefused(await whoami(service, twice), 401, 16);
  const none = await whoami(service, []);
  assert.equal(clientCodeOf(none), 'SIGNATURE_MISSING');
});

test('every kind of header except a session submits', async (t) => {
  const service = await started(t);
  const passkey = await addAuthenticator(service, service.root.userId, 'phone');
  const session = await readOnlySession(service);
  const body = bytesOf(renameEnvelope(service));
  const renamed = await sendRename(service, body, [passkeyStamp(body, passkey)]);
  assert.equal(renamed.status, 200, JSON.stringify(renamed.body));
  assert.equal(renamed.body.activity.votes[0].scheme, 'SIGNATURE_SCHEME_TK_WEBAUTHN');
  const stored = await storedCount(service);
  for (const members of [{}, { parameters: { organizationName: 'By a session' } }]) {
    const refused = await sendRename(service, renameEnvelope(service, members), [
      sessionHeader(session),
    ]);
    assertRefused(refused, 401, 16);
    assert.match(refused.body.message, /a read-only session cannot submit activities$/);
  }
  assert.deepEqual(await storedCount(service), stored);
});

test('a session next to a stamp is ignored, also an invalid session', async (t) => {
  const service = await started(t);
  await makeUser(service, 'Alice');
  const session = await readOnlySession(service, by('Alice'));
  for (const value of [session, 'nonsense']) {
    const read = await whoami(service, (body) => [
      sessionHeader(value),
      stampOf(body, service.root.key),
    ]);
    assert.equal(read.body.username, 'Root user');
    const body = bytesOf(renameEnvelope(service, { timestampMs: String(service.now() + 1) }));
    service.advance(2);
    const headers = [stampOf(body, service.root.key), sessionHeader(value)];
    assert.equal((await sendRename(service, body, headers)).status, 200);
  }
  // A valid session does not replace an invalid stamp.
  const stranger = await whoami(service, (body) => [
    stampOf(body, testKey('stranger')),
    sessionHeader(session),
  ]);
  assertRefused(stranger, 401, 16);
});

test('a forged, cut or extended session, or one of another service, is refused', async (t) => {
  const service = await started(t);
  const session = await readOnlySession(service);
  const { organizationId, userId, apiKeyId: credentialId } = service.root;
  const told = { organizationId, userId, credentialId, expiresAtMs: service.now() + 60_000 };
  const payload = Buffer.from(JSON.stringify(told)).toString('base64url');
  const flipped = [0, 20, Math.floor(session.length / 2), session.length - 2].map(
    (i) => session.slice(0, i) + (session[i] === 'A' ? 'B' : 'A') + session.slice(i + 1),
  );
  const cut = Array.from({ length: session.length }, (_, i) => session.slice(0, i));
  const wrong = [
    payload,
    `${session}=`,
    `${session}A`,
    `${session}${session}`,
    session.toUpperCase(),
    'x'.repeat(100_000),
    ...flipped,
    ...cut,
  ];
  for (const value of wrong) {
    const refused = await whoami(service, [sessionHeader(value)]);
    assertRefused(refused, 401, 16);
    assert.equal(refused.body.message, 'authentication failed: the session is not valid here');
  }
  // A text sealed with the service's key opens.
  const own = testServiceKeys().sealToken(told);
  assert.equal((await whoami(service, [sessionHeader(own)])).body.userId, userId);
  for (const changes of [
    { organizationId: userId },
    { userId: organizationId },
    { credentialId: userId },
    { userId: '', credentialId: '' },
  ]) {
    const token = testServiceKeys().sealToken({ ...told, ...changes });
    assertRefused(await whoami(service, [sessionHeader(token)]), 401, 16);
  }
});

test('a session reads its own organization, which may be found from its parent', async (t) => {
  const service = await started(t);
  const child = await addChild(service);
  const header = sessionHeader(await readOnlySession(service, child));
  const own = await whoami(service, [header], child.organizationId);
  const found = await whoami(service, [header]);
  assert.deepEqual(own.body, found.body);
  assert.equal(own.body.organizationId, child.organizationId);
  const { organizationId } = service.root;
  const list = (named: string) =>
    service.send('query', 'list_users', bytesOf({ organizationId: named }), [header]);
  assert.equal((await list(child.organizationId)).status, 200);
  assertRefused(await list(organizationId), 401, 16);

  // A session of the parent reads its children, like its users do.
  const parents = sessionHeader(await readOnlySession(service));
  assert.equal((await whoami(service, [parents], child.organizationId)).status, 200);
});

test('a session ends with the credential that created it, and with its user', async (t) => {
  const service = await started(t);
  const userId = await makeUser(service, 'Alice');
  const [second] = await makeApiKeys(service, userId, [describedKey('Second')]);
  const header = sessionHeader(await readOnlySession(service, by('Alice')));
  const other = sessionHeader(await readOnlySession(service, by('Second')));
  const deleteType = 'ACTIVITY_TYPE_DELETE_API_KEYS';
  const removed = { userId, apiKeyIds: [second] };
  assert.equal((await service.submit('delete_api_keys', deleteType, removed)).status, 200);
  assertRefused(await whoami(service, [other]), 401, 16);
  assert.equal((await whoami(service, [header])).status, 200);
  const usersType = 'ACTIVITY_TYPE_DELETE_USERS';
  assert.equal(
    (await service.submit('delete_users', usersType, { userIds: [userId] })).status,
    200,
  );
  assertRefused(await whoami(service, [header]), 401, 16);
});

test('a credential in one child logs in with the id of the parent', async (t) => {
  const service = await started(t);
  const child = await addChild(service);
  const { body } = await service.query('whoami', {}, child);
  const byKey = await logIn(service, 'by key', {}, { key: child.key });
  assert.equal(byKey.body.activity.organizationId, child.organizationId);
  const passkey = await addAuthenticator(service, body.userId, 'phone', child.organizationId);
  const { publicKey } = testKey('by passkey');
  const sent = activityBody(service, 'ACTIVITY_TYPE_STAMP_LOGIN', { publicKey });
  const byPasskey = await service.send('submit', 'stamp_login', sent, [
    passkeyStamp(sent, passkey),
  ]);
  resultOf(byPasskey);
  assert.equal(byPasskey.body.activity.organizationId, child.organizationId);
  // The key of the session is found in the same way.
  const again = await logIn(service, 'again', {}, { key: testKey('by passkey') });
  assert.equal(again.body.activity.organizationId, child.organizationId);
  for (const name of ['by key', 'by passkey', 'again']) {
    const found = await whoami(service, (raw) => [stampOf(raw, testKey(name))]);
    assert.equal(found.body.userId, body.userId);
  }
  // A repetition is the same activity.
  const same = await service.send('submit', 'stamp_login', sent, [passkeyStamp(sent, passkey)]);
  assert.equal(same.body.activity.id, byPasskey.body.activity.id);
});

test('a credential in two children logs in only to the child that the request names', async (t) => {
  const service = await started(t);
  const first = await addChild(service);
  const second = await addChild(service);
  assert.deepEqual(first.key, second.key);
  for (const child of [first, second]) await rename(service, 'Signed for', child);
  const ambiguous = await logIn(service, 'session', {}, { key: first.key });
  assertRefused(ambiguous, 401, 16);
  assert.equal(clientCodeOf(ambiguous), 'CREDENTIAL_CONFLICT');
  for (const child of [first, second]) {
    const { body } = await logIn(service, `of ${child.organizationId}`, {}, child);
    assert.equal(body.activity.organizationId, child.organizationId);
  }
  // Activities other than logins stay in the named organization.
  const elsewhere = await rename(service, 'Renamed', { key: first.key });
  assert.equal(clientCodeOf(elsewhere), 'PUBLIC_KEY_NOT_FOUND');
});

test('the scope of a session applies to the activities that it votes on', async (t) => {
  const service = await started(t);
  const second = await makeUser(service, 'Second');
  await makeUser(service, 'Trader');
  await makePolicy(service, 'Wallets', { condition: "activity.resource == 'WALLET'" });
  await makePolicy(service, 'Tags', { condition: "activity.kind == 'CREATE_USER_TAG'" });
  await changeOrganization(service, (draft) => {
    draft.setHead({ rootQuorum: { threshold: 2, userIds: [service.root.userId, second] } });
    return undefined;
  });
  const sessionProfileId = await makeProfileAs(service, "activity.resource == 'WALLET'");
  resultOf(await logIn(service, 'scoped', { sessionProfileId }, by('Second')));
  const tag = { userTagName: 'Tag', userIds: [] };
  const tagType = 'ACTIVITY_TYPE_CREATE_USER_TAG';
  const ask = async (as = by('Trader')) =>
    shownAs('CONSENSUS_NEEDED', await service.submit('create_user_tag', tagType, tag, as));

  const waiting = await ask();
  const stored = await storedCount(service);
  for (const vote of [approve, reject]) {
    const refused = await vote(service, waiting, by('scoped'));
    assertRefused(refused, 403, 7);
    assert.match(refused.body.message, /scope of the session/);
  }
  assert.deepEqual(await storedCount(service), stored);
  shownAs('COMPLETED', await approve(service, waiting, by('Second')));

  const wallet = async () =>
    shownAs('CONSENSUS_NEEDED', await makeWallet(service, `W ${service.now()}`, by('Trader')));
  shownAs('REJECTED', await reject(service, await wallet(), by('scoped')));
  shownAs('COMPLETED', await approve(service, await wallet(), by('scoped')));

  // The same body from another user is a vote as well.
  const body = activityBody(service, tagType, tag);
  const send = (name: string) =>
    service.send('submit', 'create_user_tag', body, [stampOf(body, testKey(name))]);
  shownAs('CONSENSUS_NEEDED', await send('Trader'));
  assertRefused(await send('scoped'), 403, 7);
});

/** The root quorum needs two approvals by now. */
async function makeProfileAs(service: TestService, scope: string): Promise<string> {
  const type = 'ACTIVITY_TYPE_CREATE_SESSION_PROFILE';
  const parameters = { sessionProfileName: 'Wallets', scope };
  const asked = await service.submit('create_session_profile', type, parameters);
  const answer = await approve(service, asked.body.activity, by('Second'));
  return resultOf(answer).sessionProfileId;
}

test('an activity that cannot be evaluated is outside of every scope', async (t) => {
  const service = await started(t);
  const alice = await makeUser(service, 'Alice');
  await makeUser(service, 'Trader');
  await makePolicy(service, 'Users', { condition: "activity.resource == 'WALLET'" });
  const sessionProfileId = await makeProfile(service, 'All', 'true');
  resultOf(await logIn(service, 'scoped', { sessionProfileId }));
  const { body } = await makeWallet(service, 'Wallet', by('Alice'));
  const usersType = 'ACTIVITY_TYPE_DELETE_USERS';
  await service.submit('delete_users', usersType, { userIds: [alice] });
  // Its submitter was deleted, so members of the quorum can only reject it.
  assertRefused(await reject(service, body.activity, by('scoped')), 403, 7);
  shownAs('REJECTED', await reject(service, body.activity));
});

test('a key that was mailed for a recovery has no vote', async (t) => {
  const service = await started(t);
  await makeUser(service, 'Trader');
  await makePolicy(service, 'Wallets', { condition: "activity.resource == 'WALLET'" });
  await changeOrganization(service, (draft, newId) => {
    const times = { createdAtMs: service.now(), updatedAtMs: service.now() };
    draft.put('api_key', {
      id: newId(),
      userId: service.root.userId,
      name: 'Recovery',
      publicKey: testKey('recovery').publicKey,
      type: 'CREDENTIAL_TYPE_RECOVER_USER_KEY_P256',
      expirationSeconds: 900,
      ...times,
    });
    return undefined;
  });
  const { body } = await makeWallet(service, 'Wallet', by('Trader'));
  for (const vote of [approve, reject]) {
    const refused = await vote(service, body.activity, by('recovery'));
    assertRefused(refused, 403, 7);
    assert.match(refused.body.message, /is valid only for ACTIVITY_TYPE_RECOVER_USER$/);
  }
  assertRefused(await rename(service, 'Renamed', by('recovery')), 403, 7);
  assertRefused(await logIn(service, 'escape', {}, by('recovery')), 403, 7);
});
