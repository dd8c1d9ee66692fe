// The repository on an honest store, and on a store with contention.

import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import fc from 'fast-check';
import { hex } from '../../../src/core/base/bytes.ts';
import { createIdSource } from '../../../src/core/base/ids.ts';
import { smallKinds } from '../../../src/core/organization/kinds.ts';
import type { Tag } from '../../../src/core/organization/model.ts';
import { createDraft, type OrganizationState } from '../../../src/core/organization/state.ts';
import { createRootKeys } from '../../../src/enclave/keys/root_keys.ts';
import { createRepository } from '../../../src/enclave/records/repository.ts';
import { maximumAttempts } from '../../../src/pipeline/concurrency.ts';
import type { CommitOutcome, StoreChange } from '../../../src/store/port.ts';
import {
  type Sender,
  seededRandom,
  startTestService,
  type TestAnswer,
  testRootKey,
} from '../../support/harness.ts';
import { hostileStore } from '../hostile_store.ts';
import { codecOf } from '../hostile_world.ts';
import { proposalOn } from '../proposals.ts';
import { activityBody, queryBody, startServiceOver } from '../service_over.ts';

const renaming = 'ACTIVITY_TYPE_UPDATE_ORGANIZATION_NAME';

test('a run of 200 operations on an honest store raises no alarm', async () => {
  const log: string[] = [];
  const service = await startTestService({ log });
  const model = { name: 'Test organization', wallets: [] as string[], addresses: [] as string[] };
  const next = pseudoRandom('200 operations');
  const one = <Item>(items: readonly Item[]): Item | undefined => items[next(items.length)];
  const ok = ({ status, body }: TestAnswer) => {
    assert.equal(status, 200, JSON.stringify(body));
    return body;
  };

  const steps: (() => Promise<void>)[] = [
    async () => {
      const organizationName = `Name ${next(1000)}`;
      ok(await service.submit('update_organization_name', renaming, { organizationName }));
      model.name = organizationName;
    },
    async () => {
      const account = {
        curve: 'CURVE_ED25519',
        pathFormat: 'PATH_FORMAT_BIP32',
        path: "m/44'/501'/0'/0'",
        addressFormat: 'ADDRESS_FORMAT_SOLANA',
      };
      const parameters = { walletName: `Wallet ${model.wallets.length}`, accounts: [account] };
      const type = 'ACTIVITY_TYPE_CREATE_WALLET';
      const { activity } = ok(await service.submit('create_wallet', type, parameters));
      model.wallets.push(activity.result.createWalletResult.walletId);
      model.addresses.push(activity.result.createWalletResult.addresses[0]);
    },
    async () => {
      const signWith = one(model.addresses);
      if (signWith === undefined) return;
      const type = 'ACTIVITY_TYPE_SIGN_RAW_PAYLOAD_V2';
      const encoding = 'PAYLOAD_ENCODING_TEXT_UTF8';
      const hashFunction = 'HASH_FUNCTION_NOT_APPLICABLE';
      const parameters = { signWith, payload: `${next(1000)}`, encoding, hashFunction };
      ok(await service.submit('sign_raw_payload', type, parameters));
    },
    async () => {
      const { wallets } = ok(await service.query('list_wallets'));
      const ids = wallets.map((wallet: { walletId: string }) => wallet.walletId);
      assert.deepEqual(ids, model.wallets);
    },
    async () => {
      assert.equal(ok(await service.query('whoami')).organizationName, model.name);
    },
    async () => {
      const { activities } = ok(await service.query('list_activities'));
      const ids = activities.map(({ id }: { id: string }) => id);
      assert.deepEqual(ids, ids.toSorted().toReversed());
    },
  ];
  for (let i = 0; i < 200; i += 1) await one(steps)?.();
  assert.deepEqual(log, []);

  // An enclave without any memory reads the same from the stored rows.
  const clock = service.now;
  const fresh = await startServiceOver({ store: service.store.port, seed: 'fresh', clock });
  const { organizationId, key } = service.root;
  const lists = ['whoami', 'list_wallets', 'list_activities'];
  for (const operation of lists) {
    const body = queryBody(organizationId);
    const answer = await fresh.send('query', operation, body, key);
    assert.deepEqual(answer, await service.query(operation));
  }
  assert.deepEqual(fresh.log, []);
  service.close();
});

