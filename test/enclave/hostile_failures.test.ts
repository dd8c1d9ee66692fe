// A store that fails while it reads a row, for example with an integer beyond the safe range: the enclave
// reports the row as altered, but only if the row is at fault.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { fail } from '../../src/core/errors/errors.ts';
import { openDatabase } from '../../src/store/sqlite/sqlite.ts';
import { createSqliteStore } from '../../src/store/sqlite/store.ts';
import { testKey } from '../support/harness.ts';
import { checkLies, type Lie, wordsOf } from './hostile_lies.ts';
import { type Alterations, hostileStore } from './hostile_store.ts';
import { buildWorld } from './hostile_world.ts';
import { activityBody, queryBody, startServiceOver } from './service_over.ts';

const world = await buildWorld();
after(() => world.service.close());
const { organizationId, first, second } = world;
const { query, sign, refused, accountOf } = wordsOf(world);
const account = accountOf(first.address);
const listWallets = query('list_wallets');
const listAccounts = query('list_wallet_accounts', { walletId: first.walletId });
const tooLarge = (): never => {
  throw new RangeError('the value of column 2 is too large to be represented as a number');
};

/** The custody record is read by the same call, and stays intact. */
const headTooLarge: Alterations['organization'] = (answer, request) =>
  request.organizationId === organizationId ? tooLarge() : answer;

const lies: readonly Lie[] = [
  {
    lie: 'nothing, over the head of an organization',
    ask: listWallets,
    alterations: { organization: headTooLarge },
    expected: refused(organizationId),
  },
  {
    lie: 'nothing, over the head of an organization that is known already',
    ask: listWallets,
    warm: true,
    alterations: { organization: headTooLarge },
    expected: refused(organizationId),
  },
  {
    lie: 'nothing, over one of the wallets',
    ask: listWallets,
    alterations: {
      organization: (answer, { kinds }) => (kinds.includes('wallet') ? tooLarge() : answer),
    },
    expected: refused('*'),
  },
  {
    lie: 'nothing, over the activity of a fingerprint',
    ask: sign(first.address),
    alterations: {
      organization: (answer, { fingerprint }) => (fingerprint === undefined ? answer : tooLarge()),
    },
    expected: refused('*'),
  },
  {
    lie: 'nothing, over an account that a look-up leads to',
    ask: sign(first.address),
    alterations: { records: tooLarge },
    expected: refused(account.id),
  },
  {
    lie: 'nothing, over one of several accounts that a look-up leads to',
    ask: sign(first.address),
    alterations: {
      lookup: (rows) => [
        ...rows,
        ...rows.map((row) => ({ ...row, recordId: accountOf(second.address).id })),
      ],
      records: (rows, { ids }) => (ids.includes(account.id) ? tooLarge() : rows),
    },
    expected: refused(account.id),
  },
  {
    lie: 'nothing, over a page of accounts',
    ask: listAccounts,
    alterations: { recordPage: tooLarge },
    expected: refused('*'),
  },
  {
    lie: 'nothing, over an activity',
    ask: query('get_activity', { activityId: second.activityId }),
    alterations: { activity: tooLarge },
    expected: refused(second.activityId),
  },
  {
    lie: 'nothing, over a page of activities',
    ask: query('list_activities'),
    alterations: { activityPage: tooLarge },
    expected: refused('*'),
  },
];

checkLies(world, lies);

test('an unavailable database raises no alarm, and is not queried again', async () => {
  const asks = [listWallets, listAccounts, sign(first.address)];
  const unavailable = (): never => fail('store_unavailable');
  for (const ask of asks) {
    const store = hostileStore(world.service.store.port);
    world.service.advance(1);
    const clock = world.service.now;
    const service = await startServiceOver({ store: store.port, seed: 'unavailable', clock });
    let failures = 0;
    const failing = () => {
      failures += 1;
      return unavailable();
    };
    const alterations: Alterations = {
      organization: failing,
      records: failing,
      recordPage: failing,
    };
    store.alter(alterations);
    assert.equal((await ask(service)).status, 503);
    assert.deepEqual(service.log, []);
    assert.equal(failures, 1);
  }
});

test('a failure without a stored row is reported without a row', async () => {
  const store = hostileStore(world.service.store.port);
  const clock = world.service.now;
  const service = await startServiceOver({ store: store.port, seed: 'once', clock });
  let failures = 0;
  store.alter({
    organization: (answer, request) => {
      if (request.organizationId !== organizationId) return answer;
      failures += 1;
      if (failures === 1) throw new Error('a fault of ours');
      return answer;
    },
  });
  assert.equal((await listWallets(service)).status, 500);
  assert.deepEqual(
    service.log.map(({ message }) => message),
    ['a request failed unexpectedly'],
  );
  assert.match(String(service.log[0]?.fields['detail']), /a fault of ours/);
});

test('a parent that was altered under a running service is reported at its next write', async () => {
  const database = openDatabase({ file: ':memory:' });
  const store = createSqliteStore(database);
  const clock = world.service.now;
  const service = await startServiceOver({ store: store.port, seed: 'parent', clock });
  const key = testKey('root of the parent');
  const { organizationId: id } = await service.enclave.bootstrap({
    organizationName: 'Organization',
    userName: 'User',
    apiKeyName: 'Key',
    apiPublicKey: key.publicKey,
    enablesAuthProxy: false,
  });
  assert.equal((await service.send('query', 'whoami', queryBody(id), key)).status, 200);
  database.prepare('UPDATE organizations SET parent_id = ?').run(world.organizationId);

  const type = 'ACTIVITY_TYPE_UPDATE_ORGANIZATION_NAME';
  const body = activityBody(type, id, { organizationName: 'Renamed' }, clock());
  const answer = await service.send('submit', 'update_organization_name', body, key);
  assert.equal(answer.status, 500);
  assert.deepEqual(service.log, [
    {
      level: 'error',
      message: 'a stored record was refused: it differs from the record sealed for its place',
      fields: { requestId: 'parent-2', organizationId: id, kind: 'organization', id, version: 1 },
    },
  ]);
  await store.close();
});
