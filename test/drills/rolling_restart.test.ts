import assert from 'node:assert/strict';
import { after } from 'node:test';
import { canStartPostgres, startPostgresServer } from '../store/postgres_server.ts';
import { testsThatNeed } from '../support/tests_that_need.ts';
import { missingProxy } from './proxies.ts';
import { restartRolling } from './rolling_restart.ts';

/**
 * Pause of each client after an answer. Requests in progress while a node stops reveal faults. More requests
 * reveal no more, so clients leave the processors to the nodes. `npm run drill` sends without a pause.
 */
const restMs = 25;

if (canStartPostgres) {
  const server = await startPostgresServer();
  after(() => server.remove());
  for (const name of ['haproxy', 'nginx'] as const) {
    const { test } = testsThatNeed(missingProxy(name));
    test(`two nodes behind ${name} restart, and no request fails`, async () => {
      const { requests, outcomes } = await restartRolling(server, name, 500, { restMs });
      assert.deepEqual(outcomes, { 200: requests });
    });
  }
}
