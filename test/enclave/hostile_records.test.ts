// A store that lies about accounts, activities and children can only withhold rows.

import { after } from 'node:test';
import type { StoredActivity, StoredLookup, StoredRecord } from '../../src/store/port.ts';
import {
  bodyEdits,
  checkLies,
  type Lie,
  rowOf,
  unaffected,
  withheld,
  wordsOf,
} from './hostile_lies.ts';
import type { Alterations } from './hostile_store.ts';
import { buildWorld } from './hostile_world.ts';
import { queryBody } from './service_over.ts';

const world = await buildWorld();
after(() => world.service.close());
const { organizationId, now, first, second } = world;
const { query, sign, refused, organization, accountOf, activityWhere } = wordsOf(world);
const childId = world.firstChild.organizationId;
const ofAccount = query('get_wallet_account', { walletId: first.walletId, address: first.address });
const activity = query('get_activity', { activityId: second.activityId });
const activities = query('list_activities', {
  filterByType: ['ACTIVITY_TYPE_CREATE_WALLET'],
  paginationOptions: { limit: '5' },
});
const childNamed = query('list_suborgs', { filterType: 'NAME', filterValue: 'First child' });

const wallet = rowOf(now.records, first.walletId);
const account = accountOf(first.address);
const otherAccount = accountOf(second.address);
const created = activityWhere(({ id }) => id === second.activityId);
const otherCreated = activityWhere(({ id }) => id === first.activityId);
const unlisted = activityWhere(({ type }) => type === 'TEST');
const replaceAccount = (change: (row: StoredRecord) => StoredRecord): Alterations => ({
  records: (rows) => rows.map((row) => (row.id === account.id ? change(row) : row)),
});
const lookups = (change: (row: StoredLookup) => StoredLookup): Alterations => ({
  lookup: (rows) => rows.map(change),
});
const replaceActivity = (
  change: (row: StoredActivity) => StoredActivity | undefined,
): Alterations => ({ activity: (row) => row && change(row) });

