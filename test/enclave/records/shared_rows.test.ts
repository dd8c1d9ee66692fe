// Concurrent requests that load one organization: its rows are read once, and no request gets a state from
// before it started.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { ServiceError } from '../../../src/core/errors/errors.ts';
import type { OrganizationHead } from '../../../src/core/organization/model.ts';
import type { OrganizationState } from '../../../src/core/organization/state.ts';
import { createRootKeys } from '../../../src/enclave/keys/root_keys.ts';
import { createRepository } from '../../../src/enclave/records/repository.ts';
import type { OrganizationAnswer } from '../../../src/store/port.ts';
import { seededRandom, startTestService, testRootKey } from '../../support/harness.ts';
import { hostileStore } from '../hostile_store.ts';
import { codecOf } from '../hostile_world.ts';
import { proposalOn } from '../proposals.ts';

const service = await startTestService();
after(() => service.close());
const { organizationId } = service.root;
const random = seededRandom('shared rows');
const together = 50;
let serial = 0;

/** Opens a repository without memory, on a store whose answers are counted and may be altered. */
function open(
  alter: (answer: OrganizationAnswer) => Promise<OrganizationAnswer> = async (as) => as,
) {
  serial += 1;
  const store = hostileStore(service.store.port);
  const read = { withRows: 0 };
  store.alter({
    organization: async (answer) => {
      if (answer.records.length > 0) read.withRows += 1;
      return alter(answer);
    },
  });
  const codec = codecOf(`shared rows ${serial}`);
  const repository = createRepository({
    store: store.port,
    codec,
    keys: createRootKeys(testRootKey()),
  });
  return { repository, read };
}

/** Changes the organization in another enclave; returns the new state. */
async function changeElsewhere(): Promise<OrganizationState> {
  const { repository } = open();
  const { state } = await repository.organization(organizationId);
  assert(state !== undefined);
  service.advance(1);
  serial += 1;
  const head: OrganizationHead = { ...state.head, name: `Name ${serial}` };
  const made = { id: `activity ${serial}`, digest: random(32) };
  const outcome = await repository.commit(
    proposalOn(state, made, { changes: { head, records: [] } }),
  );
  assert.equal(outcome, 'committed');
  return (await open().repository.organization(organizationId)).state ?? state;
}

const loadTogether = (repository: ReturnType<typeof open>['repository'], count: number) =>
  Promise.all(Array.from({ length: count }, () => repository.organization(organizationId)));

test('concurrent requests that load an organization read its rows once', async () => {
  const { repository, read } = open();
  const cold = await loadTogether(repository, together);
  assert.equal(read.withRows, 1);
  const changed = await changeElsewhere();
  const warm = await loadTogether(repository, together);
  assert.equal(read.withRows, 2);
  assert.equal(new Set(cold.map(({ state }) => state?.version)).size, 1);
  for (const { state } of warm) assert.equal(state?.version, changed.version);
});

test('requests for an unchanged organization query the store once each', async () => {
  let asked = 0;
  const { repository } = open(async (answer) => {
    asked += 1;
    return answer;
  });
  await repository.organization(organizationId);
  asked = 0;
  await loadTogether(repository, together);
  assert.equal(asked, together);
});

test('a request gets no state from before it started', async () => {
  const held = Promise.withResolvers<void>();
  let answers = 0;
  const { repository, read } = open(async (answer) => {
    answers += 1;
    if (answers === 1) await held.promise;
    return answer;
  });
  const first = repository.organization(organizationId);
  await new Promise((resolve) => setImmediate(resolve));
  const changed = await changeElsewhere();
  const later = loadTogether(repository, together);
  await new Promise((resolve) => setImmediate(resolve));
  held.resolve();
  assert.equal((await first).state?.version, changed.version - 1);
  for (const { state } of await later) assert.equal(state?.version, changed.version);
  assert.ok(read.withRows <= 3, `${read.withRows} reads of rows`);
});

test('a failed read fails only its own request', async () => {
  let answers = 0;
  const { repository } = open(async (answer) => {
    answers += 1;
    if (answers === 1) throw new ServiceError('store_unavailable');
    return answer;
  });
  const results = await Promise.allSettled(
    Array.from({ length: together }, () => repository.organization(organizationId)),
  );
  const failed = results.filter(({ status }) => status === 'rejected');
  assert.equal(failed.length, 1);
});

test('older states of a store are refused to all concurrent requests', async () => {
  const old: OrganizationAnswer[] = [];
  let goesBack = false;
  const { repository } = open(async (answer) => {
    if (answer.records.length > 0) old.push(answer);
    return goesBack ? (old[0] ?? answer) : answer;
  });
  await repository.organization(organizationId);
  await changeElsewhere();
  await repository.organization(organizationId);
  goesBack = true;
  const results = await Promise.allSettled(
    Array.from({ length: together }, () => repository.organization(organizationId)),
  );
  for (const result of results) assert.equal(result.status, 'rejected');
});
