// Attacks that restore earlier rows.

import type { Attack } from './attack.ts';
import type { Choice } from './choice.ts';
import {
  cell,
  cellText,
  distinctRows,
  keyOf,
  organizationOf,
  rowsByKey,
  sameRow,
  type TableName,
  type TableRow,
  type Tables,
  tableNames,
  tablesOf,
} from './tables.ts';

export const replays: Readonly<Record<string, Attack>> = {
  'put back an older version of a row': (tables, choice, history) => {
    const older = olderVersion(tableNames, tables, choice, history);
    return older === undefined ? undefined : put(tables, [older]);
  },
  'put back older versions of some rows': (tables, choice, history) =>
    put(tables, choice.some(olderRows(tables, choice.of(history)))),
  'put back an older head': (tables, choice, history) => {
    const older = olderVersion(['organizations'], tables, choice, history);
    return older === undefined ? undefined : put(tables, [older]);
  },
  'put back an older row under the present version': (tables, choice, history) => {
    const older = olderVersion(['organizations', 'records'], tables, choice, history);
    if (older === undefined) return undefined;
    const { name, row } = older;
    const now = tables[name].find((known) => keyOf(name, known) === keyOf(name, row));
    if (now === undefined) return undefined;
    return put(tables, [{ name, row: { ...row, version: cell(now, 'version') } }]);
  },
  'put back some rows of an older small state': (tables, choice, history) => {
    const rows = olderRows(tables, choice.of(history));
    const organization = organizationAmong(rows, choice);
    const ofOne = rows.filter((row) => organizationOf(row.name, row.row) === organization);
    return put(tables, choice.some(ofOne));
  },
  'put back an older organization with all its rows': (tables, choice, history) => {
    const then = choice.of(history);
    const organization = organizationAmong(olderRows(tables, then), choice);
    if (organization === undefined) return undefined;
    return tablesOf((name) => [
      ...tables[name].filter((row) => organizationOf(name, row) !== organization),
      ...then[name].filter((row) => organizationOf(name, row) === organization),
    ]);
  },

  'restore a deleted row': (tables, choice, history) => {
    const deleted = deletedRows(tables, history);
    return deleted.length === 0 ? undefined : put(tables, [choice.of(deleted)]);
  },
  'restore a deleted row of a kind, with what leads to it': (tables, choice, history) => {
    const deleted = deletedRows(tables, history);
    const records = deleted.filter(({ name }) => name === 'records');
    if (records.length === 0) return undefined;
    const kind = choice.of([...new Set(records.map(({ row }) => cellText(cell(row, 'kind'))))]);
    const { row } = choice.of(records.filter((r) => cellText(cell(r.row, 'kind')) === kind));
    const id = cellText(cell(row, 'id'));
    const leading = deleted.filter((r) => cellText(cell(r.row, 'record_id')) === id);
    return put(tables, [{ name: 'records', row }, ...leading]);
  },
  'restore a deleted wallet with all its accounts': (tables, choice, history) => {
    const deleted = deletedRows(tables, history);
    const wallets = deleted.filter(({ row }) => cell(row, 'kind') === 'wallet');
    if (wallets.length === 0) return undefined;
    const wallet = choice.of(wallets);
    const id = cellText(cell(wallet.row, 'id'));
    const accounts = deleted.filter(({ row }) => cellText(cell(row, 'group_id')) === id);
    const ids = new Set(accounts.map(({ row }) => cellText(cell(row, 'id'))));
    const leading = deleted.filter(({ row }) => ids.has(cellText(cell(row, 'record_id'))));
    return put(tables, [wallet, ...accounts, ...leading]);
  },
  'restore all deleted rows of large kinds': (tables, _, history) =>
    put(
      tables,
      deletedRows(tables, history).filter(
        ({ name, row }) => name === 'lookups' || cell(row, 'kind') === 'wallet_account',
      ),
    ),
  'restore all deleted rows': (tables, _, history) => put(tables, deletedRows(tables, history)),
  'restore deleted look-ups': (tables, choice, history) =>
    put(tables, choice.some(deletedRows(tables, history).filter(({ name }) => name === 'lookups'))),
};

type NamedRow = { readonly name: TableName; readonly row: TableRow };

/** Returns earlier rows that have changed or been deleted since. */
function olderRows(tables: Tables, then: Tables): readonly NamedRow[] {
  return tableNames.flatMap((name) => {
    const now = rowsByKey(tables, name);
    return then[name].flatMap((row) => {
      const present = now.get(keyOf(name, row));
      return present !== undefined && sameRow(present, row) ? [] : [{ name, row }];
    });
  });
}

/** Returns an earlier version of an existing row; in half of the cases, its previous version. */
function olderVersion(
  names: readonly TableName[],
  tables: Tables,
  choice: Choice,
  history: readonly Tables[],
): NamedRow | undefined {
  const name = choice.of(names);
  const candidates = tables[name].flatMap((row) => {
    const key = keyOf(name, row);
    const versions = history.flatMap((then) => {
      const known = rowsByKey(then, name).get(key);
      return known === undefined || sameRow(known, row) ? [] : [known];
    });
    return versions.length === 0 ? [] : [versions];
  });
  if (candidates.length === 0) return undefined;
  const versions = choice.of(candidates);
  return { name, row: choice.of([choice.of(versions), choice.of(versions.slice(-1))]) };
}

/** Returns deleted rows, each in its last version. */
function deletedRows(tables: Tables, history: readonly Tables[]): readonly NamedRow[] {
  return tableNames.flatMap((name) => {
    const now = new Set(tables[name].map((row) => keyOf(name, row)));
    const last = new Map<string, TableRow>();
    for (const then of history) for (const row of then[name]) last.set(keyOf(name, row), row);
    return [...last].filter(([key]) => !now.has(key)).map(([, row]) => ({ name, row }));
  });
}

function put(tables: Tables, rows: readonly NamedRow[]): Tables | undefined {
  if (rows.length === 0) return undefined;
  return tablesOf((name) =>
    distinctRows(name, [
      ...tables[name],
      ...rows.filter((row) => row.name === name).map(({ row }) => row),
    ]),
  );
}

function organizationAmong(rows: readonly NamedRow[], choice: Choice): string | undefined {
  const ids = new Set(rows.map(({ name, row }) => organizationOf(name, row)));
  const known = [...ids].filter((id) => id !== undefined);
  return known.length === 0 ? undefined : choice.of(known);
}
