// Lost rows of activities, look-ups and the deployment: a request that changed its organization is not
// carried out again, and the requests that can be repeated are listed.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ServiceError } from '../../src/core/errors/errors.ts';
import { openDatabase } from '../../src/store/sqlite/sqlite.ts';
import { createSqliteStore } from '../../src/store/sqlite/store.ts';
import { startMs, type TestKey, testKey } from '../support/harness.ts';
import { activityBody, queryBody, type ServiceOver, startServiceOver } from './service_over.ts';

const key = testKey('root');
const bootstrapRequest = {
  organizationName: 'First',
  userName: 'Root user',
  apiKeyName: 'Root key',
  apiPublicKey: key.publicKey,
  enablesAuthProxy: false,
};

/** Starts a service on a database that tests edit and reopen. */
async function startWorld() {
  const database = openDatabase({ file: ':memory:' });
  const store = createSqliteStore(database);
  let now = startMs;
  let lives = 0;
  const start = (liveness = {}) => {
    lives += 1;
    const seed = `life ${lives}`;
    return startServiceOver({ store: store.port, seed, clock: () => now, liveness });
  };
  const first = await start();
  const made = await first.enclave.bootstrap(bootstrapRequest);
  const { organizationId } = made;
  return {
    ...made,
    database,
    first,
    start,
    close: () => store.close(),
    /** Returns a body, to send once or several times. */
    bodyOf: (type: string, parameters: object, of = organizationId) => {
      now += 1;
      const [, operation = ''] = /^ACTIVITY_TYPE_(.*?)(?:_V\d)?$/.exec(type) ?? [];
      const body = activityBody(type, of, parameters, now);
      return { operation: operation.toLowerCase(), body };
    },
    pass: (ms: number) => {
      now += ms;
    },
    forget: (activityId: string) =>
      database.prepare('DELETE FROM activities WHERE id = ?').run(activityId),
  };
}

type Sent = { readonly operation: string; readonly body: Uint8Array };

async function done(service: ServiceOver, { operation, body }: Sent, by: TestKey = key) {
  const answer = await service.send('submit', operation, body, by);
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
  return answer.body.activity;
}

const keyParameters = (userId: string, publicKey: string) => ({
  userId,
  apiKeys: [{ apiKeyName: 'Second key', publicKey, curveType: 'API_KEY_CURVE_P256' }],
});

test('a request that changed its organization is not carried out again after its activity was deleted', async () => {
  const world = await startWorld();
  const { organizationId, userId } = world;
  const second = testKey('second');
  const addition = world.bodyOf(
    'ACTIVITY_TYPE_CREATE_API_KEYS_V2',
    keyParameters(userId, second.publicKey),
  );
  const added = await done(world.first, addition);
  assert.deepEqual(await done(world.first, addition), added, 'sent twice it is one activity');
  const [apiKeyId] = added.result.createApiKeysResult.apiKeyIds;
  const removal = { userId, apiKeyIds: [apiKeyId] };
  await done(world.first, world.bodyOf('ACTIVITY_TYPE_DELETE_API_KEYS', removal));
  world.forget(added.id);

  // The enclave that carried it out, and another that knows only the database.
  for (const service of [world.first, await world.start()]) {
    const answer = await service.send('submit', addition.operation, addition.body, key);
    assert.equal(answer.status, 500);
    const [line, another] = service.log;
    assert.equal(another, undefined);
    assert.match(String(line?.message), /^a stored record was refused/);
    const { requestId, ...fields } = line?.fields ?? {};
    const kind = 'activity';
    assert.deepEqual(fields, { organizationId, kind, id: added.id, version: 0 });
    assert.equal(answer.body.message, `internal server error (${requestId})`);
    const whoami = await service.send('query', 'whoami', queryBody(organizationId), second);
    assert.equal(whoami.status, 401, 'the deleted key stays deleted');
  }
  await world.close();
});

