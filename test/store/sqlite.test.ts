// The embedded store: the contract of the port, behavior specific to SQLite, and durability after a kill.

import assert from 'node:assert/strict';
import { statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { openDataDirectory } from '../../src/store/data_directory/data_directory.ts';
import { openDatabase, openSqliteStore } from '../../src/store/sqlite/sqlite.ts';
import { nextMigration } from '../../src/store/tables/migrations.ts';
import { queries } from '../../src/store/tables/queries.ts';
import { UnusableDataError } from '../../src/store/unusable_data_error.ts';
import { storeContract } from '../store/contract.ts';
import { startChild } from './child_process.ts';
import { storeMatchesModel } from './model.ts';
import { activityOf, changeOf, home, organizationOf, pageOf, recordOf } from './samples.ts';
import { temporaryDirectory, withTemporaryDirectory } from './temporary_directory.ts';

const inMemory = async () => openSqliteStore({ file: ':memory:' });

storeContract('sqlite in memory', inMemory);
storeContract('sqlite in a file', async () => {
  const directory = temporaryDirectory();
  const store = openSqliteStore({ file: join(directory.path, 'keywright.db') });
  return {
    port: store.port,
    outbox: store.outbox,
    audit: store.audit,
    archive: store.archive,
    log: store.log,
    news: store.news,
    vitals: store.vitals,
    close: async () => {
      await store.close();
      directory.remove();
    },
  };
});
storeMatchesModel('sqlite', inMemory);

describe('sqlite: durability', () => {
  const bodies = { small: 100, large: 64 * 1024 };
  for (const [size, bytes] of Object.entries(bodies)) {
    test(`additions with ${size} bodies keep the log below the length of a checkpoint`, async () => {
      await withTemporaryDirectory(async (path) => {
        const file = join(path, 'keywright.db');
        const store = openSqliteStore({ file });
        await store.port.commit(changeOf({ organizations: [organizationOf()] }));
        const conditions = [{ organizationId: home, version: 1, orLater: true }];
        for (let n = 0; n < 1_200; n += 40) {
          const additions = Array.from({ length: 40 }, (_, i) =>
            activityOf(n + i, { body: new Uint8Array(bytes) }),
          );
          const commits = additions.map((activity) =>
            store.port.commit(changeOf({ conditions, activities: [activity] })),
          );
          assert.deepEqual(new Set(await Promise.all(commits)), new Set(['committed']));
          await nextTurn();
          assert.ok(statSync(`${file}-wal`).size < 1_600 * 8_192);
        }
        await store.close();
      });
    });
  }

  test('committed rows are there after closing and opening', async () => {
    await withTemporaryDirectory(async (path) => {
      const file = join(path, 'keywright.db');
      const first = openSqliteStore({ file });
      await first.port.commit(changeOf({ organizations: [organizationOf()] }));
      const last = first.port.commit(changeOf({ records: [recordOf(1)] }));
      await first.close();
      assert.equal(await last, 'committed');

      const second = openSqliteStore({ file });
      const answer = await second.port.organization({
        organizationId: home,
        kinds: ['user'],
        knownVersion: 0,
        fingerprint: undefined,
      });
      await second.close();
      assert.deepEqual(answer.organization, organizationOf());
      assert.deepEqual(answer.records, [recordOf(1)]);
    });
  });

  test('acknowledged changes are there after a kill, each complete', async () => {
    await withTemporaryDirectory(async (path) => {
      const acknowledged = new Set<string>();
      for (const round of [1, 2, 3]) {
        const child = startChild('committing_child.ts', [path, String(round)]);
        await child.until((message) => {
          acknowledged.add(message);
          return acknowledged.size >= round * 200;
        });
        for (const message of await child.kill()) acknowledged.add(message);

        const directory = openDataDirectory(path);
        const store = openSqliteStore({ file: join(path, 'keywright.db') });
        const page = pageOf({ limit: 10_000 });
        const activities = await store.port.activityPage({
          organizationId: home,
          statuses: [],
          types: [],
          page,
        });
        const records = await store.port.recordPage({
          organizationId: home,
          kind: 'user',
          groupId: undefined,
          page,
        });
        await store.close();
        directory.close();
        const found = new Set(activities.map(({ id }) => id));
        assert.deepEqual(
          [...acknowledged].filter((id) => !found.has(id)),
          [],
        );
        assert.deepEqual(new Set(records.map(({ id }) => id)), found);
      }
    });
  });

  test('the connection uses a write-ahead log and flushes at each commit', () => {
    withFile((file) => {
      const database = openDatabase({ file });
      const settings = ['journal_mode', 'synchronous', 'page_size'].map(
        (name) => database.prepare(`PRAGMA ${name}`).get()?.[name],
      );
      database.close();
      assert.deepEqual(settings, ['wal', 2, 8192]);
    });
  });

  test('its files are private to the owner, under any umask', () => {
    for (const mask of [0, 0o777]) {
      const previous = process.umask(mask);
      try {
        withFile((file) => {
          const database = openDatabase({ file });
          const modes = ['', '-wal', '-shm'].map((suffix) => statSync(file + suffix).mode & 0o777);
          database.close();
          assert.deepEqual(modes, [0o600, 0o600, 0o600]);
        });
      } finally {
        process.umask(previous);
      }
    }
  });
});

describe('sqlite: opening', () => {
  test('a database of a newer release is refused, and stays unchanged', () => {
    withFile((file) => {
      const database = openDatabase({ file });
      database.exec("INSERT INTO schema_version VALUES (999, 'from the future')");
      database.close();
      assert.throws(() => openSqliteStore({ file }), refusal(/schema version 999.*newer release/));
      assert.throws(() => nextMigration(999), UnusableDataError);
    });
  });

  test('tables of an older incompatible version are refused with the version and the next step', () => {
    withFile((file) => {
      const database = openDatabase({ file });
      database.exec('ALTER TABLE organizations DROP COLUMN guard');
      database.close();
      const sentence = /before release 0\.1\.0 .*no column guard.*begin anew with another folder/;
      assert.throws(() => openSqliteStore({ file }), refusal(sentence));
    });
  });

  test('migrations run once each, in order', () => {
    withFile((file) => {
      const step = (version: number, statement: string) => ({
        version,
        name: `step ${version}`,
        statements: () => [statement],
      });
      const first = step(1, 'CREATE TABLE first (id INTEGER)');
      const second = step(2, 'INSERT INTO first VALUES (2)');
      const third = step(3, 'INSERT INTO first VALUES (3)');
      openDatabase({ file, migrations: [first] }).close();
      openDatabase({ file, migrations: [first, second, third] }).close();
      const database = openDatabase({ file, migrations: [first, second, third] });
      const rows = database.prepare('SELECT id FROM first').all();
      const versions = database.prepare('SELECT version, name FROM schema_version').all();
      database.close();
      assert.deepEqual(
        rows.map(({ id }) => id),
        [2, 3],
      );
      assert.deepEqual(
        versions.map(({ version, name }) => [version, name]),
        [1, 2, 3].map((version) => [version, `step ${version}`]),
      );
    });
  });

  test('a failed migration leaves nothing behind', () => {
    withFile((file) => {
      const first = {
        version: 1,
        name: 'good',
        statements: () => ['CREATE TABLE good (id INTEGER)'],
      };
      const bad = {
        version: 2,
        name: 'bad',
        statements: () => ['CREATE TABLE half (id INTEGER)', 'CREATE TABLE good (id INTEGER)'],
      };
      assert.throws(() => openDatabase({ file, migrations: [first, bad] }), UnusableDataError);
      const database = openDatabase({ file, migrations: [first] });
      const tables = database
        .prepare("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name")
        .all();
      database.close();
      assert.deepEqual(
        tables.map(({ name }) => name),
        ['good', 'schema_version'],
      );
    });
  });

  test('a file that is not a database is refused', () => {
    withFile((file) => {
      writeFileSync(file, 'this is not a database, it only looks like a file with some text in it');
      assert.throws(() => openSqliteStore({ file }), refusal(/not a database/));
    });
  });

  test('a directory in the place of the file is refused', () => {
    withFile((file) => {
      openDataDirectory(file).close();
      assert.throws(() => openSqliteStore({ file }), refusal(/cannot be used/));
    });
  });

  test('a file in a missing directory is refused', () => {
    withFile((file) => {
      assert.throws(() => openSqliteStore({ file: join(file, 'x') }), refusal(/ENOENT/));
    });
  });

  test('a database that another connection writes to is refused', () => {
    withFile((file) => {
      openDatabase({ file }).close();
      const other = new DatabaseSync(file);
      other.exec('BEGIN IMMEDIATE');
      assert.throws(() => openSqliteStore({ file }), refusal(/in use by another process/));
      other.close();
      openDatabase({ file }).close();
    });
  });
});

describe('sqlite: queries', () => {
  const reads = Object.entries(queries).filter(([, sql]) => /^(SELECT|UPDATE|DELETE)/.test(sql));
  for (const [name, sql] of reads) {
    test(`${name} reads one range of a key or index`, () => {
      const database = openDatabase({ file: ':memory:' });
      const plan = database.prepare(`EXPLAIN QUERY PLAN ${sql}`).all();
      database.close();
      assert.deepEqual(
        plan.map(({ detail }) => /^SEARCH \w+ (USING|EXISTS)/.test(String(detail))),
        [true],
        plan.map(({ detail }) => detail).join('; '),
      );
    });
  }
});

test('a busy database refuses a commit and recovers', async () => {
  await withTemporaryDirectory(async (path) => {
    const file = join(path, 'keywright.db');
    const store = openSqliteStore({ file });
    const other = new DatabaseSync(file);
    other.exec('BEGIN IMMEDIATE');
    const change = changeOf({ activities: [activityOf(1)] });
    await assert.rejects(store.port.commit(change), { code: 'store_unavailable' });
    other.exec('ROLLBACK');
    other.close();
    assert.deepEqual(store.healthy(), { ok: true });
    assert.equal(await store.port.commit(change), 'committed');
    await store.close();
  });
});

function refusal(sentence: RegExp): (error: unknown) => boolean {
  return (error) => error instanceof UnusableDataError && sentence.test(error.message);
}

/** Runs with the path of a file that does not exist yet. */
function withFile(run: (file: string) => void): void {
  const directory = temporaryDirectory();
  try {
    run(join(directory.path, 'keywright.db'));
  } finally {
    directory.remove();
  }
}