const contended = await startTestService();

describe('a store with contention', () => {
  const service = contended;
  after(() => service.close());
  const { organizationId, key } = service.root;

  /** Renames the organization on a store whose commits have these outcomes first. */
  async function rename(name: string, outcomes: readonly CommitOutcome[]) {
    const changes: StoreChange[] = [];
    const left = [...outcomes];
    const { port } = service.store;
    const store = {
      ...port,
      commit: async (change: StoreChange) => {
        changes.push(change);
        return left.shift() ?? port.commit(change);
      },
    };
    service.advance(1);
    const over = await startServiceOver({ store, seed: name, clock: service.now });
    const parameters = { organizationName: name };
    const body = activityBody(renaming, organizationId, parameters, service.now());
    const answer = await over.send('submit', 'update_organization_name', body, key);
    const asked = await over.send('query', 'whoami', queryBody(organizationId), key);
    return { answer, changes, nameAfter: asked.body.organizationName };
  }

  for (const conflicts of [1, 2, maximumAttempts - 1]) {
    test(`${conflicts} conflicts in a row, then committed`, async () => {
      const name = `After ${conflicts}`;
      const outcomes = Array<CommitOutcome>(conflicts).fill('conflict');
      const { answer, changes, nameAfter } = await rename(name, outcomes);
      assert.equal(answer.status, 200, JSON.stringify(answer.body));
      assert.equal(changes.length, conflicts + 1);
      assert.equal(nameAfter, name);
      // Each decision is new, so nothing sealed is sent twice.
      const heads = changes.map(({ organizations }) => hex(headOf(organizations)));
      assert.equal(new Set(heads).size, changes.length);
    });
  }

  test('endless conflicts end with an error, and leave nothing behind', async () => {
    const { nameAfter: before } = await rename('Kept', []);
    const outcomes = Array<CommitOutcome>(maximumAttempts).fill('conflict');
    const { answer, changes, nameAfter } = await rename('Never', outcomes);
    assert.equal(answer.status, 409);
    assert.equal(answer.body.code, 10);
    assert.equal(changes.length, maximumAttempts);
    assert.equal(nameAfter, before);
  });

  test('a commit is conditional on the version of the decision', async () => {
    const stored = await service.store.port.organization({
      organizationId,
      kinds: smallKinds,
      knownVersion: 0,
      fingerprint: undefined,
    });
    const { changes } = await rename('Conditional', ['conflict']);
    const version = stored.version ?? 0;
    assert.equal(changes.length, 2);
    for (const change of changes) {
      assert.deepEqual(change.conditions, [{ organizationId, version, orLater: false }]);
      assert.deepEqual(
        change.organizations.map((row) => row.version),
        [version + 1],
      );
      assert.deepEqual(
        change.activities.map((row) => row.version),
        [1],
      );
      assert.equal(change.deployment, undefined);
    }
  });

  test('a signature is conditional on the guard, although it changes nothing', async () => {
    const accounts = [
      {
        curve: 'CURVE_SECP256K1',
        pathFormat: 'PATH_FORMAT_BIP32',
        path: 'm/0',
        addressFormat: 'ADDRESS_FORMAT_ETHEREUM',
      },
    ];
    const made = await service.submit('create_wallet', 'ACTIVITY_TYPE_CREATE_WALLET', {
      walletName: 'Signs',
      accounts,
    });
    const { addresses } = made.body.activity.result.createWalletResult;
    const changes: StoreChange[] = [];
    const store = hostileStore(service.store.port);
    store.alter({
      commit: (outcome, change) => {
        changes.push(change);
        return outcome;
      },
    });
    service.advance(1);
    const clock = service.now;
    const over = await startServiceOver({ store: store.port, seed: 'signature', clock });
    const parameters = {
      signWith: addresses[0],
      payload: 'text',
      encoding: 'PAYLOAD_ENCODING_TEXT_UTF8',
      hashFunction: 'HASH_FUNCTION_SHA256',
    };
    const type = 'ACTIVITY_TYPE_SIGN_RAW_PAYLOAD_V2';
    const body = activityBody(type, organizationId, parameters, clock());
    const { status } = await over.send('submit', 'sign_raw_payload', body, key);
    assert.equal(status, 200);
    const { version } = await service.store.port.organization({
      organizationId,
      kinds: [],
      knownVersion: 0,
      fingerprint: undefined,
    });
    assert.equal(changes.length, 1);
    assert.deepEqual(changes[0]?.conditions, [{ organizationId, version, orLater: true }]);
    assert.deepEqual(changes[0]?.organizations, []);
  });

  test('a duplicate that was committed meanwhile is the answer', async () => {
    service.advance(1);
    const clock = service.now;
    const parameters = { organizationName: 'Raced' };
    const body = activityBody(renaming, organizationId, parameters, clock());
    const store = hostileStore(service.store.port);
    const send = (over: Awaited<ReturnType<typeof startServiceOver>>) =>
      over.send('submit', 'update_organization_name', body, key);
    const rival = await startServiceOver({ store: service.store.port, seed: 'rival', clock });
    const over = await startServiceOver({ store: store.port, seed: 'raced', clock });
    let won: TestAnswer | undefined;
    store.alter({
      organization: async (answer, { fingerprint }) => {
        // Another enclave commits between the look for a duplicate and the commit.
        if (fingerprint !== undefined && won === undefined) won = await send(rival);
        return answer;
      },
    });
    const answer = await send(over);
    assert.equal(answer.status, 200);
    assert.deepEqual(answer, won);
    const page = { greaterThan: undefined, lessThan: undefined, ascending: true, limit: 100 };
    const rows = await service.store.port.activityPage({
      organizationId,
      statuses: [],
      types: [renaming],
      page,
    });
    assert.equal(rows.filter(({ id }) => id === answer.body.activity.id).length, 1);
  });

  test('two concurrent changes are both made, in turn', async () => {
    const clock = service.now;
    const { port } = service.store;
    const overs = await Promise.all(
      ['left', 'right'].map((seed) => startServiceOver({ store: port, seed, clock })),
    );
    const before = await service.query('list_wallets');
    const answers = await Promise.all(
      overs.map((over, i) => {
        service.advance(1);
        const parameters = { walletName: `Met ${i}`, accounts: [] };
        const type = 'ACTIVITY_TYPE_CREATE_WALLET';
        const body = activityBody(type, organizationId, parameters, clock());
        return over.send('submit', 'create_wallet', body, key);
      }),
    );
    for (const { status, body } of answers) assert.equal(status, 200, JSON.stringify(body));
    const after = await service.query('list_wallets');
    assert.equal(after.body.wallets.length, before.body.wallets.length + 2);
  });

  test('a failed commit is reported as such, and leaves no trace in memory', async () => {
    const { port } = service.store;
    let fails = true;
    const store = {
      ...port,
      commit: async (change: StoreChange) => {
        if (fails) throw new Error('the disk is full');
        return port.commit(change);
      },
    };
    service.advance(1);
    const over = await startServiceOver({ store, seed: 'full', clock: service.now });
    const before = await over.send('query', 'whoami', queryBody(organizationId), key);
    const parameters = { organizationName: 'Not on disk' };
    const body = activityBody(renaming, organizationId, parameters, service.now());
    const send = () => over.send('submit', 'update_organization_name', body, key);
    const answer = await send();
    assert.equal(answer.status, 500);
    assert.doesNotMatch(JSON.stringify(answer.body), /disk/);
    assert.deepEqual(await over.send('query', 'whoami', queryBody(organizationId), key), before);
    fails = false;
    assert.equal((await send()).status, 200);
  });
});

