// Users at the time of their vote: stored once, named by their digest, refused if missing.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { utf8 } from '../../../src/core/base/bytes.ts';
import { createRootKeys } from '../../../src/enclave/keys/root_keys.ts';
import { createSealing } from '../../../src/enclave/keys/sealing.ts';
import { createRecordCodec } from '../../../src/enclave/records/record_codec.ts';
import { createRepository } from '../../../src/enclave/records/repository.ts';
import { createVoters } from '../../../src/enclave/records/voters.ts';
import type { StoredRecord, StorePort } from '../../../src/store/port.ts';
import {
  seededRandom,
  startTestService,
  type TestService,
  testKey,
  testRootKey,
} from '../../support/harness.ts';
import { activityBody, startServiceOver } from '../service_over.ts';

let service: TestService;
before(async () => {
  service = await startTestService();
});
after(() => service.close());

const pageOfAll = { greaterThan: undefined, lessThan: undefined, ascending: true, limit: 1000 };

function voterRows(): Promise<readonly StoredRecord[]> {
  const { organizationId } = service.root;
  const asked = { organizationId, kind: 'voter', groupId: undefined, page: pageOfAll };
  return service.store.port.recordPage(asked);
}

async function createWallet(walletName: string): Promise<string> {
  const answer = await service.submit('create_wallet', 'ACTIVITY_TYPE_CREATE_WALLET', {
    walletName,
    accounts: [],
  });
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
  return answer.body.activity.id;
}

const activityOf = (activityId: string) => service.query('get_activity', { activityId });

test('a user is stored once for any number of votes, and again after a change', async () => {
  const first = await createWallet('one');
  const second = await createWallet('two');
  assert.equal((await voterRows()).length, 1);
  const before = (await activityOf(first)).body.activity.votes[0].user;
  const made = await service.submit('create_api_keys', 'ACTIVITY_TYPE_CREATE_API_KEYS_V2', {
    userId: service.root.userId,
    apiKeys: [
      {
        apiKeyName: 'Laptop',
        publicKey: testKey('laptop').publicKey,
        curveType: 'API_KEY_CURVE_P256',
      },
    ],
  });
  assert.equal(made.status, 200, JSON.stringify(made.body));
  const third = await createWallet('three');
  assert.equal((await voterRows()).length, 2);
  for (const id of [first, second]) {
    assert.deepEqual((await activityOf(id)).body.activity.votes[0].user, before);
  }
  const user = (await activityOf(third)).body.activity.votes[0].user;
  assert.equal(user.apiKeys.length, before.apiKeys.length + 1);
});

test('rows reveal nothing of a user, not even a plain digest', async () => {
  for (const { id, body } of await voterRows()) {
    assert.ok(!Buffer.from(body).includes('Root user'));
    assert.match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/);
  }
});

const attacks: Readonly<
  Record<string, (rows: readonly StoredRecord[]) => readonly StoredRecord[]>
> = {
  'that is withheld': () => [],
  'that was edited': (rows) =>
    rows.map((row) => ({ ...row, body: row.body.map((byte, i) => (i === 20 ? byte ^ 1 : byte)) })),
  'of another version': (rows) => rows.map((row) => ({ ...row, version: row.version + 1 })),
  'of another kind': (rows) => rows.map((row) => ({ ...row, kind: 'policy_set' })),
  'under the id of another': (rows) => rows.map((row) => ({ ...row, id: service.root.userId })),
};

for (const [name, attack] of Object.entries(attacks)) {
  test(`a user ${name}: the activity is refused`, async () => {
    const id = await createWallet(`wallet of a user ${name}`);
    const { port } = service.store;
    const store: StorePort = {
      ...port,
      records: async (request) => {
        const rows = await port.records(request);
        return request.kind === 'voter' ? attack(rows) : rows;
      },
    };
    const fresh = await startServiceOver({ store, seed: name, clock: service.now });
    const { organizationId, key } = service.root;
    const body = utf8(JSON.stringify({ organizationId, activityId: id }));
    const answer = await fresh.send('query', 'get_activity', body, key);
    assert.equal(answer.status, 500);
    const refused = fresh.log.find(({ fields }) => fields['kind'] === 'voter');
    assert.ok(refused !== undefined || name === 'of another kind', JSON.stringify(fresh.log));
  });
}

