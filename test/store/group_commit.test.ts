// Batches, bounds and failures of the database, on a connection that the test observes and breaks.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import {
  maximumBatchChanges,
  maximumWaitingChanges,
} from '../../src/store/commits/commit_queue.ts';
import type { SqliteDatabase, SqliteStatement } from '../../src/store/sqlite/database.ts';
import { openDatabase } from '../../src/store/sqlite/sqlite.ts';
import { createSqliteStore } from '../../src/store/sqlite/store.ts';
import type { Store } from '../../src/store/store.ts';
import { queries } from '../../src/store/tables/queries.ts';
import { activityOf, changeOf, countTo, home, idAt, organizationOf } from './samples.ts';

const unavailable = { name: 'ServiceError', code: 'store_unavailable' };

describe('batches', () => {
  test('concurrent commits share a transaction, up to a bound', async () => {
    const { store, log } = watchedStore();
    await commitMany(store, 1_000);
    const expected = Math.ceil(1_000 / maximumBatchChanges);
    assert.equal(log.filter((sql) => sql === 'BEGIN IMMEDIATE').length, expected);
    assert.equal(log.filter((sql) => sql === 'COMMIT').length, expected);
    assert.equal(log.filter((sql) => sql === queries.insertActivity).length, 1_000);
    await store.close();
  });

  test('an answer follows the transaction of its batch', async () => {
    const { store, log } = watchedStore();
    await Promise.all(
      countTo(5).map(async (n) => {
        await store.port.commit(changeOf({ activities: [activityOf(n)] }));
        log.push('answered');
      }),
    );
    assert.deepEqual(log.slice(-6), ['COMMIT', ...countTo(5).map(() => 'answered')]);
    await store.close();
  });

  test('the length of the log is read after the answers were sent', async () => {
    const { store, log, breakAt } = watchedStore();
    const length = 'PRAGMA wal_checkpoint(NOOP)';
    await store.port.commit(changeOf({ organizations: [organizationOf()] }));
    assert.equal(log.at(-1), 'COMMIT');
    await nextTurn();
    assert.equal(log.at(-1), length);

    breakAt(length, Object.assign(new Error('disk I/O error'), { errcode: 10 }));
    assert.equal(await store.port.commit(changeOf({})), 'committed');
    await nextTurn();
    await assert.rejects(store.port.commit(changeOf({})), unavailable);
    assert.deepEqual(store.healthy(), { ok: false, reason: 'disk I/O error' });
    await store.close();
  });

  test('single additions read the length of the log only once they may have filled it', async () => {
    const { store, log } = watchedStore();
    await store.port.commit(changeOf({ organizations: [organizationOf()] }));
    await nextTurn();
    log.length = 0;
    const conditions = [{ organizationId: home, version: 1, orLater: true }];
    for (const n of countTo(200)) {
      await store.port.commit(changeOf({ conditions, activities: [activityOf(n)] }));
      await nextTurn();
    }
    assert.equal(log.filter((sql) => sql === 'COMMIT').length, 200);
    assert.equal(log.filter((sql) => sql === 'PRAGMA wal_checkpoint(NOOP)').length, 3);
    await store.close();
  });

  test('a failed database is not used by the next query', async () => {
    const { store, log, breakAt } = watchedStore();
    breakAt('COMMIT', Object.assign(new Error('disk I/O error'), { errcode: 10 }));
    await assert.rejects(store.port.commit(changeOf({})), unavailable);
    const before = [...log];
    await nextTurn();
    assert.deepEqual(log, before);
    await store.close();
  });

  test('an activity under an unchanged version takes two statements', async () => {
    const { store, log } = watchedStore();
    await store.port.commit(changeOf({ organizations: [organizationOf()] }));
    log.length = 0;
    const conditions = [{ organizationId: home, version: 1, orLater: true }];
    await store.port.commit(changeOf({ conditions, activities: [activityOf(1)] }));
    assert.deepEqual(log.slice(log.indexOf('BEGIN IMMEDIATE')), [
      'BEGIN IMMEDIATE',
      queries.organizationIdentity,
      queries.addActivity,
      'COMMIT',
    ]);
    await store.close();
  });

  test('a read during waiting commits sees only committed rows', async () => {
    const { store } = watchedStore();
    const writing = commitMany(store, 300);
    const find = () => store.port.activity({ organizationId: home, id: idAt(299) });
    assert.equal(await find(), undefined);
    await writing;
    assert.deepEqual(await find(), activityOf(299));
    await store.close();
  });

  test('too many waiting commits are refused, and the others are carried out', async () => {
    const { store } = watchedStore();
    const change = (n: number) => changeOf({ activities: [activityOf(n)] });
    const accepted = countTo(maximumWaitingChanges).map((n) => store.port.commit(change(n)));
    await assert.rejects(store.port.commit(change(-1)), {
      name: 'ServiceError',
      code: 'overloaded',
    });
    assert.deepEqual(new Set(await Promise.all(accepted)), new Set(['committed']));
    assert.equal(await store.port.commit(change(maximumWaitingChanges)), 'committed');
    await store.close();
  });

  test('closing finishes waiting commits and refuses later ones', async () => {
    const { store, log } = watchedStore();
    const accepted = commitMany(store, 300);
    const closed = store.close();
    await assert.rejects(store.port.commit(changeOf({})), { code: 'draining' });
    await assert.rejects(store.port.deployment(), { code: 'draining' });
    const lease = { owner: 'one', endpointIds: [idAt(1)], now: 0, forgetAfterMs: 1 };
    await assert.rejects(store.outbox.release(lease), { code: 'draining' });
    await assert.rejects(store.archive.remove([activityOf(1)]), { code: 'draining' });
    await closed;
    assert.deepEqual(log.slice(-2), ['COMMIT', 'close']);
    assert.deepEqual(new Set(await accepted), new Set(['committed']));
    await store.close();
    assert.equal(log.at(-2), 'COMMIT', 'it is closed once');
  });

  test('an error of one change fails only that one', async () => {
    const { store, breakAt } = watchedStore();
    breakAt(queries.insertActivity, Object.assign(new Error('too big'), { errcode: 18 }), {
      onlyFor: idAt(7),
    });
    const outcomes = await Promise.allSettled(
      countTo(20).map((n) => store.port.commit(changeOf({ activities: [activityOf(n)] }))),
    );
    assert.deepEqual(
      outcomes.map(({ status }) => status),
      countTo(20).map((n) => (n === 7 ? 'rejected' : 'fulfilled')),
    );
    const culprit = outcomes[7];
    assert.equal(culprit?.status === 'rejected' && culprit.reason.message, 'too big');
    assert.deepEqual(store.healthy(), { ok: true });
    await store.close();
  });
});