test('the memory of the repository equals the store', async () => {
  const service = await startTestService();
  const { organizationId } = service.root;
  const step = fc.record({ tag: fc.nat(3), kind: fc.constantFrom('put', 'remove') });
  const random = seededRandom('memory and store');
  const newId = createIdSource({ clock: service.now, random });
  const ids = Array.from({ length: 4 }, newId);
  const open = () => {
    const codec = codecOf(`memory ${newId()}`);
    const keys = createRootKeys(testRootKey());
    return createRepository({ store: service.store.port, codec, keys });
  };
  const warm = open();
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 6 }), async (steps) => {
      const { state } = await warm.organization(organizationId);
      assert(state !== undefined);
      const untouched = structuredClone(state);
      const draft = createDraft(state);
      for (const { tag, kind } of steps) {
        const id = ids[tag] ?? '';
        if (kind === 'put') draft.put('tag', tagOf(id, service.now()));
        else if (draft.get('tag', id) !== undefined) draft.remove('tag', id);
      }
      service.advance(1);
      const made = { id: newId(), digest: random(32) };
      const outcome = await warm.commit(proposalOn(state, made, { changes: draft.changes() }));
      assert.equal(outcome, 'committed');
      const kept = warm.known(organizationId);
      const stored = await open().organization(organizationId);
      assert.deepEqual(asSets(kept), asSets(stored.state));
      const isChanged = draft.changes().records.length > 0;
      assert.equal(kept?.version, state.version + (isChanged ? 1 : 0));
      // The state of a decision is not changed by its outcome.
      assert.deepEqual(state, untouched);
    }),
    { numRuns: 60 },
  );
  service.close();
});

