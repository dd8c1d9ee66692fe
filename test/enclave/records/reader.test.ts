// Compares pages and look-ups on an honest store with plain lists.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import fc from 'fast-check';
import { createIdSource } from '../../../src/core/base/ids.ts';
import type { WalletAccount } from '../../../src/core/organization/model.ts';
import {
  createDraft,
  emptySmallState,
  type OrganizationState,
} from '../../../src/core/organization/state.ts';
import { createRootKeys } from '../../../src/enclave/keys/root_keys.ts';
import { createRepository } from '../../../src/enclave/records/repository.ts';
import type { Page } from '../../../src/operations/reader.ts';
import type { NewOrganization } from '../../../src/pipeline/ports.ts';
import { seededRandom, startTestService, testRootKey } from '../../support/harness.ts';
import { codecOf } from '../hostile_world.ts';
import { proposalOn } from '../proposals.ts';

const service = await startTestService();
after(() => service.close());
const { organizationId } = service.root;
const random = seededRandom('reader');
const newId = createIdSource({ clock: service.now, random });
const keys = createRootKeys(testRootKey());
const repository = createRepository({ store: service.store.port, codec: codecOf('reader'), keys });
const times = { createdAtMs: 1, updatedAtMs: 1 };

const wallets = ['first', 'second'].map((name) => ({ id: newId(), name }));
const accounts = Array.from({ length: 12 }, (_, i): WalletAccount => {
  const wallet = wallets[i % 2];
  assert.ok(wallet !== undefined);
  return {
    id: newId(),
    walletId: wallet.id,
    curve: 'CURVE_SECP256K1',
    pathFormat: 'PATH_FORMAT_BIP32',
    path: `m/${Math.floor(i / 4)}`,
    addressFormat: 'ADDRESS_FORMAT_ETHEREUM',
    address: `address ${i % 5}`,
    publicKey: '02',
    ...(i < 3 ? { name: `account ${i}` } : {}),
    ...times,
  };
});
const deletedAccount = accounts[4];
assert.ok(deletedAccount !== undefined);
const living = accounts.filter((account) => account !== deletedAccount);

const children = ['Blue', 'Red', 'Red', 'Green', 'Gone'].map((name) => ({
  id: newId(),
  name,
  username: `${name} user`,
  isDeleted: name === 'Gone',
}));
const livingChildren = children.filter((child) => !child.isDeleted).map(({ id }) => id);

await commit((draft) => {
  for (const { id, name } of wallets) {
    draft.put('wallet', {
      id,
      name,
      secret: '',
      exported: false,
      imported: false,
      deletedAccountIds: deletedAccount.walletId === id ? [deletedAccount.id] : [],
      ...times,
    });
  }
  for (const account of accounts) draft.add('wallet_account', account);
}, children.map(childOf));
const state = await commit(() => undefined);
const read = repository.reader(state);
const ids = (rows: readonly { readonly id: string }[]) => rows.map(({ id }) => id);

/** Returns a page of a list by a simple slice. */
function slice(all: readonly string[], page: Page): readonly string[] {
  const from = page.after === undefined ? 0 : all.indexOf(page.after) + 1;
  const to = page.before === undefined ? all.length : all.indexOf(page.before);
  const range = all.slice(from, Math.max(from, to));
  const isLast = page.before !== undefined && page.after === undefined;
  return isLast ? range.slice(-page.limit) : range.slice(0, page.limit);
}

function pagesOf(all: readonly string[]): fc.Arbitrary<Page> {
  const cursor = fc.option(fc.constantFrom(...all), { nil: undefined });
  return fc.record({ limit: fc.integer({ min: 1, max: 15 }), before: cursor, after: cursor });
}

test('a page of accounts is a slice of the list, oldest first', async () => {
  for (const walletId of [undefined, ...wallets.map(({ id }) => id)]) {
    const all = ids(accounts.filter((a) => walletId === undefined || a.walletId === walletId));
    await fc.assert(
      fc.asyncProperty(pagesOf(all), async (page) => {
        const expected = slice(all, page).filter((id) => id !== deletedAccount.id);
        assert.deepEqual(ids(await read.walletAccountPage(walletId, page)), expected);
      }),
    );
  }
});

test('a page of children is a slice of the list of existing children, oldest first', async () => {
  await fc.assert(
    fc.asyncProperty(pagesOf(livingChildren), async (page) => {
      assert.deepEqual(await read.childPage(undefined, page), slice(livingChildren, page));
    }),
  );
});

