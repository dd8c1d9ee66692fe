// The shared store: the contract of the port, and behavior specific to PostgreSQL.

import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import pg from 'pg';
import { utf8 } from '../../src/core/base/bytes.ts';
import { openPostgresStore } from '../../src/store/postgres/postgres.ts';
import { rowsStatements, statementOfStep } from '../../src/store/postgres/queries.ts';
import { queries } from '../../src/store/tables/queries.ts';
import { UnusableDataError } from '../../src/store/unusable_data_error.ts';
import { storeContract } from '../store/contract.ts';
import { allActivities, allRecords, commit, committed, requestOf } from './asking.ts';
import { storeMatchesModel } from './model.ts';
import { clock, newDatabase, newSchema, postgresForTests, runOn } from './postgres_server.ts';
import { activityOf, countTo, home, idAt, organizationOf, recordOf } from './samples.ts';

const server = await postgresForTests();
if (server !== undefined) {
  after(() => server.remove());
  const database = await newDatabase(server.url);
  const openAt = (url: string) => openPostgresStore({ clock, url, log: () => {} });
  const open = async () => openAt(await newSchema(database));

  storeContract('postgres', open);
  storeMatchesModel('postgres', open);

  describe('postgres: batches', () => {
    test('concurrent commits share transactions of at most 128', async () => {
      const url = await newSchema(database);
      const store = await openAt(url);
      await Promise.all(
        countTo(1_000).map((n) => commit(store.port, { activities: [activityOf(n)] })),
      );
      await store.close();
      const [row] = await runOn(url, 'SELECT count(DISTINCT xmin::text)::int AS n FROM activities');
      assert.equal(row?.['n'], Math.ceil(1_000 / 128));
    });

    test('a change with more rows and bytes than one statement is still one change', async () => {
      const store = await open();
      const body = new Uint8Array(1_048_576).fill(7);
      const large = countTo(20).map((n) => recordOf(n, { kind: 'large', body }));
      const many = countTo(12_000).map((n) => recordOf(n, { kind: 'many' }));
      await committed(store.port, {
        organizations: [organizationOf()],
        records: [...large, ...many],
      });
      const { records } = await store.port.organization(requestOf({ kinds: ['large', 'many'] }));
      assert.equal(records.length, 12_020);
      assert.ok(
        records.every(({ kind, body: found }) => kind === 'many' || found.length === 1_048_576),
      );
      await store.close();
    });

    test('a change that the database refuses fails alone', async () => {
      const store = await open();
      const changes = countTo(10).map((n) =>
        commit(store.port, {
          activities: [activityOf(n)],
          // PostgreSQL texts cannot contain this character.
          records: [recordOf(n, n === 4 ? { kind: 'a\0b' } : {})],
        }),
      );
      const outcomes = await Promise.allSettled(changes);
      assert.deepEqual(
        outcomes.map(({ status }) => status),
        countTo(10).map((n) => (n === 4 ? 'rejected' : 'fulfilled')),
      );
      assert.deepEqual(store.healthy(), { ok: true });
      assert.equal((await allActivities(store.port)).length, 9);
      assert.equal((await allRecords(store.port)).length, 9);
      await store.close();
    });

    test('a condition on an absent organization leaves no trace', async () => {
      const url = await newSchema(database);
      const store = await openAt(url);
      await committed(store.port, {
        conditions: [{ organizationId: idAt(1), version: 0, orLater: false }],
        records: [recordOf(1)],
      });
      assert.deepEqual(await runOn(url, 'SELECT id FROM organizations'), []);
      await store.close();
    });

    test('tables of an older incompatible version are refused with the version and the next step', async () => {
      const url = await newSchema(database);
      const store = await openAt(url);
      await store.close();
      await runOn(url, 'ALTER TABLE organizations DROP COLUMN guard');
      await assert.rejects(openAt(url), (error) => {
        assert.ok(error instanceof UnusableDataError);
        assert.match(error.message, /before release 0\.1\.0 .*no column guard.*another folder/);
        return true;
      });
      await runOn(url, 'ALTER TABLE organizations ADD COLUMN guard BIGINT');
      await (await openAt(url)).close();
    });

    test('concurrent calls use a bounded number of connections', async () => {
      const own = await newDatabase(server.url);
      const store = await openAt(own);
      await committed(store.port, { activities: [activityOf(1)] });
      const request = { organizationId: home, id: idAt(1) };
      const drops = countTo(50).map(() =>
        store.outbox.drop({ endpointId: idAt(1), state: 'dropped' }),
      );
      const writes = countTo(50).map((i) =>
        committed(store.port, { activities: [activityOf(10 + i)] }),
      );
      const found = await Promise.all(countTo(500).map(() => store.port.activity(request)));
      assert.ok(found.every((activity) => activity?.id === idAt(1)));
      await Promise.all([...drops, ...writes]);
      const [row] = await runOn(
        server.url,
        `SELECT count(*)::int AS n FROM pg_stat_activity
         WHERE application_name = 'keywright' AND datname = '${new URL(own).pathname.slice(1)}'`,
      );
      // The commands of docs/deployment.md.
      assert.equal(Number(row?.['n']), 11);
      await store.close();
    });
  });

  describe('postgres: a row locked by another session', () => {
    test('refuses the commit after a long wait, and recovers', async () => {
      const url = await newSchema(database);
      const patience = new URL(url);
      patience.searchParams.set('lock_timeout', '100');
      const store = await openAt(patience.href);
      await committed(store.port, { organizations: [organizationOf()] });
      const other = new pg.Client({ connectionString: url });
      await other.connect();
      await other.query('BEGIN');
      await other.query('SELECT * FROM organizations FOR UPDATE');
      const parts = {
        conditions: [{ organizationId: home, version: 1, orLater: false }],
        records: [recordOf(1)],
      };
      await assert.rejects(commit(store.port, parts), { code: 'store_unavailable' });
      assert.deepEqual(store.healthy(), { ok: true });
      await other.query('ROLLBACK');
      await other.end();
      await committed(store.port, parts);
      await store.close();
    });
  });

  describe('postgres: queries', () => {
    const id = recordOf(1);
    const statements = [
      ...Object.entries(queries)
        .filter(([name, sql]) => /^SELECT/.test(sql) && name !== 'schemaVersion')
        .map(([name]) => statementOfStep({ query: name as keyof typeof queries, values: [] })),
      ...(
        [
          ...(['record', 'recordsOfKind', 'activity', 'lookupsOfBlind'] as const),
          ...(['organizationVersion', 'newestActivities', 'stream', 'firstWaiting'] as const),
        ] as const
      ).map((query) => statementOfStep({ query, values: [], each: [] })),
      ...[rowsStatements.claimAbsent, rowsStatements.lockOrganizations].map((of) => of([id])),
      ...[rowsStatements.releaseAbsent, rowsStatements.shareOrganizations].map((of) => of([id])),
      ...[rowsStatements.deleteRecords, rowsStatements.putRecords].map((of) => of([id])),
      ...[rowsStatements.lockActivities, rowsStatements.findFingerprints].map((of) =>
        of([activityOf(1)]),
      ),
      rowsStatements.updateActivities([activityOf(1)]),
      rowsStatements.updateOrganizations([organizationOf()]),
    ];
    test('no query reads a whole table, even with a plan that was made for empty tables', async () => {
      const url = await newSchema(database);
      await (await openAt(url)).close();
      const client = new pg.Client({ connectionString: url });
      await client.connect();
      for (const setting of ['seqscan', 'hashjoin', 'mergejoin']) {
        await client.query(`SET enable_${setting} = off`);
      }
      await client.query('SET plan_cache_mode = force_generic_plan');
      for (const { name, text } of statements) {
        await client.query(`PREPARE "${name}" AS ${text}`);
        const count = new Set(text.match(/\$\d+/g)).size;
        const nulls = Array.from({ length: count }, () => 'NULL').join(', ');
        const { rows } = await client.query(
          `EXPLAIN EXECUTE "${name}"${count === 0 ? '' : ` (${nulls})`}`,
        );
        const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
        assert.doesNotMatch(plan, /Seq Scan|Hash Join|Merge Join/, `${name}:\n${plan}`);
        // An index scan without a condition would read the whole index.
        const scans = plan.match(/(Index|Bitmap Index)( Only)? Scan/g) ?? [];
        const conditions = plan.match(/Index Cond/g) ?? [];
        assert.equal(conditions.length, scans.length, `${name}:\n${plan}`);
      }
      await client.end();
    });
  });

  describe('postgres: opening', () => {
    const refusals: Readonly<Record<string, { at: (url: URL) => void; sentence: RegExp }>> = {
      'another password': {
        at: (url) => {
          url.password = 'not-the-password';
        },
        sentence: /refuses the user or the password \(28P01\)$/,
      },
      'a database that is not there': {
        at: (url) => {
          url.pathname = '/nowhere';
        },
        sentence: /no database of that name \(3D000\)$/,
      },
      'a port where nothing listens': {
        at: (url) => {
          url.port = '1';
        },
        sentence: /nothing listens at its address \(ECONNREFUSED\)$/,
      },
      'commits that are not flushed': {
        at: (url) => url.searchParams.set('options', '-c synchronous_commit=off'),
        sentence: /^the database refuses to be durable/,
      },
      'a database that can only be read': {
        at: (url) => url.searchParams.set('options', '-c default_transaction_read_only=on'),
        sentence: /can only be read/,
      },
    };
    for (const [what, { at, sentence }] of Object.entries(refusals)) {
      test(`refuses ${what}, in a sentence without the address`, async () => {
        const url = new URL(database);
        at(url);
        await assert.rejects(openAt(url.href), (error) => {
          assert(error instanceof Error && error.name === 'UnusableDataError', String(error));
          assert.match(error.message, sentence);
          assert.ok(!error.message.includes(url.password));
          assert.ok(!error.message.includes(url.host));
          return true;
        });
      });
    }

    test('refuses a database of another encoding', async () => {
      await runOn(
        server.url,
        `CREATE DATABASE in_latin1 TEMPLATE template0 ENCODING 'LATIN1'
         LOCALE_PROVIDER libc LC_COLLATE 'C' LC_CTYPE 'C'`,
      );
      const url = new URL(server.url);
      url.pathname = '/in_latin1';
      await assert.rejects(openAt(url.href), /encoding UTF8/);
    });

    test('reports a server that does not flush', async () => {
      const lines: string[] = [];
      await runOn(server.url, 'ALTER SYSTEM SET fsync = off');
      await runOn(server.url, 'SELECT pg_reload_conf()');
      try {
        await untilShown('fsync', 'off');
        const url = await newSchema(database);
        const store = await openPostgresStore({
          clock,
          url,
          log: (level, message) => lines.push(`${level}: ${message}`),
        });
        await store.close();
      } finally {
        await runOn(server.url, 'ALTER SYSTEM RESET fsync');
        await runOn(server.url, 'SELECT pg_reload_conf()');
      }
      assert.equal(lines.length, 1);
      assert.match(lines[0] ?? '', /^warn: .*fsync off/);
    });

    test('a database of a newer release is refused', async () => {
      const url = await newSchema(database);
      await (await openAt(url)).close();
      await runOn(url, "INSERT INTO schema_version VALUES (999, 'from the future')");
      await assert.rejects(openAt(url), /schema version 999.*newer release/);
    });

    test('several nodes open a new database concurrently, and each step runs once', async () => {
      for (const round of [1, 2, 3]) {
        const url = await newSchema(database);
        const step = (version: number, statement: string) => ({
          version,
          name: `step ${version}`,
          statements: () => [statement],
        });
        const migrations = [
          step(1, 'CREATE TABLE steps (id BIGINT)'),
          ...[2, 3, 4].map((version) => step(version, `INSERT INTO steps VALUES (${version})`)),
        ];
        const stores = await Promise.all(
          countTo(4).map(() => openPostgresStore({ clock, url, log: () => {}, migrations })),
        );
        await Promise.all(stores.map((store) => store.close()));
        const rows = await runOn(url, 'SELECT id::int AS id FROM steps ORDER BY id');
        assert.deepEqual(
          rows.map((row) => row['id']),
          [2, 3, 4],
          `round ${round}`,
        );
      }
    });

    test('a failed migration leaves nothing behind', async () => {
      const url = await newSchema(database);
      const bad = {
        version: 1,
        name: 'bad',
        statements: () => ['CREATE TABLE half (id BIGINT)', 'SELECT 1 / 0'],
      };
      await assert.rejects(
        openPostgresStore({ clock, url, log: () => {}, migrations: [bad] }),
        /22012/,
      );
      assert.deepEqual(await runOn(url, 'SELECT version FROM schema_version'), []);
      await assert.rejects(runOn(url, 'SELECT * FROM half'), /does not exist/);
    });
  });

  test('postgres: refuses calls once it closes, and finishes waiting commits', async () => {
    const url = await newSchema(database);
    const store = await openAt(url);
    const accepted = countTo(300).map((n) => commit(store.port, { records: [recordOf(n)] }));
    const closed = store.close();
    await assert.rejects(commit(store.port, { deployment: utf8('x') }), { code: 'draining' });
    await assert.rejects(store.port.deployment(), { code: 'draining' });
    assert.deepEqual(new Set(await Promise.all(accepted)), new Set(['committed']));
    await closed;
    await store.close();
    const [row] = await runOn(url, 'SELECT count(*)::int AS n FROM records');
    assert.equal(row?.['n'], 300);
  });

  const untilShown = async (name: string, value: string): Promise<void> => {
    for (;;) {
      const [row] = await runOn(server.url, `SHOW ${name}`);
      if (row?.[name] === value) return;
    }
  };
}