describe('a database that fails', () => {
  const failures: Readonly<Record<string, { at: string; errcode: number; message: string }>> = {
    'disk full at the end': { at: 'COMMIT', errcode: 13, message: 'database or disk is full' },
    'flush fails at the end': { at: 'COMMIT', errcode: 1034, message: 'disk I/O error' },
    'disk full on the way': {
      at: queries.insertActivity,
      errcode: 13,
      message: 'database or disk is full',
    },
    'write fails on the way': {
      at: queries.insertActivity,
      errcode: 778,
      message: 'disk I/O error',
    },
    'file found damaged': {
      at: queries.activityExists,
      errcode: 11,
      message: 'database disk image is malformed',
    },
    'file made read-only': {
      at: 'BEGIN IMMEDIATE',
      errcode: 8,
      message: 'attempt to write a readonly database',
    },
  };
  for (const [what, { at, errcode, message }] of Object.entries(failures)) {
    test(`${what}: nothing is acknowledged any more`, async () => {
      const { store, breakAt, mend } = watchedStore();
      await store.port.commit(changeOf({ organizations: [organizationOf()] }));
      assert.deepEqual(store.healthy(), { ok: true });

      breakAt(at, Object.assign(new Error(message), { errcode }));
      const outcomes = await Promise.allSettled(
        countTo(200).map((n) => store.port.commit(changeOf({ activities: [activityOf(n)] }))),
      );
      for (const outcome of outcomes) {
        assert.equal(outcome.status === 'rejected' && outcome.reason.code, 'store_unavailable');
      }
      assert.deepEqual(store.healthy(), { ok: false, reason: message });

      mend();
      await assert.rejects(store.port.commit(changeOf({})), unavailable);
      assert.deepEqual(store.healthy(), { ok: false, reason: message });
      const { version } = await store.port.organization({
        organizationId: home,
        kinds: [],
        knownVersion: 0,
        fingerprint: undefined,
      });
      assert.equal(version, 1);
      assert.equal(await store.port.activity({ organizationId: home, id: idAt(0) }), undefined);
      await store.close();
    });
  }

  test('a read that finds a damaged file stops commits too', async () => {
    const { store, breakAt, mend } = watchedStore();
    breakAt(queries.activity, Object.assign(new Error('malformed'), { errcode: 11 }));
    const read = () => store.port.activity({ organizationId: home, id: idAt(1) });
    await assert.rejects(read(), unavailable);
    mend();
    assert.equal(await read(), undefined);
    await assert.rejects(store.port.commit(changeOf({})), unavailable);
    assert.deepEqual(store.healthy(), { ok: false, reason: 'malformed' });
    await store.close();
  });

  test('a read whose snapshot SQLite has ended is refused, and breaks nothing', async () => {
    const { store, breakAt, mend } = watchedStore();
    const busy = Object.assign(new Error('database is locked'), { errcode: 5 });
    breakAt(queries.activity, busy, { ends: true });
    const read = () => store.port.activity({ organizationId: home, id: idAt(1) });
    await assert.rejects(read(), unavailable);
    assert.deepEqual(store.healthy(), { ok: true });
    mend();
    assert.equal(await read(), undefined);
    await store.close();
  });

  test('the refusal does not show the reason to callers', async () => {
    const { store, breakAt } = watchedStore();
    breakAt('COMMIT', Object.assign(new Error('/secret/path is full'), { errcode: 13 }));
    await assert.rejects(store.port.commit(changeOf({})), (error) => {
      assert.ok(error instanceof Error);
      return !JSON.stringify(error).includes('secret') && !error.message.includes('secret');
    });
    await store.close();
  });
});

