// Two nodes on one PostgreSQL database: the possible outcomes of their races.

import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import fc from 'fast-check';
import pg from 'pg';
import { utf8 } from '../../src/core/base/bytes.ts';
import type { CommitOutcome, StoreChange } from '../../src/store/port.ts';
import { openPostgresStore } from '../../src/store/postgres/postgres.ts';
import type { Store } from '../../src/store/store.ts';
import { allActivities, allRecords, commit, committed, requestOf } from './asking.ts';
import { clock, newDatabase, newSchema, postgresForTests, runOn } from './postgres_server.ts';
import { activityOf, countTo, home, idAt, organizationOf, recordOf } from './samples.ts';

const server = await postgresForTests();
if (server !== undefined) {
  after(() => server.remove());
  const database = await newDatabase(server.url);

  const withNodes = async (run: (nodes: readonly [Store, Store], url: string) => Promise<void>) => {
    const url = await newSchema(database);
    const log = () => {};
    const nodes = await Promise.all([
      openPostgresStore({ clock, url, log }),
      openPostgresStore({ clock, url, log }),
    ]);
    try {
      await run(nodes, url);
    } finally {
      await Promise.all(nodes.map((node) => node.close()));
    }
  };
  /**
   * Commits the same changes on both nodes concurrently; returns the outcomes of the first node, then of
   * the second.
   */
  const onBoth = (
    nodes: readonly [Store, Store],
    changes: readonly (readonly Partial<StoreChange>[])[],
  ): Promise<CommitOutcome[]> =>
    Promise.all(
      nodes.flatMap((node, i) => (changes[i] ?? []).map((parts) => commit(node.port, parts))),
    );

  describe('two nodes: races', () => {
    test('one of several replacements of a version is committed', async () => {
      await withNodes(async (nodes) => {
        for (const version of countTo(30)) {
          const attempt = (n: number): Partial<StoreChange> => ({
            conditions: [{ organizationId: home, version, orLater: false }],
            organizations: [organizationOf({ version: version + 1, head: utf8(`${n}`) })],
            records: [recordOf(0, { version: version + 1, body: utf8(`${n}`) })],
          });
          const outcomes = await onBoth(nodes, [
            [attempt(0), attempt(1)],
            [attempt(2), attempt(3)],
          ]);
          assert.equal(outcomes.filter((outcome) => outcome === 'committed').length, 1);
          assert.equal(outcomes.filter((outcome) => outcome === 'conflict').length, 3);
          const winner = utf8(`${outcomes.indexOf('committed')}`);
          for (const { port } of nodes) {
            const found = await port.organization(requestOf({ kinds: ['user'] }));
            assert.deepEqual([found.organization?.head, found.records[0]?.body], [winner, winner]);
          }
        }
      });
    });

    test('one request on both nodes is one activity and one duplicate', async () => {
      await withNodes(async (nodes) => {
        for (const round of countTo(30)) {
          const { fingerprint } = activityOf(round);
          const attempt = (n: number): Partial<StoreChange> => ({
            activities: [activityOf(round * 10 + n, { fingerprint })],
            records: [recordOf(round * 10 + n)],
          });
          const outcomes = await onBoth(nodes, [[attempt(0)], [attempt(1)]]);
          assert.deepEqual(outcomes.toSorted(), ['committed', 'duplicate']);
        }
        assert.equal((await allActivities(nodes[0].port)).length, 30);
        assert.equal((await allRecords(nodes[1].port)).length, 30);
      });
    });

    test('a row that must be absent is absent at the commit', async () => {
      await withNodes(async (nodes) => {
        for (const n of countTo(30)) {
          // Each creates one organization on the condition that the other is absent.
          const [first, second] = [idAt(n * 2 + 1), idAt(n * 2 + 2)];
          const make = (own: string, other: string): Partial<StoreChange> => ({
            conditions: [{ organizationId: other, version: 0, orLater: false }],
            organizations: [organizationOf({ organizationId: own })],
          });
          const outcomes = await onBoth(nodes, [[make(first, second)], [make(second, first)]]);
          assert.deepEqual(outcomes.toSorted(), ['committed', 'conflict']);
        }
      });
    });

    test('changes that lock the same rows in another order do not deadlock', async () => {
      await withNodes(async (nodes) => {
        const ids = countTo(8).map(idAt);
        await committed(nodes[0].port, {
          organizations: ids.map((organizationId) => organizationOf({ organizationId })),
        });
        for (const version of countTo(15).map((n) => n + 2)) {
          const raise = (order: readonly string[]): Partial<StoreChange>[] =>
            order.map((organizationId) => ({
              organizations: [organizationOf({ organizationId, version })],
              records: order.map((id) => recordOf(0, { id })),
            }));
          const outcomes = await onBoth(nodes, [raise(ids), raise(ids.toReversed())]);
          assert.equal(outcomes.filter((outcome) => outcome === 'committed').length, ids.length);
          assert.equal(outcomes.filter((outcome) => outcome === 'conflict').length, ids.length);
        }
      });
    });

    test('the deployment is inserted once', async () => {
      await withNodes(async (nodes) => {
        const outcomes = await onBoth(nodes, [
          [{ deployment: utf8('a') }],
          [{ deployment: utf8('b') }],
        ]);
        assert.deepEqual(outcomes.toSorted(), ['committed', 'conflict']);
      });
    });

    test('no node commits on a version that was replaced before', async () => {
      await withNodes(async (nodes, url) => {
        let version = 1;
        let next = 0;
        let isEnding = false;
        await committed(nodes[0].port, { organizations: [organizationOf()] });
        const sign = async (node: Store): Promise<void> => {
          while (!isEnding) {
            next += 1;
            const conditions = [{ organizationId: home, version, orLater: false }];
            const bucket = version;
            await commit(node.port, { conditions, activities: [activityOf(next, { bucket })] });
          }
        };
        const signing = nodes.flatMap((node) => countTo(8).map(() => sign(node)));
        const count = async (of: number): Promise<unknown> => {
          const [row] = await runOn(
            url,
            `SELECT count(*)::int AS n FROM activities WHERE bucket = ${of}`,
          );
          return row?.['n'];
        };
        const counts: unknown[] = [];
        for (const n of countTo(25)) {
          const before = next;
          while (next < before + 20) await new Promise((resolve) => setImmediate(resolve));
          const node = nodes[n % 2] ?? nodes[0];
          await committed(node.port, { organizations: [organizationOf({ version: version + 1 })] });
          // The signing node does not know of the new version yet.
          counts.push(await count(version));
          version += 1;
        }
        isEnding = true;
        await Promise.all(signing);
        const counted = await Promise.all(counts.map((_, i) => count(i + 1)));
        assert.deepEqual(counted, counts);
        assert.ok(counts.some((n) => Number(n) > 0));
      });
    });

    test('any changes on both nodes have the result of some order', async () => {
      // Every change raises a version that it requires, so committed changes have an order.
      const change = fc.record({
        organization: fc.integer({ min: 0, max: 2 }),
        seen: fc.integer({ min: 0, max: 4 }),
        other: fc.integer({ min: 0, max: 2 }),
        otherSeen: fc.integer({ min: 0, max: 3 }),
      });
      const list = fc.array(change, { minLength: 1, maxLength: 6 });
      await withNodes(async (nodes) => {
        let base = 0;
        await fc.assert(
          fc.asyncProperty(list, list, async (first, second) => {
            base += 10;
            const id = (n: number): string => idAt(base + n);
            const partsOf = ({ organization, seen, other, otherSeen }: (typeof first)[number]) => ({
              conditions: [{ organizationId: id(other), version: otherSeen, orLater: false }],
              organizations: [
                organizationOf({ organizationId: id(organization), version: seen + 1 }),
              ],
            });
            const outcomes = await onBoth(nodes, [first.map(partsOf), second.map(partsOf)]);
            const done = [...first, ...second].filter((_, i) => outcomes[i] === 'committed');
            // Searches for an order by taking any change whose conditions hold, repeatedly.
            assert.ok(hasOrder(done, [0, 0, 0]), JSON.stringify(done));
            for (const n of countTo(3)) {
              const raised = done.filter(({ organization }) => organization === n).length;
              const answer = await nodes[0].port.organization(requestOf({ organizationId: id(n) }));
              assert.equal(answer.version ?? 0, raised);
            }
          }),
          { numRuns: 60 },
        );
      });
    });
  });

  describe('two nodes: locks', () => {
    const conditions = [{ organizationId: home, version: 1, orLater: false }];
    const bump = { organizations: [organizationOf({ version: 2 })], records: [recordOf(0)] };

    /** Runs with a table that can be read but not written, like on a slow disk. */
    const withHeld = async (
      table: string,
      run: (parts: {
        readonly nodes: readonly [Store, Store];
        /** Resolves once this number of sessions waits in a statement that starts like this. */
        readonly waiting: (start: string, count: number) => Promise<void>;
        readonly release: () => Promise<unknown>;
      }) => Promise<void>,
    ) =>
      withNodes(async (nodes, url) => {
        await committed(nodes[0].port, { organizations: [organizationOf()] });
        const holder = new pg.Client({ connectionString: url });
        await holder.connect();
        await holder.query('BEGIN');
        await holder.query(`LOCK TABLE ${table} IN SHARE MODE`);
        const deadline = performance.now() + 60_000;
        const waiting = async (start: string, count: number): Promise<void> => {
          while (performance.now() < deadline) {
            const rows = await runOn(
              url,
              `SELECT query FROM pg_stat_activity WHERE wait_event_type = 'Lock'
               AND application_name = 'keywright' AND query LIKE '${start}%'`,
            );
            if (rows.length === count) return;
          }
          throw new Error(`waited in vain for ${count} sessions that wait in ${start}`);
        };
        try {
          await run({ nodes, waiting, release: () => holder.query('ROLLBACK') });
        } finally {
          await holder.end();
        }
      });

    test('a version is not replaced while a commit on it is running', async () => {
      await withHeld('activities', async ({ nodes, waiting, release }) => {
        const signed = commit(nodes[0].port, { conditions, activities: [activityOf(1)] });
        await waiting('WITH changed AS (INSERT INTO activities', 1);
        const revoked = commit(nodes[1].port, bump);
        const first = await Promise.race([revoked, waiting('SELECT id, version', 1)]);
        assert.equal(first, undefined, 'the replacement waits');
        await release();
        assert.deepEqual(await Promise.all([signed, revoked]), ['committed', 'committed']);
      });
    });

    test('a commit on a version that is being replaced waits, and is a conflict', async () => {
      await withHeld('records', async ({ nodes, waiting, release }) => {
        const revoked = commit(nodes[1].port, bump);
        await waiting('INSERT INTO records', 1);
        const signed = commit(nodes[0].port, { conditions, activities: [activityOf(1)] });
        const first = await Promise.race([signed, waiting('SELECT id, version', 1)]);
        assert.equal(first, undefined, 'the commit waits');
        await release();
        assert.deepEqual(await Promise.all([signed, revoked]), ['conflict', 'committed']);
        assert.deepEqual(await allActivities(nodes[0].port), []);
      });
    });

    test('commits on one version do not block each other', async () => {
      await withHeld('activities', async ({ nodes, waiting, release }) => {
        const signed = nodes.map((node, n) =>
          commit(node.port, { conditions, activities: [activityOf(n)] }),
        );
        await waiting('WITH changed AS (INSERT INTO activities', 2);
        await release();
        assert.deepEqual(await Promise.all(signed), ['committed', 'committed']);
      });
    });
  });
}

type Raise = { organization: number; seen: number; other: number; otherSeen: number };

/** Returns true if the changes can be made in some order from these versions. */
function hasOrder(changes: readonly Raise[], versions: readonly number[]): boolean {
  if (changes.length === 0) return true;
  return changes.some(({ organization, seen, other, otherSeen }, i) => {
    if (versions[organization] !== seen || versions[other] !== otherSeen) return false;
    const rest = changes.filter((_, n) => n !== i);
    return hasOrder(
      rest,
      versions.map((version, n) => (n === organization ? version + 1 : version)),
    );
  });
}