const lies: readonly Lie[] = [
  ...bodyEdits.flatMap(([what, edit]): Lie[] => [
    {
      lie: `an account whose row lost or changed ${what}`,
      ask: sign(first.address),
      alterations: replaceAccount((row) => ({ ...row, body: edit(row.body) })),
      expected: refused(account.id),
    },
    {
      lie: `an activity whose row lost or changed ${what}`,
      ask: activity,
      alterations: replaceActivity((row) => ({ ...row, body: edit(row.body) })),
      expected: refused(created.id),
    },
  ]),

  // accounts
  {
    lie: 'a look-up that leads to the account of another address',
    ask: sign(first.address),
    alterations: lookups((row) => ({ ...row, recordId: otherAccount.id })),
    expected: withheld(404),
  },
  {
    lie: 'a look-up that leads nowhere',
    ask: sign(first.address),
    alterations: lookups((row) => ({ ...row, recordId: childId })),
    expected: withheld(404),
  },
  {
    lie: 'a look-up that leads into another organization',
    ask: sign(first.address),
    alterations: lookups((row) => ({ ...row, organizationId: childId })),
    expected: unaffected,
  },
  {
    lie: 'a look-up left out',
    ask: sign(first.address),
    alterations: { lookup: () => [] },
    expected: withheld(404),
  },
  {
    lie: 'a look-up twice',
    ask: ofAccount,
    alterations: { lookup: (rows) => [...rows, ...rows] },
    expected: unaffected,
  },
  {
    lie: 'the account of another address than the one that was found',
    ask: sign(first.address),
    alterations: { records: () => [otherAccount] },
    expected: withheld(404),
  },
  {
    lie: 'another account under the id of the one that was found',
    ask: sign(first.address),
    alterations: replaceAccount((row) => ({ ...otherAccount, id: row.id })),
    expected: refused(account.id),
  },
  {
    lie: 'an account as of another organization',
    ask: sign(first.address),
    alterations: replaceAccount((row) => ({ ...row, organizationId: childId })),
    expected: refused(account.id),
  },
  {
    lie: 'an account as of another version',
    ask: sign(first.address),
    alterations: replaceAccount((row) => ({ ...row, version: row.version + 1 })),
    expected: refused(account.id),
  },
  {
    lie: 'an account as of another kind',
    ask: sign(first.address),
    alterations: replaceAccount((row) => ({ ...row, kind: 'wallet' })),
    expected: refused(account.id),
  },
  {
    lie: 'a wallet where an account was asked for',
    ask: sign(first.address),
    alterations: {
      lookup: (rows) => rows.map((row) => ({ ...row, recordId: wallet.id })),
      records: () => [wallet],
    },
    expected: refused(wallet.id),
  },
  {
    lie: 'an account twice',
    ask: ofAccount,
    alterations: { records: (rows) => [...rows, ...rows] },
    expected: unaffected,
  },
  {
    lie: 'a deleted account, its row and its look-up put back',
    ask: sign(world.deleted.address),
    alterations: {
      lookup: (_, { index, blind }) => [
        { index, blind, organizationId, recordId: world.deleted.id },
      ],
      records: () => [world.deletedRow],
    },
    expected: withheld(404),
  },
  {
    lie: 'a deleted account in a page',
    ask: query('list_wallet_accounts', { walletId: first.walletId }),
    alterations: { recordPage: (rows) => [...rows, world.deletedRow] },
    expected: unaffected,
  },
  {
    lie: 'the account of another wallet in a page',
    ask: query('list_wallet_accounts', { walletId: first.walletId }),
    alterations: { recordPage: (rows) => [...rows, otherAccount] },
    expected: unaffected,
  },
  {
    lie: 'a page of accounts in another order',
    ask: query('list_wallet_accounts', { walletId: first.walletId }),
    alterations: { recordPage: (rows) => rows.toReversed() },
    expected: refused(),
  },
  {
    lie: 'a page that holds an account twice',
    ask: query('list_wallet_accounts', { walletId: first.walletId }),
    alterations: { recordPage: (rows) => rows.flatMap((row) => [row, row]) },
    expected: refused(),
  },
  {
    lie: 'a page with wallets where accounts were asked for',
    ask: query('list_wallet_accounts'),
    alterations: { recordPage: () => [wallet] },
    expected: refused(wallet.id),
  },

  // activities
  {
    lie: 'an activity as of another status',
    ask: activity,
    alterations: replaceActivity((row) => ({ ...row, status: 'ACTIVITY_STATUS_FAILED' })),
    expected: refused(created.id),
  },
  {
    lie: 'an activity as of another type',
    ask: activity,
    alterations: replaceActivity((row) => ({ ...row, type: 'ACTIVITY_TYPE_DELETE_WALLETS' })),
    expected: refused(created.id),
  },
  {
    lie: 'an activity as of another version',
    ask: activity,
    alterations: replaceActivity((row) => ({ ...row, version: 2 })),
    expected: refused(created.id),
  },
  {
    lie: 'another activity than the one asked for',
    ask: activity,
    alterations: { activity: () => otherCreated },
    expected: refused(created.id),
  },
  {
    lie: 'another activity under the id asked for',
    ask: activity,
    alterations: replaceActivity((row) => ({ ...otherCreated, id: row.id })),
    expected: refused(created.id),
  },
  {
    lie: 'that there is no such activity',
    ask: activity,
    alterations: { activity: () => undefined },
    expected: withheld(404),
  },
  {
    lie: 'activities that the filter leaves out',
    ask: activities,
    alterations: { activityPage: () => [unlisted] },
    expected: refused(),
  },
  {
    lie: 'activities in another order',
    ask: activities,
    alterations: { activityPage: (rows) => rows.toReversed() },
    expected: refused(),
  },
  {
    lie: 'an activity twice',
    ask: activities,
    alterations: { activityPage: (rows) => rows.flatMap((row) => [row, row]) },
    expected: refused(),
  },
  {
    lie: 'a longer page than was asked for',
    ask: query('list_activities', { paginationOptions: { limit: '1' } }),
    alterations: { activityPage: () => world.activityRows.toReversed() },
    expected: refused(),
  },
  {
    lie: 'a page from the wrong side of its cursor',
    ask: query('list_activities', { paginationOptions: { after: first.activityId } }),
    alterations: { activityPage: () => [created] },
    expected: refused(created.id),
  },
  {
    lie: 'an activity of another request as the one with this fingerprint',
    ask: sign(first.address),
    alterations: organization(() => ({ activity: created })),
    expected: refused(created.id),
  },
  {
    lie: 'an activity of another request, its columns made to fit this fingerprint',
    ask: sign(first.address),
    alterations: {
      organization: (answer, { fingerprint }) =>
        fingerprint === undefined
          ? answer
          : { ...answer, activity: { ...created, ...fingerprint } },
    },
    expected: refused(created.id),
  },

  // children
  {
    lie: 'the parent among its children',
    ask: query('list_suborgs'),
    alterations: { children: (ids) => [organizationId, ...ids] },
    expected: unaffected,
  },
  {
    lie: 'children in another order',
    ask: query('list_suborgs'),
    alterations: { children: (ids) => ids.toReversed() },
    expected: refused(childId, childId),
  },
  {
    lie: 'a child twice',
    ask: query('list_suborgs'),
    alterations: { children: (ids) => ids.flatMap((id) => [id, id]) },
    expected: refused(childId, childId),
  },
  {
    lie: 'a name that leads to another child as well',
    ask: childNamed,
    alterations: {
      lookup: (rows) => [
        ...rows,
        ...rows.map((row) => ({ ...row, organizationId: world.secondChild.organizationId })),
      ],
    },
    expected: unaffected,
  },
  {
    lie: 'an account address that leads to a child without that account',
    ask: query('list_suborgs', {
      filterType: 'WALLET_ACCOUNT_ADDRESS',
      filterValue: first.address,
    }),
    alterations: {
      lookup: (_, { index, blind }) => [
        { index, blind, organizationId: childId, recordId: account.id },
      ],
    },
    expected: unaffected,
  },
  {
    lie: 'a key that leads to a child whose key it is not',
    ask: (service) =>
      service.send('query', 'whoami', queryBody(organizationId), world.secondChild.key),
    alterations: lookups((row) => ({ ...row, organizationId: childId })),
    expected: withheld(401),
  },
];

checkLies(world, lies);