test('a decision on an older state than that in memory is a conflict', async () => {
  const service = await startTestService();
  const { organizationId } = service.root;
  const keys = createRootKeys(testRootKey());
  const commits: StoreChange[] = [];
  const store = hostileStore(service.store.port);
  store.alter({
    commit: (outcome, change) => {
      commits.push(change);
      return outcome;
    },
  });
  const repository = createRepository({ store: store.port, codec: codecOf('stale'), keys });
  const { state } = await repository.organization(organizationId);
  assert(state !== undefined);
  const again = await repository.organization(organizationId);
  assert.equal(again.state, state, 'one version is one state in memory');
  const propose = (id: string) => {
    const draft = createDraft(state);
    draft.setHead({ name: id });
    const made = { id, digest: seededRandom(id)(32) };
    return repository.commit(proposalOn(state, made, { changes: draft.changes() }));
  };
  assert.equal(await propose('01900000-0000-7000-8000-000000000001'), 'committed');
  assert.equal(await propose('01900000-0000-7000-8000-000000000002'), 'conflict');
  assert.equal(commits.length, 1, 'the store is not even asked');
  service.close();
});

test('two first reads of one organization give one state, so both may commit', async () => {
  const service = await startTestService();
  const { organizationId } = service.root;
  const keys = createRootKeys(testRootKey());
  const codec = codecOf('first reads');
  const repository = createRepository({ store: service.store.port, codec, keys });
  const [left, right] = await Promise.all([
    repository.organization(organizationId),
    repository.organization(organizationId),
  ]);
  assert(left.state !== undefined);
  assert.equal(left.state, right.state);
  service.close();
});

test('an unknown organization is not found', async () => {
  const service = await startTestService();
  const nowhere: Sender = { organizationId: '01900000-0000-7000-8000-000000000000' };
  assert.equal((await service.query('whoami', {}, nowhere)).status, 404);
  const parameters = { organizationName: 'No' };
  const { status } = await service.submit(
    'update_organization_name',
    renaming,
    parameters,
    nowhere,
  );
  assert.equal(status, 404);
  service.close();
});

function tagOf(id: string, now: number): Tag {
  return { id, name: `At ${now}`, type: 'TAG_TYPE_USER', createdAtMs: now, updatedAtMs: now };
}

/** Returns a state whose rows are compared without order. */
function asSets(state: OrganizationState | undefined): unknown {
  assert(state !== undefined);
  const records = smallKinds.map((kind) => [...state.records[kind].entries()].sort(byId));
  return { ...state, records };
}

function byId([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number {
  return a < b ? -1 : 1;
}

function headOf(organizations: StoreChange['organizations']): Uint8Array {
  const [row] = organizations;
  assert(row !== undefined);
  return row.head;
}

/** Returns whole numbers below a bound, equal in every run. */
function pseudoRandom(seed: string): (below: number) => number {
  const random = seededRandom(seed);
  return (below) => {
    const [high = 0, low = 0] = random(2);
    return below === 0 ? 0 : (high * 256 + low) % below;
  };
}
