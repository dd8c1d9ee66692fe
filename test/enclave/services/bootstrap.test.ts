import assert from 'node:assert/strict';
import { test } from 'node:test';
import { errors, ServiceError } from '../../../src/core/errors/errors.ts';
import { openSqliteStore } from '../../../src/store/sqlite/sqlite.ts';
import { startMs, testKey } from '../../support/harness.ts';
import { testDeployment } from '../../support/outside.ts';
import { hostileStore } from '../hostile_store.ts';
import { wholePage } from '../hostile_world.ts';
import { queryBody, startServiceOver } from '../service_over.ts';

const key = testKey('first user');
const request = {
  organizationName: 'First',
  userName: 'First user',
  apiKeyName: 'First key',
  apiPublicKey: key.publicKey,
  enablesAuthProxy: false,
};
const clock = () => startMs;
const isRefusal = (error: unknown) =>
  error instanceof ServiceError && error.code === 'root_key_mismatch';

test('the first start creates an organization whose user has all rights', async () => {
  const store = openSqliteStore({ file: ':memory:' });
  const service = await startServiceOver({ store: store.port, seed: 'first', clock });
  const made = await service.enclave.bootstrap(request);
  assert.equal(made.apiPublicKey, key.publicKey);
  const ids = [made.organizationId, made.userId, made.apiKeyId, made.authProxyConfigId];
  assert.equal(new Set(ids).size, 4);
  const answer = await service.send('query', 'whoami', queryBody(made.organizationId), key);
  assert.deepEqual(answer, {
    status: 200,
    body: {
      organizationId: made.organizationId,
      organizationName: 'First',
      userId: made.userId,
      username: 'First user',
    },
  });
  store.close();
});

test('later starts return the same organization for any parameters', async () => {
  const store = openSqliteStore({ file: ':memory:' });
  const first = await startServiceOver({ store: store.port, seed: 'first', clock });
  const made = await first.enclave.bootstrap(request);
  assert.deepEqual(await first.enclave.bootstrap(request), made);
  const later = await startServiceOver({ store: store.port, seed: 'later', clock });
  const other = {
    organizationName: 'Another',
    userName: 'Stranger',
    apiKeyName: 'k',
    apiPublicKey: testKey('stranger').publicKey,
    enablesAuthProxy: false,
  };
  assert.deepEqual(await later.enclave.bootstrap(other), made);
  const stranger = testKey('stranger');
  const answer = await later.send('query', 'whoami', queryBody(made.organizationId), stranger);
  assert.equal(answer.status, 401, 'no key was added');
  store.close();
});

test('of two enclaves that start concurrently on one store, one creates and both return the same', async () => {
  const store = openSqliteStore({ file: ':memory:' });
  const gate = Promise.withResolvers<void>();
  let waiting = 0;
  const meeting = hostileStore(store.port);
  meeting.alter({
    // Both read an empty database before either continues.
    deployment: async (answer) => {
      waiting += 1;
      if (waiting === 2) gate.resolve();
      await gate.promise;
      return answer;
    },
  });
  const services = await Promise.all(
    ['left', 'right'].map((seed) => startServiceOver({ store: meeting.port, seed, clock })),
  );
  const named = await Promise.all(services.map(({ enclave }) => enclave.bootstrap(request)));
  const [left, right] = named;
  assert.ok(left !== undefined);
  assert.deepEqual(left, right);
  assert.ok(waiting >= 3, 'the one that lost looked again');
  for (const service of services) {
    const answer = await service.send('query', 'whoami', queryBody(left.organizationId), key);
    assert.equal(answer.status, 200);
  }
  // Nothing is stored of the organization that lost.
  const children = await store.port.children({ parentId: left.organizationId, page: wholePage });
  assert.deepEqual(children, []);
  store.close();
});

test('a database of another root key is refused with this reason', async () => {
  const store = openSqliteStore({ file: ':memory:' });
  const owner = await startServiceOver({ store: store.port, seed: 'owner', clock });
  const made = await owner.enclave.bootstrap(request);
  const rootKey = new Uint8Array(32).fill(8);
  const other = await startServiceOver({ store: store.port, seed: 'other', clock, rootKey });
  await assert.rejects(async () => other.enclave.bootstrap(request), isRefusal);
  assert.match(errors.root_key_mismatch.sentence, /root key/);
  assert.ok(
    rootKey.every((byte) => byte === 0),
    'the key that was handed over is wiped',
  );
  assert.deepEqual(await owner.enclave.bootstrap(request), made);
  store.close();
});

test('altered names in the database are refused', async () => {
  const store = openSqliteStore({ file: ':memory:' });
  const owner = await startServiceOver({ store: store.port, seed: 'owner', clock });
  await owner.enclave.bootstrap(request);
  const sealed = (await store.port.deployment()) ?? new Uint8Array(0);
  const hostile = hostileStore(store.port);
  const service = await startServiceOver({ store: hostile.port, seed: 'told', clock });
  const edits = [
    sealed.map((byte, i) => (i === 40 ? byte ^ 1 : byte)),
    sealed.slice(0, -1),
    new Uint8Array(0),
  ];
  for (const edited of edits) {
    hostile.alter({ deployment: () => edited });
    await assert.rejects(async () => service.enclave.bootstrap(request), isRefusal);
  }
  store.close();
});

test('a store that hides the deployment gets no second one', async () => {
  const store = openSqliteStore({ file: ':memory:' });
  const owner = await startServiceOver({ store: store.port, seed: 'owner', clock });
  const made = await owner.enclave.bootstrap(request);
  const hostile = hostileStore(store.port);
  hostile.alter({ deployment: () => undefined });
  const service = await startServiceOver({ store: hostile.port, seed: 'told', clock });
  await assert.rejects(
    async () => service.enclave.bootstrap(request),
    /no longer names the first one/,
  );
  assert.deepEqual(await owner.enclave.bootstrap(request), made);
  store.close();
});

test('an enclave does nothing without its root key, and takes it once', async () => {
  const store = openSqliteStore({ file: ':memory:' });
  const service = await startServiceOver({ store: store.port, seed: 'once', clock });
  const liveness = { maximumAgeMs: 1, maximumAheadMs: 1 };
  await assert.rejects(
    async () =>
      service.enclave.start({ rootKey: new Uint8Array(32), liveness, deployment: testDeployment }),
    /start is accepted once/,
  );
  const short = startServiceOver({
    store: store.port,
    seed: 'short',
    clock,
    rootKey: new Uint8Array(31),
  });
  await assert.rejects(short, /a root key has 32 bytes/);
  store.close();
});
