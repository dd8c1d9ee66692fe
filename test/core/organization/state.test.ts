import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import type { DraftChanges } from '../../../src/core/organization/changes.ts';
import { createRowIndex } from '../../../src/core/organization/indexes/row_index.ts';
import type {
  OrganizationHead,
  Tag,
  User,
  WalletAccount,
} from '../../../src/core/organization/model.ts';
import {
  createDraft,
  emptySmallState,
  type OrganizationDraft,
  type OrganizationState,
  stateAfter,
  viewOf,
} from '../../../src/core/organization/state.ts';

const head: OrganizationHead = {
  name: 'Before',
  rootQuorum: { threshold: 1, userIds: ['user 0'] },
  features: [],
  createdAtMs: 1,
  updatedAtMs: 1,
};

const userOf = (id: string, name: string): User => ({
  id,
  name,
  tagIds: [],
  createdAtMs: 1,
  updatedAtMs: 1,
});
const tagOf = (id: string, name: string): Tag => ({
  id,
  name,
  type: 'TAG_TYPE_USER',
  createdAtMs: 1,
  updatedAtMs: 1,
});
const accountOf = (id: string, name: string): WalletAccount => ({
  id,
  walletId: 'wallet',
  curve: 'CURVE_SECP256K1',
  pathFormat: 'PATH_FORMAT_BIP32',
  path: 'm/0',
  addressFormat: 'ADDRESS_FORMAT_ETHEREUM',
  address: name,
  publicKey: '',
  createdAtMs: 1,
  updatedAtMs: 1,
});

function base(): OrganizationState {
  return {
    id: 'organization',
    parentId: undefined,
    version: 7,
    guard: 5,
    head,
    records: {
      ...emptySmallState(),
      user: new Map([0, 1, 2].map((n) => [`user ${n}`, userOf(`user ${n}`, `first ${n}`)])),
      tag: new Map([['tag 0', tagOf('tag 0', 'first')]]),
    },
  };
}

const smallIds = { user: [0, 1, 2, 3, 4].map((n) => `user ${n}`), tag: ['tag 0', 'tag 1'] };
const step = fc.oneof(
  fc.record({
    what: fc.constantFrom('put user' as const, 'remove user' as const),
    id: fc.constantFrom(...smallIds.user),
    name: fc.string({ maxLength: 3 }),
  }),
  fc.record({
    what: fc.constantFrom('put tag' as const, 'remove tag' as const),
    id: fc.constantFrom(...smallIds.tag),
    name: fc.string({ maxLength: 3 }),
  }),
  fc.record({
    what: fc.constantFrom('add' as const, 'drop' as const),
    id: fc.constantFrom('account 0', 'account 1'),
    name: fc.string({ maxLength: 3 }),
  }),
  fc.record({
    what: fc.constant('head' as const),
    id: fc.constant(''),
    name: fc.string({ maxLength: 3 }),
  }),
);
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

/** Accounts that exist before the draft; the draft sees an account only when it drops it. */
const storedAccounts = () => new Map([['account 0', accountOf('account 0', 'stored')]]);

/** Creates the simplest model of a draft: maps. */
function createModel() {
  const { records } = base();
  return {
    head,
    user: new Map(records.user),
    tag: new Map(records.tag),
    account: storedAccounts(),
  };
}
type Model = ReturnType<typeof createModel>;

/**
 * Applies a step to the draft and to the model, if the step is possible; wallet accounts are added and
 * dropped once.
 */
