import assert from 'node:assert/strict';
import { test } from 'node:test';
import { canStartPostgres } from '../store/postgres_server.ts';
import { soakSends } from './sends.ts';

const skip = canStartPostgres ? false : 'there is no PostgreSQL';

test('each transfer is on the chain once despite faults of all parts', { skip }, async (t) => {
  const { faults, again, seconds, ...result } = await soakSends({ transfers: 40 });
  t.diagnostic(JSON.stringify({ faults, again, seconds }));
  assert.deepEqual(result, {
    transfers: 40,
    landedOnce: 40,
    landedTwice: 0,
    lost: 0,
    wrongStatuses: 0,
  });
  assert.ok(
    Object.values(faults).every((times) => times > 0),
    JSON.stringify(faults),
  );
});
