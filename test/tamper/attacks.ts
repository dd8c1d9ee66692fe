// Attacks by the owner of the database, one entry for each kind. An attack is a function of the current and
// the earlier tables; it returns undefined if there is nothing to attack.

import assert from 'node:assert/strict';
import { smallKinds } from '../../src/core/organization/kinds.ts';
import type { Attack } from './attack.ts';
import type { Choice } from './choice.ts';
import { replays } from './replays.ts';
import {
  type Cell,
  cell,
  cellText,
  distinctRows,
  type SealedTable,
  sealedColumns,
  type TableName,
  type TableRow,
  type Tables,
} from './tables.ts';

const bodyTables = ['organizations', 'records', 'activities', 'deployment'] as const;
const ownedTables = ['records', 'activities'] as const;
/** Kinds of rows in `records`; snapshots occur in events only. */
export const kindsOfRecords: readonly string[] = [
  ...smallKinds,
  'wallet_account',
  'voted_activity',
  'policy_set',
  'contract_interface_text',
  'secret_text',
  'email_event',
  'send',
  'sent_nonce',
  'chain_transaction',
];
const kinds = [...kindsOfRecords, '__proto__'];

export const attacks: Readonly<Record<string, Attack>> = {
  // events of webhooks
  'flip a bit of an event': onEvent((event, choice) => {
    const body = cell(event, 'body');
    assert(body instanceof Uint8Array);
    const at = choice.index(body.length);
    return { body: body.map((byte, i) => (i === at ? byte ^ (1 << choice.index(8)) : byte)) };
  }),
  'give an event the body of another': onEvent((_, __, other) => ({ body: cell(other, 'body') })),
  'give an event a new id': onEvent((_, choice) => ({ event_id: newId(choice) })),
  'give an event to another endpoint': onEvent((event, _, other) => ({
    endpoint_id: cell(other, 'endpoint_id'),
    organization_id: cell(other, 'organization_id'),
    sequence: 1_000 + Number(cell(event, 'sequence')),
  })),
  'delete some events': (tables, choice) =>
    withRows(tables, 'webhook_events', choice.some(tables.webhook_events)),

  // one sealed body
  'flip a bit of a sealed body': onBytes((bytes, choice) => {
    const at = choice.index(bytes.length);
    return bytes.map((byte, i) => (i === at ? byte ^ (1 << choice.index(8)) : byte));
  }),
  'cut a sealed body short': onBytes((bytes, choice) => bytes.slice(0, choice.index(bytes.length))),
  'lengthen a sealed body': onBytes((bytes, choice) =>
    Uint8Array.of(...bytes, ...choice.bytes(1 + choice.index(20))),
  ),
  'empty a sealed body': onBytes(() => new Uint8Array(0)),
  'replace a sealed body by noise': onBytes((bytes, choice) => choice.bytes(bytes.length)),

  // bodies in wrong places
  'swap the bodies of two rows': onTwoRows(bodyTables, (a, b, column) => [
    { ...a, [column]: cell(b, column) },
    { ...b, [column]: cell(a, column) },
  ]),
  'swap the bodies of two records of one kind and organization': onTwoRows(
    ['records'],
    (a, b) => [
      { ...a, body: cell(b, 'body') },
      { ...b, body: cell(a, 'body') },
    ],
    ['organization_id', 'kind'],
  ),
  'give a row the body of another': onTwoRows(bodyTables, (a, b, column) => [
    { ...a, [column]: cell(b, column) },
    b,
  ]),
  'give a row body and version of another': onTwoRows(
    bodyTables,
    (a, b, column) => [{ ...a, [column]: cell(b, column), version: cell(b, 'version') }, b],
    ['version'],
  ),
  'swap the ids of two rows': onTwoRows(['records', 'activities', 'organizations'], (a, b) => [
    { ...a, id: cell(b, 'id') },
    { ...b, id: cell(a, 'id') },
  ]),
  'swap the heads of two organizations': onTwoRows(['organizations'], (a, b) => [
    { ...a, head: cell(b, 'head'), version: cell(b, 'version') },
    { ...b, head: cell(a, 'head'), version: cell(a, 'version') },
  ]),
  'swap two organizations whole': (tables, choice) => {
    const two = choice.two(tables.organizations);
    if (two === undefined) return undefined;
    const [a, b] = two.map((row) => cell(row, 'id'));
    const other = (id: Cell): Cell => (id === a ? (b ?? id) : id === b ? (a ?? id) : id);
    const relabelled = (rows: readonly TableRow[]) =>
      rows.map((row) => ({ ...row, organization_id: other(cell(row, 'organization_id')) }));
    return {
      ...tables,
      organizations: tables.organizations.map((row) => ({ ...row, id: other(cell(row, 'id')) })),
      records: relabelled(tables.records),
      activities: relabelled(tables.activities),
    };
  },

  // rows too many
  'put a row there twice, under a new id': (tables, choice) => {
    const name = choice.of(['records', 'activities', 'organizations'] as const);
    const row = choice.of(tables[name]);
    const copy = { ...row, id: newId(choice) };
    // A second activity with the same body would replace the first one.
    const apart = name === 'activities' ? { ...copy, fingerprint: choice.bytes(32) } : copy;
    return withRows(tables, name, [...tables[name], apart]);
  },
  'put a record there as an activity': (tables, choice) => {
    const record = choice.of(tables.records);
    const activity = choice.of(tables.activities);
    const made = { ...activity, ...record, fingerprint: choice.bytes(32) };
    return withRows(tables, 'activities', [...tables.activities, made]);
  },
  'answer a body with a record': (tables, choice) => {
    const record = choice.of(tables.records);
    const activity = choice.of(tables.activities);
    const made = { ...activity, ...record, organization_id: cell(activity, 'organization_id') };
    return withRows(tables, 'activities', replaced(tables.activities, [[activity, made]]));
  },
  'make up a row': (tables, choice) => {
    const name = choice.of(['records', 'activities', 'lookups'] as const);
    const row = choice.of(tables[name]);
    const column = sealedColumns[name];
    const made = { ...row, [column]: choice.bytes(name === 'lookups' ? 32 : 200) };
    return withRows(tables, name, [
      ...tables[name],
      name === 'lookups' ? made : { ...made, id: newId(choice), fingerprint: choice.bytes(32) },
    ]);
  },
  'put a row of one organization into another too': onOwner((rows, _, moved) => [...rows, moved]),

  // rows elsewhere
  'move a row to another organization': onOwner((rows, row, moved) =>
    rows.map((known) => (known === row ? moved : known)),
  ),
  'move all rows of a kind to another organization': (tables, choice) => {
    const row = choice.of(tables.records);
    const target = cell(choice.of(tables.organizations), 'id');
    const isMoved = (known: TableRow) => same(known, row, ['organization_id', 'kind']);
    const records = tables.records.map((known) =>
      isMoved(known) ? { ...known, organization_id: target } : known,
    );
    return withRows(tables, 'records', records);
  },

  // rows missing
  'delete a row': (tables, choice) => {
    const name = choice.of(['organizations', 'records', 'lookups', 'activities'] as const);
    const row = choice.of(tables[name]);
    return withRows(tables, name, without(tables[name], [row]));
  },
  'delete some rows': (tables, choice) => {
    const name = choice.of(['organizations', 'records', 'lookups', 'activities'] as const);
    return withRows(tables, name, choice.some(tables[name]));
  },
  'delete all rows of a kind in an organization': (tables, choice) => {
    const row = choice.of(tables.records);
    const isGone = (known: TableRow) => same(known, row, ['organization_id', 'kind']);
    return withRows(
      tables,
      'records',
      tables.records.filter((known) => !isGone(known)),
    );
  },
  'delete all look-ups of an index': (tables, choice) => {
    const row = choice.of(tables.lookups);
    const isGone = (known: TableRow) => same(known, row, ['index_name']);
    return withRows(
      tables,
      'lookups',
      tables.lookups.filter((known) => !isGone(known)),
    );
  },
  'delete the deployment': (tables) => ({ ...tables, deployment: [] }),

  // plain columns
  'change a version': onCell(
    ['organizations', 'records', 'activities'],
    'version',
    (version, choice) =>
      choice.of([0, -1, 1, 2, Number(version) + 1, Number(version) - 1, 2 ** 31, 2 ** 53 - 1]),
  ),
  'change a version to more than a number can tell': onCell(
    ['organizations', 'records', 'activities'],
    'version',
    (_, choice) => choice.of([2n ** 53n, 2n ** 63n - 1n, -(2n ** 63n)]),
  ),
  'change the kind of a record': onCell(['records'], 'kind', (_, choice) => choice.of(kinds)),
  'change the group of a record': onTwoRows(
    ['records'],
    (a, b, _, choice) => [
      { ...a, group_id: choice.of([null, cell(a, 'id'), cell(b, 'id'), cell(b, 'group_id')]) },
      b,
    ],
    ['organization_id'],
  ),
  'change the group of an account': onTwoRows(
    ['records'],
    (a, b) => [{ ...a, group_id: cell(b, 'group_id') }, b],
    ['organization_id', 'kind'],
  ),
  'change the parent of an organization': onCell(
    ['organizations'],
    'parent_id',
    (_, choice, tables) => choice.of([null, ...tables.organizations.map((row) => cell(row, 'id'))]),
  ),
  'change the type of an activity': onCell(['activities'], 'type', (_, choice, tables) =>
    choice.of([...tables.activities.map((row) => cell(row, 'type')), 'ACTIVITY_TYPE_OTHER']),
  ),
  'change the status of an activity': onCell(['activities'], 'status', (_, choice) =>
    choice.of(['ACTIVITY_STATUS_FAILED', 'ACTIVITY_STATUS_REJECTED', 'ACTIVITY_STATUS_PENDING']),
  ),
  'change the bucket of an activity': onCell(['activities'], 'bucket', (_, choice, tables) =>
    choice.of([0, -1, 2 ** 40, ...tables.activities.map((row) => cell(row, 'bucket'))]),
  ),
  'change a bucket to more than a number can tell': onCell(['activities'], 'bucket', (_, choice) =>
    choice.of([2n ** 53n, -(2n ** 63n)]),
  ),
  'change the times of an activity': (tables, choice) => {
    const row = choice.of(tables.activities);
    const changed = { ...row, created_at_ms: choice.index(2 ** 40), updated_at_ms: 0 };
    return withRows(tables, 'activities', replaced(tables.activities, [[row, changed]]));
  },
  'swap the fingerprints of two activities': onTwoRows(['activities'], (a, b) => [
    { ...a, fingerprint: cell(b, 'fingerprint'), bucket: cell(b, 'bucket') },
    { ...b, fingerprint: cell(a, 'fingerprint'), bucket: cell(a, 'bucket') },
  ]),
  'answer one body with the activity of another': onTwoRows(
    ['activities'],
    (a, b) => [
      { ...a, fingerprint: cell(b, 'fingerprint'), bucket: cell(b, 'bucket') },
      { ...b, fingerprint: new Uint8Array(32) },
    ],
    ['organization_id'],
  ),

  // look-ups
  'lead a look-up to another record': onCell(['lookups'], 'record_id', (_, choice, tables) =>
    cell(choice.of([...tables.records, ...tables.organizations]), 'id'),
  ),
  'lead a look-up to a record like its own': onTwoRows(
    ['lookups'],
    (a, b) => [{ ...a, record_id: cell(b, 'record_id') }, b],
    ['organization_id', 'index_name'],
  ),
  'lead a look-up to another organization': onCell(
    ['lookups'],
    'organization_id',
    (_, choice, tables) => cell(choice.of(tables.organizations), 'id'),
  ),
  'lead a look-up to what another leads to': onTwoRows(['lookups'], (a, b) => [
    { ...a, organization_id: cell(b, 'organization_id'), record_id: cell(b, 'record_id') },
    b,
  ]),
  'lead a look-up to one more record': (tables, choice) => {
    const two = choice.two(tables.lookups);
    if (two === undefined) return undefined;
    const [a, b] = two;
    const more = { ...a, organization_id: cell(b, 'organization_id') };
    const record = { ...more, record_id: cell(b, 'record_id') };
    return withRows(tables, 'lookups', [...tables.lookups, record]);
  },
  'swap the values of two look-ups': onTwoRows(['lookups'], (a, b) => [
    { ...a, blind: cell(b, 'blind') },
    { ...b, blind: cell(a, 'blind') },
  ]),
  'change the index of a look-up': onCell(['lookups'], 'index_name', (_, choice, tables) =>
    cell(choice.of(tables.lookups), 'index_name'),
  ),

  ...replays,
};