function apply({ what, id, name }: Step, draft: OrganizationDraft, model: Model): void {
  if (what === 'head') {
    draft.setHead({ name });
    model.head = { ...model.head, name };
  } else if (what === 'put user') {
    draft.put('user', userOf(id, name));
    model.user.set(id, userOf(id, name));
  } else if (what === 'put tag') {
    draft.put('tag', tagOf(id, name));
    model.tag.set(id, tagOf(id, name));
  } else if (what === 'remove user') {
    if (model.user.delete(id)) draft.remove('user', id);
    else assert.throws(() => draft.remove('user', id), /removed user exists/);
  } else if (what === 'remove tag') {
    if (model.tag.delete(id)) draft.remove('tag', id);
    else assert.throws(() => draft.remove('tag', id), /removed tag exists/);
  } else if (what === 'add') {
    if (model.account.has(id)) return;
    draft.add('wallet_account', accountOf(id, name));
    model.account.set(id, accountOf(id, name));
  } else {
    const account = model.account.get(id);
    if (account === undefined) return;
    draft.drop('wallet_account', account);
    model.account.delete(id);
  }
}

const byId = (a: { readonly id: string }, b: { readonly id: string }) => (a.id < b.id ? -1 : 1);
const sorted = <Row extends { readonly id: string }>(rows: Iterable<Row>) => [...rows].sort(byId);

test('a draft reads its own writes and never changes the state below it', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
      const state = base();
      const before = structuredClone(state);
      const draft = createDraft(state);
      const model = createModel();
      for (const next of steps) {
        apply(next, draft, model);
        assert.deepEqual(draft.head, model.head);
        assert.deepEqual(sorted(draft.list('user')), sorted(model.user.values()));
        assert.deepEqual(sorted(draft.list('tag')), sorted(model.tag.values()));
        for (const id of smallIds.user) assert.deepEqual(draft.get('user', id), model.user.get(id));
      }
      assert.deepEqual(state, before);
      assert.deepEqual([draft.id, draft.parentId], [state.id, state.parentId]);
    }),
  );
});

test('the changes are the minimal difference between the state and the draft', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
      const state = base();
      const draft = createDraft(state);
      const model = createModel();
      for (const next of steps) apply(next, draft, model);
      const changes = draft.changes();
      checkMinimal(changes, state, model);

      const after = stateAfter(state, changes, 8);
      const replayed: OrganizationState = {
        ...state,
        version: 8,
        // New accounts are the only changes in this test that leave the guard unchanged.
        guard: changes.head !== undefined || changes.records.some(isNoNewAccount) ? 8 : state.guard,
        head: model.head,
        records: { ...state.records, user: model.user, tag: model.tag },
      };
      // Maps are compared without order.
      assert.deepEqual(after, replayed);
      assert.deepEqual(state, base());
      assert.equal(after.records.wallet, state.records.wallet, 'untouched kinds are shared');
    }),
  );
});

function isNoNewAccount({ kind, before }: DraftChanges['records'][number]): boolean {
  return kind !== 'wallet_account' || before !== undefined;
}

/** Asserts one change per row with its `before` from the state, and none for rows that came and went. */
function checkMinimal(changes: DraftChanges, state: OrganizationState, model: Model): void {
  const names = changes.records.map(({ kind, id }) => `${kind}/${id}`);
  assert.equal(new Set(names).size, names.length);
  const accounts = storedAccounts();
  for (const { kind, id, before, after } of changes.records) {
    assert.ok(before !== undefined || after !== undefined);
    if (kind === 'wallet_account') {
      assert.deepEqual(before, accounts.get(id));
      assert.deepEqual(after, model.account.get(id));
    } else {
      assert.ok(kind === 'user' || kind === 'tag');
      assert.equal(before, state.records[kind].get(id));
      assert.deepEqual(after, model[kind].get(id));
    }
  }
  for (const kind of ['user', 'tag'] as const) {
    const changed = new Set([...state.records[kind].keys(), ...model[kind].keys()]);
    for (const id of changed) {
      const same = isDeepStrictEqual(state.records[kind].get(id), model[kind].get(id));
      if (!same) assert.ok(names.includes(`${kind}/${id}`), `${kind}/${id}`);
    }
  }
  assert.deepEqual(changes.head ?? state.head, model.head);
}

