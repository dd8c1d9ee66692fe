// Commits of the repository: the organization versions that they require, used tokens, and look-ups.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AuthProxyConfig } from '../../../src/core/organization/model.ts';
import { createDraft, type OrganizationState } from '../../../src/core/organization/state.ts';
import { createRootKeys } from '../../../src/enclave/keys/root_keys.ts';
import { RecordRefusedError } from '../../../src/enclave/records/record_codec.ts';
import { createRepository } from '../../../src/enclave/records/repository.ts';
import type { Proposal } from '../../../src/pipeline/ports.ts';
import type { StoreChange } from '../../../src/store/port.ts';
import { addChild } from '../../operations/other_callers.ts';
import { seededRandom, startTestService, testRootKey } from '../../support/harness.ts';
import { hostileStore } from '../hostile_store.ts';
import { codecOf } from '../hostile_world.ts';
import { proposalOn } from '../proposals.ts';

const nowhere = '01900000-0000-7000-8000-000000000000';

/** Starts a service with a sub-organization, and repositories on its store that record each commit. */
async function startWorld(name: string) {
  const service = await startTestService();
  const { organizationId: childId } = await addChild(service);
  const commits: StoreChange[] = [];
  const store = hostileStore(service.store.port);
  store.alter({
    commit: (outcome, change) => {
      commits.push(change);
      return outcome;
    },
  });
  const open = () =>
    createRepository({
      store: store.port,
      codec: codecOf(name),
      keys: createRootKeys(testRootKey()),
    });
  return { service, store, commits, open, parentId: service.root.organizationId, childId };
}

let activities = 0;

function nextProposal(state: OrganizationState, more?: Partial<Proposal>): Proposal {
  activities += 1;
  const id = `01900000-0000-7000-8000-${String(activities).padStart(12, '0')}`;
  return proposalOn(state, { id, digest: seededRandom(id)(32) }, more);
}

const renamed = (state: OrganizationState, name: string) => {
  const draft = createDraft(state);
  draft.setHead({ name });
  return draft.changes();
};

async function stateOf(repository: ReturnType<typeof createRepository>, id: string) {
  const { state } = await repository.organization(id);
  assert(state !== undefined);
  return state;
}

test('a commit of an organization without a parent depends only on itself', async (t) => {
  const { service, commits, open, parentId } = await startWorld('alone');
  t.after(() => service.close());
  const repository = open();
  const state = await stateOf(repository, parentId);
  assert.equal(await repository.commit(nextProposal(state)), 'committed');
  const [{ conditions } = assert.fail()] = commits;
  assert.deepEqual(conditions, [
    { organizationId: parentId, version: state.version, orLater: false },
  ]);
});

test('a commit of a sub-organization depends on the guard of its parent, known or not', async (t) => {
  const { service, commits, open, parentId, childId } = await startWorld('parent');
  t.after(() => service.close());
  const repository = open();
  const state = await stateOf(repository, childId);
  assert.equal(await repository.commit(nextProposal(state)), 'committed');
  const [{ conditions } = assert.fail()] = commits;
  const { version } = await stateOf(repository, parentId);
  assert.deepEqual(conditions, [
    { organizationId: childId, version: state.version, orLater: false },
    { organizationId: parentId, version, orLater: true },
  ]);
});

test('a commit depends on the parent version of the decision, not on a newer one', async (t) => {
  const { service, commits, open, parentId, childId } = await startWorld('older parent');
  t.after(() => service.close());
  const repository = open();
  const parent = await stateOf(repository, parentId);
  const state = await stateOf(repository, childId);
  const renaming = nextProposal(parent, { changes: renamed(parent, 'Renamed') });
  assert.equal(await repository.commit(renaming), 'committed');
  for (const decided of [{ alsoDecidedOn: [parent] }, { governedBy: parent }]) {
    commits.length = 0;
    await repository.commit(nextProposal(state, { changes: renamed(state, 'Child'), ...decided }));
    const [{ conditions } = assert.fail()] = commits;
    const versions = conditions.filter(({ organizationId }) => organizationId === parentId);
    assert.deepEqual(new Set(versions.map(({ version }) => version)), new Set([parent.version]));
  }
});

test('an activity of a sub-organization is no addition until its parent is known', async (t) => {
  const { service, open, parentId, childId } = await startWorld('addition');
  t.after(() => service.close());
  const repository = open();
  const own = await stateOf(repository, childId);
  assert.equal(await repository.addition(nextProposal(own)), undefined);
  const parent = await stateOf(repository, parentId);
  const { conditions } = (await repository.addition(nextProposal(own))) ?? assert.fail();
  assert.deepEqual(conditions, [
    { organizationId: childId, version: own.version, orLater: false },
    { organizationId: parentId, version: parent.version, orLater: true },
  ]);
  const alone = (await repository.addition(nextProposal(parent))) ?? assert.fail();
  assert.deepEqual(alone.conditions, [
    { organizationId: parentId, version: parent.version, orLater: false },
  ]);
});

test('a token that this enclave used is a conflict, even if the store would accept it again', async (t) => {
  const { service, commits, open, parentId } = await startWorld('tokens');
  t.after(() => service.close());
  const repository = open();
  const state = await stateOf(repository, parentId);
  const using = (token: string) =>
    nextProposal(state, { changes: { head: undefined, records: [], claims: [token] } });
  assert.equal(await repository.commit(using('token')), 'committed');
  assert.equal(await repository.commit(using('token')), 'conflict');
  assert.equal(commits.length, 1, 'the store is not even asked');
  assert.equal(await repository.commit(using('other')), 'committed');
});

test('a token whose commit failed is still unused', async (t) => {
  const { service, store, open, parentId } = await startWorld('failed token');
  t.after(() => service.close());
  const repository = open();
  const state = await stateOf(repository, parentId);
  let asked = 0;
  store.alter({
    commit: () => {
      asked += 1;
      return 'conflict';
    },
  });
  for (const _ of [1, 2]) {
    const changes = { head: undefined, records: [], claims: ['token'] };
    assert.equal(await repository.commit(nextProposal(state, { changes })), 'conflict');
  }
  assert.equal(asked, 2, 'the store is asked each time');
});

test('children are found below a parent whose row the store returns', async (t) => {
  const { service, open, parentId, childId } = await startWorld('children');
  t.after(() => service.close());
  const repository = open();
  assert.deepEqual(await repository.childrenWith(parentId, 'child_name', 'Child'), [childId]);
  await assert.rejects(repository.childrenWith(nowhere, 'child_name', 'Child'), RecordRefusedError);
});

test('the organization of an onboarding configuration is found by its id', async (t) => {
  const { service, open, parentId } = await startWorld('onboarding');
  t.after(() => service.close());
  const repository = open();
  const state = await stateOf(repository, parentId);
  const draft = createDraft(state);
  const times = { createdAtMs: 1, updatedAtMs: 1 };
  draft.put('auth_proxy_config', { id: nowhere, ...times } as AuthProxyConfig);
  const outcome = await repository.commit(nextProposal(state, { changes: draft.changes() }));
  assert.equal(outcome, 'committed');
  assert.equal(await repository.proxyOrganization(nowhere), parentId);
  assert.equal(await repository.proxyOrganization(parentId), undefined);
});