test('a gateway starts no enclave that carries out a request of last month, and brings a key back', async () => {
  const world = await startWorld();
  const { userId, organizationId } = world;
  const second = testKey('second');
  const addition = world.bodyOf(
    'ACTIVITY_TYPE_CREATE_API_KEYS_V2',
    keyParameters(userId, second.publicKey),
  );
  const added = await done(world.first, addition);
  const [apiKeyId] = added.result.createApiKeysResult.apiKeyIds;
  const removal = { userId, apiKeyIds: [apiKeyId] };
  await done(world.first, world.bodyOf('ACTIVITY_TYPE_DELETE_API_KEYS', removal));
  // The head remembers the last 64 changes.
  for (let i = 0; i < 64; i += 1) {
    const tag = { userTagName: `Tag ${i}`, userIds: [] };
    await done(world.first, world.bodyOf('ACTIVITY_TYPE_CREATE_USER_TAG', tag));
  }
  world.forget(added.id);
  const day = 24 * 60 * 60 * 1_000;
  world.pass(30 * day);
  const restored = async (service: ServiceOver) => {
    await service.send('submit', addition.operation, addition.body, key);
    const { status } = await service.send('query', 'whoami', queryBody(organizationId), second);
    return status === 200;
  };
  assert.equal(
    await restored(await world.start({ maximumAgeMs: day, maximumAheadMs: day })),
    false,
  );
  for (const liveness of [{ maximumAgeMs: 365 * day }, { maximumAheadMs: day + 1 }]) {
    const hostile = await world.start(liveness).catch((error: unknown) => String(error));
    const outcome = typeof hostile === 'string' ? hostile : `restored: ${await restored(hostile)}`;
    assert.match(outcome, /the bounds of the age of requests are at most a day/);
  }
  await world.close();
});

test('an activity that was moved to another time bucket is missed in its own', async () => {
  const world = await startWorld();
  const body = world.bodyOf('ACTIVITY_TYPE_CREATE_USER_TAG', { userTagName: 'Tag', userIds: [] });
  const made = await done(world.first, body);
  world.database.prepare('UPDATE activities SET bucket = bucket + 1').run();
  const service = await world.start();
  const answer = await service.send('submit', body.operation, body.body, key);
  assert.equal(answer.status, 500);
  assert.equal(service.log[0]?.fields['id'], made.id);
  await world.close();
});

test('a moved record that a vote depends on is refused by name', async () => {
  const world = await startWorld();
  const { organizationId } = world;
  const plain = testKey('plain');
  const apiKey = { apiKeyName: 'Key', publicKey: plain.publicKey };
  const user = { userName: 'Plain', authenticators: [], oauthProviders: [], userTags: [] };
  const apiKeys = [{ ...apiKey, curveType: 'API_KEY_CURVE_P256' }];
  const users = { users: [{ ...user, apiKeys }] };
  await done(world.first, world.bodyOf('ACTIVITY_TYPE_CREATE_USERS_V4', users));
  const policy = {
    policyName: 'Together',
    effect: 'EFFECT_ALLOW',
    condition: "activity.resource == 'USER'",
    consensus: 'approvers.count() >= 2',
    notes: '',
  };
  await done(world.first, world.bodyOf('ACTIVITY_TYPE_CREATE_POLICY_V3', policy));
  const tag = { userTagName: 'Tag', userIds: [] };
  const waiting = await done(
    world.first,
    world.bodyOf('ACTIVITY_TYPE_CREATE_USER_TAG', tag),
    plain,
  );
  assert.equal(waiting.status, 'ACTIVITY_STATUS_CONSENSUS_NEEDED');
  const { id, fingerprint } = waiting;
  const lineAfter = async (ask: (service: ServiceOver) => Promise<{ readonly status: number }>) => {
    const service = await world.start();
    assert.equal((await ask(service)).status, 500);
    assert.equal(service.log.length, 1);
    const { requestId: _, ...fields } = service.log[0]?.fields ?? {};
    return fields;
  };

  const vote = world.bodyOf('ACTIVITY_TYPE_APPROVE_ACTIVITY', { fingerprint });
  for (const column of ['bucket', 'created_at_ms']) {
    const moved = (by: number) =>
      world.database
        .prepare(`UPDATE activities SET ${column} = ${column} + ? WHERE id = ?`)
        .run(by, id);
    moved(1);
    assert.deepEqual(
      await lineAfter((service) => service.send('submit', vote.operation, vote.body, key)),
      { organizationId, kind: 'activity', id, version: 1 },
      column,
    );
    moved(-1);
  }

  const [set] = world.database.prepare("SELECT id FROM records WHERE kind = 'policy_set'").all();
  world.database.exec("DELETE FROM records WHERE kind = 'policy_set'");
  const body = queryBody(organizationId, { activityId: id });
  assert.deepEqual(
    await lineAfter((service) => service.send('query', 'get_policy_evaluations', body, key)),
    { organizationId, kind: 'policy_set', id: set?.['id'], version: 0 },
  );
  const approved = await done(await world.start(), vote);

  // A false entry does not hide the true one.
  world.database.exec(`INSERT INTO lookups SELECT index_name, blind, organization_id,
    '00000000-0000-7000-8000-000000000000' FROM lookups WHERE index_name = 'activity_fingerprint'`);
  assert.equal((await done(await world.start(), vote)).id, approved.id);
  await world.close();
});

