// Users as they were when they voted: stored once, named by their digest, refused where they are missing.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { utf8 } from '../../../src/core/base/bytes.ts';
import type { StoredRecord, StorePort } from '../../../src/store/port.ts';
import { startTestService, type TestService, testKey } from '../../support/harness.ts';
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

test('a user is stored once, however often it votes, and once more when it has changed', async () => {
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

test('nothing of a user can be read in the rows, nor is its digest without the key', async () => {
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

test('a fresh enclave stores the user again with its first vote, under the same id', async () => {
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