/** Changes one cell of one row. */
function onCell(
  names: readonly TableName[],
  column: string,
  change: (value: Cell, choice: Choice, tables: Tables) => Cell,
): Attack {
  return (tables, choice) => {
    const name = choice.of(names);
    const row = choice.of(tables[name]);
    const changed = { ...row, [column]: change(cell(row, column), choice, tables) };
    return withRows(tables, name, replaced(tables[name], [[row, changed]]));
  };
}

function onBytes(change: (bytes: Uint8Array, choice: Choice) => Uint8Array): Attack {
  return (tables, choice) => {
    const name = choice.of([...bodyTables, 'lookups', 'activities', 'records', 'records'] as const);
    const row = choice.of(tables[name]);
    const column = sealedColumns[name];
    const bytes = cell(row, column);
    // Claims of tokens are rows without a head.
    if (!(bytes instanceof Uint8Array) || bytes.length === 0) return undefined;
    const changed = { ...row, [column]: change(bytes, choice) };
    return withRows(tables, name, replaced(tables[name], [[row, changed]]));
  };
}

/** Alters one event; `other` is an event of another endpoint. */
function onEvent(
  alter: (event: TableRow, choice: Choice, other: TableRow) => Partial<TableRow>,
): Attack {
  return (tables, choice) => {
    const event = choice.of(tables.webhook_events);
    const others = tables.webhook_events.filter(
      (row) => cell(row, 'endpoint_id') !== cell(event, 'endpoint_id'),
    );
    const altered = { ...event, ...alter(event, choice, choice.of(others)) } as TableRow;
    const rows = replaced(tables.webhook_events, [[event, altered]]);
    return withRows(tables, 'webhook_events', rows);
  };
}