test('an organization stores its last 64 changes, and no older ones', async () => {
  const world = await startWorld();
  const tag = (n: number) => ({ userTagName: `Tag ${n}`, userIds: [] });
  const bodies = Array.from({ length: 66 }, (_, n) =>
    world.bodyOf('ACTIVITY_TYPE_CREATE_USER_TAG', tag(n)),
  );
  for (const body of bodies) await done(world.first, body);
  world.database.exec('DELETE FROM activities');
  const service = await world.start();
  const statuses = [];
  for (const { operation, body } of bodies) {
    statuses.push((await service.send('submit', operation, body, key)).status);
  }
  // The oldest two are decided again, and refused only because their tag names exist.
  assert.deepEqual(statuses, [400, 400, ...Array.from({ length: 64 }, () => 500)]);
  await world.close();
});

test('a signature whose activity was deleted is created again with equal bytes', async () => {
  const world = await startWorld();
  const { curve, pathFormat, addressFormat } = {
    curve: 'CURVE_SECP256K1',
    pathFormat: 'PATH_FORMAT_BIP32',
    addressFormat: 'ADDRESS_FORMAT_ETHEREUM',
  };
  const wallet = await done(
    world.first,
    world.bodyOf('ACTIVITY_TYPE_CREATE_WALLET', {
      walletName: 'Wallet',
      accounts: [{ curve, pathFormat, path: "m/44'/60'/0'/0/0", addressFormat }],
    }),
  );
  const [signWith] = wallet.result.createWalletResult.addresses;
  const signing = world.bodyOf('ACTIVITY_TYPE_SIGN_RAW_PAYLOAD_V2', {
    signWith,
    payload: 'aa'.repeat(32),
    encoding: 'PAYLOAD_ENCODING_HEXADECIMAL',
    hashFunction: 'HASH_FUNCTION_NO_OP',
  });
  const signed = await done(world.first, signing);
  world.forget(signed.id);
  const again = await done(await world.start(), signing);
  assert.notEqual(again.id, signed.id);
  assert.deepEqual(again.result, signed.result);
  await world.close();
});

test('a child whose creation was deleted is created twice, each time with the requested users', async () => {
  const world = await startWorld();
  const childKey = testKey('child');
  const making = world.bodyOf('ACTIVITY_TYPE_CREATE_SUB_ORGANIZATION_V8', {
    subOrganizationName: 'Child',
    rootQuorumThreshold: 1,
    rootUsers: [
      {
        userName: 'Root of the child',
        apiKeys: [
          {
            apiKeyName: 'Key',
            publicKey: childKey.publicKey,
            curveType: 'API_KEY_CURVE_P256',
          },
        ],
        authenticators: [],
        oauthProviders: [],
      },
    ],
  });
  const made = await done(world.first, making);
  world.forget(made.id);
  const again = await done(world.first, making);
  const ids = [made, again].map(
    ({ result }) => result.createSubOrganizationResultV8?.subOrganizationId,
  );
  assert.equal(new Set(ids).size, 2, JSON.stringify(made.result));
  for (const id of ids) {
    const answer = await world.first.send('query', 'whoami', queryBody(id), childKey);
    assert.equal(answer.status, 200);
  }
  await world.close();
});

