// A store that lies about organizations can only withhold rows.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { StoredRecord } from '../../src/store/port.ts';
import {
  bodyEdits,
  checkLies,
  type Lie,
  rowOf,
  unaffected,
  withheld,
  wordsOf,
} from './hostile_lies.ts';
import { type Alterations, hostileStore } from './hostile_store.ts';
import { buildWorld, snapshot } from './hostile_world.ts';
import { activityBody, queryBody, startServiceOver } from './service_over.ts';

const world = await buildWorld();
after(() => world.service.close());
const { organizationId, now, earlier, ofChild, first, second } = world;
const { query, refused, organization, accountOf } = wordsOf(world);
const childId = world.firstChild.organizationId;
const account = accountOf(first.address);
const listWallets = query('list_wallets');
const records = (change: (rows: readonly StoredRecord[]) => readonly StoredRecord[]): Alterations =>
  organization((answer) => ({ records: change(answer.records) }));
const wallet = rowOf(now.records, first.walletId);
const otherWallet = rowOf(now.records, second.walletId);
const replaceWallet = (change: (row: StoredRecord) => StoredRecord): Alterations =>
  records((rows) => rows.map((row) => (row.id === wallet.id ? change(row) : row)));

const lies: readonly Lie[] = [
  ...bodyEdits.flatMap(([what, edit]): Lie[] => [
    {
      lie: `a wallet whose row lost or changed ${what}`,
      ask: listWallets,
      alterations: replaceWallet((row) => ({ ...row, body: edit(row.body) })),
      expected: refused(wallet.id),
    },
    {
      lie: `a head that lost or changed ${what}`,
      ask: listWallets,
      alterations: organization(() => ({
        organization: { ...now.organization, head: edit(now.organization.head) },
      })),
      expected: refused(organizationId),
    },
  ]),

  // small state: misplaced rows
  {
    lie: 'two wallets whose sealed bodies changed places',
    ask: listWallets,
    alterations: records((rows) =>
      rows.map((row) => {
        if (row.id === wallet.id) return { ...row, body: otherWallet.body };
        return row.id === otherWallet.id ? { ...row, body: wallet.body } : row;
      }),
    ),
    expected: refused(),
  },
  {
    lie: 'a wallet under the id of another',
    ask: listWallets,
    alterations: replaceWallet((row) => ({ ...row, id: world.deleted.id })),
    expected: refused(world.deleted.id),
  },
  {
    lie: 'a wallet as a private key',
    ask: listWallets,
    alterations: replaceWallet((row) => ({ ...row, kind: 'private_key' })),
    expected: refused(wallet.id),
  },
  {
    lie: 'a wallet as of an unknown kind',
    ask: listWallets,
    alterations: replaceWallet((row) => ({ ...row, kind: '__proto__' })),
    expected: refused(wallet.id),
  },
  {
    lie: 'a wallet as of another version',
    ask: listWallets,
    alterations: replaceWallet((row) => ({ ...row, version: row.version + 1 })),
    expected: refused(wallet.id),
  },
  {
    lie: 'a wallet as of another organization',
    ask: listWallets,
    alterations: replaceWallet((row) => ({ ...row, organizationId: childId })),
    expected: refused(wallet.id),
  },
  {
    lie: "a child's user and key among the parent's",
    ask: listWallets,
    alterations: records((rows) => [...rows, ...ofChild.records]),
    expected: refused(),
  },
  {
    lie: "a child's user and key, relabelled, among the parent's",
    ask: listWallets,
    alterations: records((rows) => [
      ...rows,
      ...ofChild.records.map((row) => ({ ...row, organizationId })),
    ]),
    expected: refused(),
  },
  {
    lie: 'an account among small state',
    ask: listWallets,
    alterations: records((rows) => [...rows, account]),
    expected: refused(account.id),
  },

  // small state: missing, surplus and older rows
  {
    lie: 'a wallet left out',
    ask: listWallets,
    alterations: records((rows) => rows.filter((row) => row.id !== wallet.id)),
    expected: refused(organizationId),
  },
  {
    lie: 'all rows left out',
    ask: listWallets,
    alterations: records(() => []),
    expected: refused(organizationId),
  },
  {
    lie: 'a wallet twice',
    ask: listWallets,
    alterations: records((rows) => [...rows, wallet]),
    expected: refused(wallet.id),
  },
  {
    lie: 'a wallet as it was before its account was deleted',
    ask: listWallets,
    alterations: replaceWallet((row) => rowOf(earlier.records, row.id)),
    expected: refused(organizationId),
  },
  {
    lie: 'earlier rows under the present head',
    ask: listWallets,
    alterations: records(() => earlier.records),
    expected: refused(organizationId),
  },
  {
    lie: 'present rows under an earlier head',
    ask: listWallets,
    alterations: organization(() => ({
      version: earlier.version,
      organization: earlier.organization,
    })),
    expected: refused(organizationId),
  },
  {
    lie: 'an earlier head under the present version',
    ask: listWallets,
    alterations: organization(() => ({
      organization: { ...earlier.organization, version: now.organization.version },
    })),
    expected: refused(organizationId),
  },
  {
    lie: 'rows in another order',
    ask: listWallets,
    alterations: records((rows) => rows.toReversed()),
    expected: unaffected,
  },

  // organizations
  {
    lie: 'an earlier state, whole, after a newer one',
    ask: listWallets,
    warm: true,
    alterations: organization(() => earlier),
    expected: refused(organizationId),
  },
  {
    lie: 'that the version went back, without a row',
    ask: listWallets,
    warm: true,
    alterations: organization(() => ({ version: earlier.version })),
    expected: refused(organizationId),
  },
  {
    lie: 'that the version went on, without a row',
    ask: listWallets,
    warm: true,
    alterations: organization(({ version = 0 }) => ({ version: version + 1 })),
    expected: refused(organizationId),
  },
  {
    lie: 'a state known already, sent as if it were new',
    ask: listWallets,
    warm: true,
    alterations: organization(() => now),
    expected: refused(organizationId),
  },
  {
    lie: 'that the organization is gone',
    ask: listWallets,
    warm: true,
    alterations: organization(() => ({ version: undefined })),
    expected: refused(organizationId),
  },
  {
    lie: 'that there never was such an organization',
    ask: listWallets,
    alterations: organization(() => ({
      version: undefined,
      organization: undefined,
      records: [],
    })),
    expected: withheld(404),
  },
  {
    lie: 'a version without its row',
    ask: listWallets,
    alterations: organization(() => ({ organization: undefined, records: [] })),
    expected: refused(organizationId),
  },
  {
    lie: 'the state of a child in place of its parent',
    ask: listWallets,
    alterations: organization(() => ofChild),
    expected: refused(organizationId),
  },
  {
    lie: 'the state of a child, relabelled, in place of its parent',
    ask: listWallets,
    alterations: organization(() => ({
      ...ofChild,
      organization: { ...ofChild.organization, organizationId },
      records: ofChild.records.map((row) => ({ ...row, organizationId })),
    })),
    expected: refused(organizationId),
  },
  {
    lie: 'a parent above the first organization',
    ask: listWallets,
    alterations: organization(() => ({
      organization: { ...now.organization, parentId: childId },
    })),
    expected: refused(organizationId),
  },
  {
    lie: 'a child without its parent',
    ask: query('list_wallets', {}, childId),
    alterations: organization(
      () => ({ organization: { ...ofChild.organization, parentId: undefined } }),
      childId,
    ),
    expected: refused(childId, childId),
  },
  {
    lie: 'a child under another parent',
    ask: query('list_wallets', {}, childId),
    alterations: organization(
      () => ({
        organization: { ...ofChild.organization, parentId: world.secondChild.organizationId },
      }),
      childId,
    ),
    expected: refused(childId, childId),
  },
];

checkLies(world, lies);

test('an earlier state is refused after the enclave itself wrote a newer one', async () => {
  const store = hostileStore(world.service.store.port);
  const clock = world.service.now;
  const service = await startServiceOver({ store: store.port, seed: 'own commit', clock });
  const before = await snapshot(world.service, childId);
  world.service.advance(1);
  const type = 'ACTIVITY_TYPE_UPDATE_ORGANIZATION_NAME';
  const parameters = { organizationName: 'Renamed' };
  const body = activityBody(type, childId, parameters, clock());
  const { key } = world.firstChild;
  const renamed = await service.send('submit', 'update_organization_name', body, key);
  assert.equal(renamed.status, 200, JSON.stringify(renamed.body));
  store.alter(organization(() => before, childId));
  const answer = await service.send('query', 'whoami', queryBody(childId), key);
  assert.equal(answer.status, 500);
});