/** Changes two rows of one table that agree in the columns `alike`. */
function onTwoRows(
  names: readonly SealedTable[],
  change: (
    a: TableRow,
    b: TableRow,
    sealed: string,
    choice: Choice,
  ) => readonly [TableRow, TableRow],
  alike: readonly string[] = [],
): Attack {
  return (tables, choice) => {
    const name = choice.of(names);
    if (tables[name].length === 0) return undefined;
    const first = choice.of(tables[name]);
    const others = tables[name].filter((row) => row !== first && same(row, first, alike));
    if (others.length === 0) return undefined;
    const second = choice.of(others);
    const [a, b] = change(first, second, sealedColumns[name], choice);
    return withRows(
      tables,
      name,
      replaced(tables[name], [
        [first, a],
        [second, b],
      ]),
    );
  };
}

function onOwner(
  change: (rows: readonly TableRow[], row: TableRow, moved: TableRow) => readonly TableRow[],
): Attack {
  return (tables, choice) => {
    const name = choice.of(ownedTables);
    const row = choice.of(tables[name]);
    const target = cell(choice.of(tables.organizations), 'id');
    const moved = { ...row, organization_id: target };
    return withRows(tables, name, change(tables[name], row, moved));
  };
}

function withRows(tables: Tables, name: TableName, rows: readonly TableRow[]): Tables {
  return {
    ...tables,
    [name]: distinctRows(
      name,
      rows.map((row) => ofTable(tables, name, row)),
    ),
  };
}

/** Returns the cells whose columns the table has. */
function ofTable(tables: Tables, name: TableName, row: TableRow): TableRow {
  const columns = Object.keys(tables[name][0] ?? row);
  return Object.fromEntries(columns.map((column) => [column, cell(row, column)]));
}

function replaced(
  rows: readonly TableRow[],
  pairs: readonly (readonly [TableRow, TableRow])[],
): readonly TableRow[] {
  const changed = new Map(pairs);
  return rows.map((row) => changed.get(row) ?? row);
}

function without(rows: readonly TableRow[], gone: readonly TableRow[]): readonly TableRow[] {
  return rows.filter((row) => !gone.includes(row));
}

function same(a: TableRow, b: TableRow, columns: readonly string[]): boolean {
  return columns.every((column) => cellText(cell(a, column)) === cellText(cell(b, column)));
}

function newId(choice: Choice): string {
  const hex = Buffer.from(choice.bytes(16)).toString('hex');
  return `019b76da-a8${hex.slice(0, 2)}-7${hex.slice(2, 5)}-8${hex.slice(5, 8)}-${hex.slice(8, 20)}`;
}