test('a fresh enclave stores the user again at its first vote, under the same id', async () => {
  const count = (await voterRows()).length;
  const { port: store } = service.store;
  const fresh = await startServiceOver({ store, seed: 'fresh', clock: service.now });
  const { organizationId, key } = service.root;
  const parameters = { walletName: 'of a fresh enclave', accounts: [] };
  const type = 'ACTIVITY_TYPE_CREATE_WALLET';
  const body = activityBody(type, organizationId, parameters, service.now() + 1);
  const answer = await fresh.send('submit', 'create_wallet', body, key);
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
  assert.equal((await voterRows()).length, count);
});

test('users with long texts stay in memory up to a bound of characters', async () => {
  const keys = createRootKeys(testRootKey());
  const codec = createRecordCodec(createSealing('seal', keys, seededRandom('voters')));
  const { port } = service.store;
  const voters = createVoters({ store: port, codec, keys });
  const id = await createWallet('of long texts');
  const reader = createRepository({ store: port, codec, keys });
  const { organizationId } = service.root;
  const { state } = await reader.organization(organizationId);
  const activity = state && (await reader.reader(state).activity(id));
  assert(activity !== undefined);
  const votedBy = (userName: string) => ({
    ...activity,
    votes: activity.votes.map((vote) => ({ ...vote, user: { ...vote.user, userName } })),
  });
  const long = (i: number) => votedBy(`${i}`.padEnd(1024 * 1024));
  for (let i = 0; i < 40; i += 1) voters.remember(long(i));
  const unknown = Array.from({ length: 40 }, (_, i) => voters.rowsOf(long(i), 1).length);
  // Each user exceeds one mebi-character, and the bound is 32.
  assert.deepEqual(unknown, [...Array(9).fill(1), ...Array(31).fill(0)]);
  for (let i = 0; i < 4_200; i += 1) voters.remember(votedBy(`${i}`));
  assert.equal(voters.rowsOf(votedBy('0'), 1).length, 1);
  assert.equal(voters.rowsOf(votedBy('200'), 1).length, 0);
});

test('users with long texts are opened with pauses, a hundred at a time', async () => {
  const keys = createRootKeys(testRootKey());
  const codec = createRecordCodec(createSealing('seal', keys, seededRandom('paused voters')));
  const { port } = service.store;
  const id = await createWallet('of many voters');
  const reader = createRepository({ store: port, codec, keys });
  const { state } = await reader.organization(service.root.organizationId);
  const activity = state && (await reader.reader(state).activity(id));
  const [vote] = activity?.votes ?? [];
  assert(activity !== undefined && vote !== undefined);
  const votes = Array.from({ length: 150 }, (_, i) => ({
    ...vote,
    user: { ...vote.user, userName: `${i}`.padEnd(8 * 1024) },
  }));
  const writer = createVoters({ store: port, codec, keys });
  const rows = writer.rowsOf({ ...activity, votes }, 1);
  const asked: number[] = [];
  let pauses = 0;
  const store = {
    records: async ({ ids }: { ids?: readonly string[] }) => {
      asked.push(ids?.length ?? 0);
      return rows.filter((row) => ids?.includes(row.id));
    },
  };
  const pause = async () => {
    pauses += 1;
  };
  const recorded = writer.recorded({ ...activity, votes });
  const voters = createVoters({ store, codec, keys, pause });
  const [found] = await voters.complete(activity.organizationId, [recorded]);
  assert.deepEqual(found?.votes, votes);
  assert.deepEqual(asked, [100, 50]);
  assert.ok(pauses >= 15, `${pauses} pauses`);
});