test('a row that was put and removed again leaves no change', () => {
  const draft = createDraft(base());
  draft.put('user', userOf('user 9', 'passing'));
  draft.remove('user', 'user 9');
  draft.add('wallet_account', accountOf('account 9', 'passing'));
  draft.drop('wallet_account', accountOf('account 9', 'passing'));
  assert.deepEqual(draft.changes(), { head: undefined, records: [] });
});

test('of many writes to one row only the first before and the last after remain', () => {
  const state = base();
  const draft = createDraft(state);
  draft.put('user', userOf('user 1', 'second'));
  draft.remove('user', 'user 1');
  draft.put('user', userOf('user 1', 'third'));
  assert.deepEqual(draft.changes().records, [
    {
      kind: 'user',
      id: 'user 1',
      before: state.records.user.get('user 1'),
      after: userOf('user 1', 'third'),
    },
  ]);
});

test('lists are oldest first: new rows come last, and a changed row keeps its place', () => {
  const draft = createDraft(base());
  draft.put('user', userOf('user 3', 'new'));
  draft.put('user', userOf('user 0', 'changed'));
  const ids = (rows: readonly User[]) => rows.map(({ id }) => id);
  const expected = ['user 0', 'user 1', 'user 2', 'user 3'];
  assert.deepEqual(ids(draft.list('user')), expected);
  assert.deepEqual(ids(viewOf(stateAfter(base(), draft.changes(), 8)).list('user')), expected);
});

test('an unchanged head is not among the changes', () => {
  const draft = createDraft(base());
  assert.equal(draft.changes().head, undefined);
  draft.setHead({ name: 'After' });
  draft.setHead({ updatedAtMs: 2 });
  assert.deepEqual(draft.changes().head, { ...head, name: 'After', updatedAtMs: 2 });
  assert.throws(() => Object.assign(draft.head, { name: 'Written past the draft' }), TypeError);
});

test('later writes do not alter changes that were taken', () => {
  const draft = createDraft(base());
  draft.put('user', userOf('user 3', 'new'));
  const taken = draft.changes();
  draft.remove('user', 'user 3');
  draft.setHead({ name: 'Later' });
  assert.equal(taken.records.length, 1);
  assert.equal(taken.head, undefined);
});

test('names of Object.prototype are ids like any other', () => {
  const draft = createDraft(base());
  for (const id of ['__proto__', 'constructor', 'toString']) {
    assert.equal(draft.get('user', id), undefined);
    draft.put('user', userOf(id, 'odd'));
    assert.equal(draft.get('user', id)?.name, 'odd');
  }
  assert.equal(draft.changes().records.length, 3);
});

test('a view shows only the state', () => {
  const state = base();
  const view = viewOf(state);
  assert.deepEqual(view.list('user'), [...state.records.user.values()]);
  assert.equal(view.get('user', 'user 1'), state.records.user.get('user 1'));
  assert.equal(view.get('user', 'user 9'), undefined);
  assert.deepEqual(Object.keys(view).toSorted(), ['get', 'head', 'id', 'list', 'parentId', 'rows']);
  assert.equal(view.rows('user'), state.records.user);
});

test('an index over rows is built once until its kind changes', () => {
  let made = 0;
  const namesOf = createRowIndex('user', (users) => {
    made += 1;
    return [...users].map((user) => user.name);
  });
  const state = base();
  const draft = createDraft(state);
  const names = [...state.records.user.values()].map((user) => user.name);
  assert.deepEqual(namesOf(viewOf(state)), names);
  assert.deepEqual(namesOf(draft), names);
  assert.equal(made, 1);
  const [first] = state.records.user.values();
  assert.ok(first);
  draft.put('user', { ...first, name: 'another name' });
  assert.deepEqual(namesOf(draft), ['another name', ...names.slice(1)]);
  assert.deepEqual(namesOf(viewOf(state)), names);
  assert.equal(made, 2);
});