test('a page of activities is a slice of the list, newest first', async () => {
  const filter = { statuses: [], types: [] };
  const everything = { limit: 100, before: undefined, after: undefined };
  const all = ids((await read.activityPage(filter, everything)).activities);
  assert.ok(all.length >= 2);
  assert.deepEqual(all, all.toSorted().toReversed());
  await fc.assert(
    fc.asyncProperty(pagesOf(all), async (page) => {
      assert.deepEqual(ids((await read.activityPage(filter, page)).activities), slice(all, page));
    }),
  );
  const failed = { statuses: ['ACTIVITY_STATUS_FAILED'], types: [] } as const;
  assert.deepEqual((await read.activityPage(failed, everything)).activities, []);
  const tests = { statuses: [], types: ['TEST'] };
  assert.deepEqual(ids((await read.activityPage(tests, everything)).activities), all);
});

test('existing accounts are found by address, by name and by path, oldest first', async () => {
  for (const { address, name, path, walletId } of accounts) {
    const same = living.filter((account) => account.address === address);
    assert.deepEqual(await read.walletAccountsByAddress(address), same);
    assert.deepEqual(await read.signingAccount(address), same[0]);
    assert.deepEqual(await read.signingAccount(address), same[0], 'from memory too');
    const atPath = living.filter((a) => a.path === path && a.walletId === walletId);
    assert.deepEqual(await read.walletAccountsByPath(walletId, path), atPath);
    if (name === undefined) continue;
    const named = living.filter((account) => account.name === name);
    assert.deepEqual(await read.walletAccountsByName(name), named);
  }
  assert.deepEqual(await read.walletAccountsByAddress('nowhere'), []);
  assert.equal(await read.signingAccount('nowhere'), undefined);
  assert.deepEqual(await read.walletAccountsByAddress('ADDRESS 0'), []);
});

test('accounts are read by id, each once', async () => {
  const wanted = ids(accounts);
  assert.deepEqual(ids(await read.walletAccounts([...wanted, ...wanted])), ids(living));
  assert.deepEqual(await read.walletAccounts([]), []);
  assert.deepEqual(await read.walletAccounts([newId()]), []);
});

test('children are found by their contents', async () => {
  const page = { limit: 100, before: undefined, after: undefined };
  const named = (value: string) => read.childPage({ index: 'child_name', value }, page);
  const red = ids(children.filter(({ name }) => name === 'Red'));
  assert.deepEqual(await named('Red'), red);
  assert.deepEqual(await named('red'), []);
  assert.deepEqual(await named('Gone'), []);
  const [firstRed = ''] = red;
  const redAfter = { ...page, after: firstRed };
  const filter = { index: 'child_name', value: 'Red' } as const;
  assert.deepEqual(await read.childPage(filter, redAfter), red.slice(1));
  const ofUser = { index: 'child_username', value: 'Green user' } as const;
  assert.deepEqual(await read.childPage(ofUser, page), ids(children.slice(3, 4)));
  const ofAddress = { index: 'child_account_address', value: 'address of Blue' } as const;
  assert.deepEqual(await read.childPage(ofAddress, page), ids(children.slice(0, 1)));
});

test('an activity is found by its id, within its organization', async () => {
  const {
    activities: [newest],
  } = await read.activityPage(
    { statuses: [], types: [] },
    { limit: 1, before: undefined, after: undefined },
  );
  assert.ok(newest !== undefined);
  assert.deepEqual(await read.activity(newest.id), newest);
  assert.equal(await read.activity(newId()), undefined);
  const [childId = ''] = livingChildren;
  const child = await repository.organization(childId);
  assert.ok(child.state !== undefined);
  assert.equal(await repository.reader(child.state).activity(newest.id), undefined);
});

async function commit(
  change: (draft: ReturnType<typeof createDraft>) => void,
  created: readonly NewOrganization[] = [],
): Promise<OrganizationState> {
  const { state: before } = await repository.organization(organizationId);
  assert.ok(before !== undefined);
  const draft = createDraft(before);
  change(draft);
  const made = { id: newId(), digest: random(32) };
  const outcome = await repository.commit(
    proposalOn(before, made, { changes: draft.changes(), children: created }),
  );
  assert.equal(outcome, 'committed');
  const { state: now } = await repository.organization(organizationId);
  assert.ok(now !== undefined);
  return now;
}

function childOf({ id, name, username, isDeleted }: (typeof children)[number]): NewOrganization {
  const head = {
    name,
    rootQuorum: { threshold: 1, userIds: [] },
    features: [],
    ...times,
    ...(isDeleted ? { deletedAtMs: 2 } : {}),
  };
  const parentId = organizationId;
  const draft = createDraft({
    id,
    parentId,
    version: 0,
    guard: 0,
    head,
    records: emptySmallState(),
  });
  draft.put('user', { id: newId(), name: username, tagIds: [], ...times });
  if (name === 'Blue') {
    const [template] = accounts;
    assert.ok(template !== undefined);
    const walletId = newId();
    draft.put('wallet', {
      id: walletId,
      name,
      secret: '',
      exported: false,
      imported: false,
      deletedAccountIds: [],
      ...times,
    });
    draft.add('wallet_account', { ...template, id: newId(), walletId, address: 'address of Blue' });
  }
  return { id, parentId, head, changes: draft.changes() };
}