test('a user whose key has lost its look-ups keeps the same rights', async () => {
  const world = await startWorld();
  const { organizationId } = world;
  const shared = testKey('shared');
  const children: string[] = [];
  for (const name of ['Left', 'Right']) {
    const rootUsers = [
      {
        userName: `Root of ${name}`,
        apiKeys: [
          { apiKeyName: 'Key', publicKey: shared.publicKey, curveType: 'API_KEY_CURVE_P256' },
        ],
        authenticators: [],
        oauthProviders: [],
      },
    ];
    const parameters = { subOrganizationName: name, rootQuorumThreshold: 1, rootUsers };
    const made = await done(
      world.first,
      world.bodyOf('ACTIVITY_TYPE_CREATE_SUB_ORGANIZATION_V8', parameters),
    );
    children.push(made.result.createSubOrganizationResultV8.subOrganizationId);
  }
  const whoami = async (of: string) => {
    const answer = await world.first.send('query', 'whoami', queryBody(of), shared);
    return [answer.status, answer.body.turnkeyErrorCode ?? answer.body.organizationId];
  };
  const [left, right] = children;
  assert.ok(left !== undefined && right !== undefined);
  for (const id of [left, right]) {
    const rename = { organizationName: 'Signed for' };
    const body = world.bodyOf('ACTIVITY_TYPE_UPDATE_ORGANIZATION_NAME', rename, id);
    await done(world.first, body, shared);
  }
  const [ambiguous] = await whoami(organizationId);
  assert.notEqual(ambiguous, 200, 'below the parent two children know the key');

  const remove = (id: string) =>
    world.database.prepare('DELETE FROM lookups WHERE organization_id = ?').run(id);
  remove(left);
  // Two organizations have the key. The service finds only the one with a look-up.
  assert.deepEqual(await whoami(organizationId), [200, right]);
  remove(right);
  assert.equal((await whoami(organizationId))[0], 401);
  for (const id of [left, right]) assert.deepEqual(await whoami(id), [200, id]);
  assert.deepEqual(world.first.log, []);
  await world.close();
});

test('an account without look-ups can be created twice, with one key and one address', async () => {
  const world = await startWorld();
  const account = {
    curve: 'CURVE_SECP256K1',
    pathFormat: 'PATH_FORMAT_BIP32',
    path: "m/44'/60'/0'/0/0",
    addressFormat: 'ADDRESS_FORMAT_ETHEREUM',
  };
  const wallet = await done(
    world.first,
    world.bodyOf('ACTIVITY_TYPE_CREATE_WALLET', { walletName: 'Wallet', accounts: [account] }),
  );
  const { walletId, addresses } = wallet.result.createWalletResult;
  const parameters = { walletId, accounts: [account] };
  const type = 'ACTIVITY_TYPE_CREATE_WALLET_ACCOUNTS';
  const taken = world.bodyOf(type, parameters);
  const refused = await world.first.send('submit', taken.operation, taken.body, key);
  assert.equal(refused.status, 409, JSON.stringify(refused.body));
  world.database.exec("DELETE FROM lookups WHERE index_name LIKE 'account_%'");
  const again = await done(await world.start(), world.bodyOf(type, parameters));
  assert.deepEqual(again.result.createWalletAccountsResult.addresses, addresses);
  await world.close();
});

test('a database without its deployment row gets no second deployment', async () => {
  const world = await startWorld();
  const [row] = world.database.prepare('SELECT body FROM deployment').all();
  world.database.exec('DELETE FROM deployment');
  const service = await world.start();
  const isRefusal = (error: unknown) =>
    error instanceof ServiceError &&
    error.code === 'deployment_missing' &&
    /restore that table from a backup$/.test(error.message);
  await assert.rejects(async () => service.enclave.bootstrap(bootstrapRequest), isRefusal);
  const [count] = world.database.prepare('SELECT count(*) AS n FROM organizations').all();
  assert.equal(count?.['n'], 2, 'the organization and the custody record: nothing was made');
  const { organizationId } = world;
  const answer = await service.send('query', 'whoami', queryBody(organizationId), key);
  assert.equal(answer.status, 200, 'what is there is served');

  world.database.prepare('INSERT INTO deployment VALUES (1, ?)').run(row?.['body'] ?? null);
  const restored = await (await world.start()).enclave.bootstrap(bootstrapRequest);
  assert.equal(restored.organizationId, organizationId);
  await world.close();
});