type Watched = {
  readonly store: Store;
  /** The executed statements, in order. */
  readonly log: string[];
  /**
   * Makes a statement fail, always or if one of its values is `onlyFor`; `ends` also ends its transaction,
   * as SQLite does at some failures.
   */
  breakAt(sql: string, error: Error, how?: { readonly onlyFor?: string; ends?: boolean }): void;
  mend(): void;
};

function watchedStore(): Watched {
  const inner = openDatabase({ file: ':memory:' });
  const log: string[] = [];
  let broken: { sql: string; error: Error; onlyFor?: string; ends?: boolean } | undefined;

  function watch(sql: string, values: readonly unknown[]): void {
    if (broken?.sql === sql && (broken.onlyFor === undefined || values.includes(broken.onlyFor))) {
      if (broken.ends === true) inner.exec('ROLLBACK');
      throw broken.error;
    }
    log.push(sql);
  }

  const database: SqliteDatabase = {
    get isTransaction() {
      return inner.isTransaction;
    },
    exec: (sql) => inner.exec(sql),
    prepare: (sql) => {
      const statement: SqliteStatement = inner.prepare(sql);
      return {
        run: (...values) => {
          watch(sql, values);
          return statement.run(...values);
        },
        get: (...values) => {
          watch(sql, values);
          return statement.get(...values);
        },
        all: (...values) => {
          watch(sql, values);
          return statement.all(...values);
        },
        setReturnArrays: (enabled) => statement.setReturnArrays(enabled),
      };
    },
    close: () => {
      log.push('close');
      inner.close();
    },
  };
  return {
    store: createSqliteStore(database, undefined, undefined, false),
    log,
    breakAt: (sql, error, how = {}) => {
      broken = { sql, error, ...how };
    },
    mend: () => {
      broken = undefined;
    },
  };
}

function commitMany(store: Store, count: number) {
  return Promise.all(
    countTo(count).map((n) => store.port.commit(changeOf({ activities: [activityOf(n)] }))),
  );
}
