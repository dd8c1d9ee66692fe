// The pages of sealed rows that a rotation reads, on each database.

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { epochOf } from '../../src/core/custody/sealed_form.ts';
import type { StoreChange, StorePort } from '../../src/store/port.ts';
import { auditStreamId } from '../../src/store/port.ts';
import { openPostgresStore } from '../../src/store/postgres/postgres.ts';
import { postgresRewriter } from '../../src/store/postgres/rewriter.ts';
import { sqliteRewriter } from '../../src/store/sqlite/rewriter.ts';
import { openSqliteStore } from '../../src/store/sqlite/sqlite.ts';
import type { Rewriter } from '../../src/store/tables/rewriter.ts';
import { sealedTables } from '../../src/store/tables/sealed_columns.ts';
import { type SealedRow, sealedPagesOf } from '../../src/store/tables/sealed_pages.ts';
import { clock, newDatabase, postgresForTests } from './postgres_server.ts';
import { changeOf, eventOf, idAt, organizationOf, recordOf } from './samples.ts';
import { temporaryDirectory } from './temporary_directory.ts';

const server = await postgresForTests();
if (server !== undefined) after(() => server.remove());
const directory = temporaryDirectory();
after(() => directory.remove());

const epoch = 2;
const bodyBytes = 100;

/** Returns a body with a form and an epoch. */
function bodyOf(form: number, ofEpoch: number, length = bodyBytes): Uint8Array {
  const body = Buffer.alloc(length, 7);
  body[0] = form;
  body.writeUInt32BE(ofEpoch, 1);
  return Uint8Array.from(body);
}

/** Bodies of the epoch, of a later one and of each earlier form. */
const bodies = {
  current: [bodyOf(2, epoch), bodyOf(3, epoch), bodyOf(3, epoch + 1), bodyOf(2, epoch, 40)],
  earlier: [
    bodyOf(1, 0),
    bodyOf(2, epoch - 1),
    bodyOf(3, epoch - 1),
    // Bodies of the previous form begin with random bytes.
    bodyOf(2, 0x10000),
    bodyOf(3, 0xffffffff),
    bodyOf(0, epoch),
    bodyOf(3, epoch, 40),
  ],
};

const changes: readonly StoreChange[] = [
  changeOf({
    organizations: [
      organizationOf({ organizationId: 'used_token', head: new Uint8Array(0) }),
      organizationOf({ head: bodyOf(1, 0) }),
    ],
    events: [
      eventOf(1, { endpointId: auditStreamId, body: bodyOf(1, 0) }),
      eventOf(2, { endpointId: idAt(7), body: bodyOf(1, 0) }),
    ],
  }),
  // More rows than fit on one page. Two rows of 5 MiB follow.
  changeOf({
    records: Array.from({ length: 1_200 }, (_, n) => {
      const all = [...bodies.current, ...bodies.earlier];
      return recordOf(n, { body: all[n % all.length] ?? bodyOf(1, 0) });
    }),
  }),
  changeOf({
    records: [1_300, 1_301].map((n) => recordOf(n, { body: bodyOf(1, 0, 5 * 1024 * 1024) })),
  }),
];

async function fill(store: StorePort): Promise<void> {
  for (const change of changes) assert.equal(await store.commit(change), 'committed');
}

const databases: Readonly<Record<string, () => Promise<Rewriter>>> = {
  SQLite: async () => {
    const file = join(directory.path, 'keywright.sqlite');
    const store = openSqliteStore({ file });
    await fill(store.port);
    await store.close();
    return sqliteRewriter(file);
  },
  PostgreSQL: async () => {
    const url = await newDatabase(server?.url ?? '');
    const store = await openPostgresStore({ clock, url, log: () => {} });
    await fill(store.port);
    await store.close();
    return postgresRewriter(url);
  },
};

for (const [name, open] of Object.entries(databases)) {
  test(`sealed rows are read in bounded pages: ${name}`, {
    skip: name === 'PostgreSQL' && server === undefined && 'no PostgreSQL',
  }, async () => {
    const database = await open();
    /** Reads a table. Returns its rows, and requires that the pages have all of its rows. */
    const rowsOf = async (tableName: string, before?: number): Promise<readonly SealedRow[]> => {
      const table = sealedTables.find((each) => each.table.name === tableName);
      assert.ok(table !== undefined);
      const rows: SealedRow[] = [];
      let seen = 0;
      for await (const page of sealedPagesOf(database.sealedPage, table, before)) {
        const bytes = page.rows.reduce((sum, { body }) => sum + body.length, 0);
        assert.ok(page.rows.length <= 512 && bytes <= 8 * 1024 * 1024);
        rows.push(...page.rows);
        seen += page.seen;
      }
      assert.equal(seen, await database.count(table.table));
      return rows;
    };

    const all = await rowsOf('records');
    assert.equal(new Set(all.map(({ id }) => id)).size, 1_202);
    const earlier = await rowsOf('records', epoch);
    const ids = (rows: readonly SealedRow[]) => new Set(rows.map(({ id }) => id));
    assert.deepEqual(
      ids(earlier.filter(({ body }) => epochOf(body) < epoch)),
      ids(all.filter(({ body }) => epochOf(body) < epoch)),
    );
    // Only short bodies of the epoch are read although they need no work.
    assert.ok(earlier.every(({ body }) => epochOf(body) < epoch || body.length === 40));
    assert.deepEqual(ids(await rowsOf('records', epoch + 0x10)), ids(all));

    assert.deepEqual(
      (await rowsOf('organizations')).map(({ organizationId, kind, id, version }) => [
        organizationId,
        kind,
        id,
        version,
      ]),
      [[organizationOf().organizationId, '', organizationOf().organizationId, 1]],
    );
    const [event, ...others] = await rowsOf('webhook_events');
    assert.deepEqual([event?.kind, event?.version, others.length], [idAt(7), 0, 0]);

    // A row that has changed since its read keeps its body.
    const [first, second] = all;
    const records = sealedTables.find(({ table }) => table.name === 'records');
    assert.ok(first !== undefined && second !== undefined && records !== undefined);
    const replaced = await database.replace(records, [
      { row: first, body: bodyOf(3, epoch, 200) },
      { row: { ...second, body: bodyOf(1, 99) }, body: bodyOf(3, epoch, 200) },
    ]);
    assert.equal(replaced, 1);
    const again = await rowsOf('records');
    assert.deepEqual(again[0]?.body.length, 200);
    assert.deepEqual(again[1]?.body, second.body);
    await database.close();
  });
}
