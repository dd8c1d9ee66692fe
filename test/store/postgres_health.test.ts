// The time until a node uses its recovered database again, with the clock of the test.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DatabaseError } from '../../src/store/postgres/errors.ts';
import { createPostgresHealth } from '../../src/store/postgres/health.ts';
import type { Pool, Session } from '../../src/store/postgres/session.ts';

/** Waits until the promises of a check have settled. */
const settled = () => new Promise((resolve) => setImmediate(resolve));

test('a lost database is checked at once, then every 250 ms, and every second once it is back', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  let nowMs = 0;
  let isBack = false;
  const checkedAt: number[] = [];
  const lost = () => new DatabaseError('ECONNREFUSED');
  const session: Partial<Session> = { all: async () => [] };
  const pool: Partial<Pool> = {
    use: async (run) => {
      checkedAt.push(nowMs);
      if (!isBack) throw lost();
      return run(session as Session);
    },
  };
  const health = createPostgresHealth({ log: () => {}, clock: () => nowMs });
  const stop = health.lookAfter(pool as Pool);
  health.lost(lost());
  const passUntil = async (endMs: number) => {
    for (; nowMs < endMs; nowMs += 50) {
      t.mock.timers.tick(nowMs === 0 ? 0 : 50);
      await settled();
    }
  };
  await passUntil(1_000);
  assert.deepEqual(checkedAt, [0, 250, 500, 750]);
  assert.equal(health.healthy().ok, false);
  isBack = true;
  await passUntil(2_050);
  assert.equal(health.healthy().ok, true);
  await passUntil(4_000);
  assert.deepEqual(checkedAt.slice(4), [1_000, 2_000, 3_000]);
  stop();
});
