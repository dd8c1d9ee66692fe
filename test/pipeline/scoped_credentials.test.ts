// A session with a scope cannot add a login for its own user, since the new login would have no scope.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertRefused } from '../operations/checks.ts';
import { addPlainUser, changeOrganization } from '../operations/other_callers.ts';
import { logIn, makeProfile, resultOf } from '../operations/sessions/session_requests.ts';
import { describedKey, makeUser } from '../operations/users/user_requests.ts';
import { startTestService, testKey } from '../support/harness.ts';
import { approve, by, reject, shownAs } from '../votes/voting.ts';

const keysType = 'ACTIVITY_TYPE_CREATE_API_KEYS_V2';

test('a session with a scope registers no credential and sets no contact of its own user', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const plain = await addPlainUser(service);
  const plainId = (await service.query('whoami', {}, plain)).body.userId;
  const sessionProfileId = await makeProfile(service, 'All', 'true');
  const { publicKey } = testKey('read and write');
  for (const [name, userId, as] of [
    ['of root', service.root.userId, {}],
    ['of plain', plainId, plain],
  ] as const) {
    resultOf(await logIn(service, name, { sessionProfileId }, as));
    const apiKeys = [describedKey(`further ${name}`)];
    const contact = { userEmail: `${plainId}@example.com` };
    for (const [operation, type, parameters] of [
      ['create_api_keys', keysType, { userId, apiKeys }],
      ['create_api_keys', keysType, { userId: userId.toUpperCase(), apiKeys }],
      [
        'create_read_write_session',
        'ACTIVITY_TYPE_CREATE_READ_WRITE_SESSION_V2',
        { targetPublicKey: publicKey },
      ],
      ['update_user', 'ACTIVITY_TYPE_UPDATE_USER', { userId, ...contact }],
      ['update_user_email', 'ACTIVITY_TYPE_UPDATE_USER_EMAIL', { userId, ...contact }],
      [
        'update_user_phone_number',
        'ACTIVITY_TYPE_UPDATE_USER_PHONE_NUMBER',
        { userId, userPhoneNumber: '+14155550123' },
      ],
    ] as const) {
      const refused = await service.submit(operation, type, parameters, by(name));
      assertRefused(refused, 403, 7);
      assert.match(refused.body.message, /scope of the session/, operation);
    }
    const described = { userId, userName: `Renamed ${name}` };
    const renamed = 'ACTIVITY_TYPE_UPDATE_USER_NAME';
    resultOf(await service.submit('update_user_name', renamed, described, by('of root')));
    // A session without a scope may.
    resultOf(await service.submit('create_api_keys', keysType, { userId, apiKeys }, as));
  }
});

test('a session with a scope approves no credential of its own user, and may reject one', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const second = await makeUser(service, 'Second');
  const sessionProfileId = await makeProfile(service, 'All', 'true');
  resultOf(await logIn(service, 'scoped', { sessionProfileId }, by('Second')));
  await changeOrganization(service, (draft) => {
    draft.setHead({ rootQuorum: { threshold: 2, userIds: [service.root.userId, second] } });
    return undefined;
  });
  const ask = async (label: string, userId: string) => {
    const asked = { userId, apiKeys: [describedKey(label)] };
    return shownAs('CONSENSUS_NEEDED', await service.submit('create_api_keys', keysType, asked));
  };
  const waiting = await ask('first', second);
  const refused = await approve(service, waiting, by('scoped'));
  assertRefused(refused, 403, 7);
  assert.match(refused.body.message, /scope of the session/);
  shownAs('COMPLETED', await approve(service, waiting, by('Second')));
  shownAs('REJECTED', await reject(service, await ask('second', second), by('scoped')));
});

test('a read-only session ends itself, and no other session', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const { userId } = service.root;
  const sessionProfileId = await makeProfile(service, 'Reading', 'false');
  for (const name of ['first', 'second']) {
    resultOf(await logIn(service, name, { sessionProfileId }));
  }
  const { apiKeys } = (await service.query('get_api_keys', { userId })).body;
  const idOf = (name: string): string =>
    apiKeys.find(
      ({ credential }: { credential: { publicKey: string } }) =>
        credential.publicKey === testKey(name).publicKey,
    ).apiKeyId;
  const end = (apiKeyIds: readonly string[]) =>
    service.submit(
      'delete_api_keys',
      'ACTIVITY_TYPE_DELETE_API_KEYS',
      { userId, apiKeyIds },
      by('first'),
    );
  for (const others of [[idOf('second')], [idOf('first'), idOf('second')]]) {
    assertRefused(await end(others), 403, 7);
  }
  resultOf(await end([idOf('first')]));
  assertRefused(await service.query('whoami', {}, by('first')), 401, 16);
  assert.equal((await service.query('whoami', {}, by('second'))).status, 200);
});
