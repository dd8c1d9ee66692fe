import assert from 'node:assert/strict';
import { test } from 'node:test';
import { refuseTransactionPooling } from '../../src/store/postgres/pooling.ts';
import type { Pool } from '../../src/store/postgres/session.ts';

/** Creates a pooler with this number of server processes, which uses the idle one that `choose` names. */
function poolerOf(
  processes: number,
  choose: 'newest' | 'oldest',
  lends: 'session' | 'transaction',
) {
  const idle = Array.from({ length: processes }, (_, i) => 100 + i);
  const take = (): number => {
    const id = choose === 'newest' ? idle.pop() : idle.shift();
    assert(id !== undefined, 'nobody waits for a process');
    return id;
  };
  const pool: Pick<Pool, 'use'> = {
    use: async (run) => {
      let held = lends === 'session' ? take() : undefined;
      return run({
        all: async (statements) =>
          statements.map(({ text }) => {
            const id = held ?? take();
            if (text === 'BEGIN') held = id;
            if (text === 'ROLLBACK' && lends === 'transaction') held = undefined;
            if (held === undefined) idle.push(id);
            return [{ id }];
          }),
      });
    },
  };
  return pool;
}

test('sessions with their own process are accepted', async () => {
  for (const choose of ['newest', 'oldest'] as const) {
    await refuseTransactionPooling(poolerOf(5, choose, 'session'));
  }
});

test('poolers that share connections between transactions are refused, for any choice of processes', async () => {
  for (const choose of ['newest', 'oldest'] as const) {
    for (const processes of [1, 2, 3, 4, 5, 6, 7, 8, 20]) {
      const pool = poolerOf(processes, choose, 'transaction');
      const how = `${choose} of ${processes}`;
      await assert.rejects(refuseTransactionPooling(pool), /pool sessions/, how);
    }
  }
});
