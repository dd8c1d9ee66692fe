import assert from 'node:assert/strict';
import { test } from 'node:test';
import { canStartPostgres } from '../store/postgres_server.ts';
import { failOver } from './failover.ts';
import { missingPatroni, startPatroniPair } from './patroni_pair.ts';

/**
 * A node finds the new primary within a second (test/store/postgres_health.test.ts). A node that waits for a
 * silent session instead takes 20 s, which this bound tells apart on a busy machine.
 */
const latestMs = 10_000;

/** `npm run drill` sends without a pause. */
const restMs = 25;

if (canStartPostgres && process.platform === 'linux') {
  test('the primary is killed and its standby promoted: nothing acknowledged is lost', async () => {
    const result = await failOver({
      loss: 'kill -9',
      signatures: 300,
      promoteAfterMs: 500,
      restMs,
    });
    assert.equal(result.lost, 0, JSON.stringify(result));
    assert.ok(result.acknowledged >= 500);
    assert.ok(result.outageMs <= result.promotionMs + latestMs, JSON.stringify(result));
    // A request without a success was refused with 503, and no connection broke.
    assert.deepEqual(Object.keys(result.outcomes), ['200', '503']);
  });

  const skip = missingPatroni() ?? false;
  test('the primary and its Patroni are killed: Patroni promotes, nothing acknowledged is lost', {
    skip,
  }, async () => {
    const result = await failOver({
      loss: 'kill -9',
      signatures: 300,
      promoteAfterMs: 0,
      restMs,
      startPair: startPatroniPair,
    });
    assert.equal(result.lost, 0, JSON.stringify(result));
    assert.ok(result.outageMs <= result.promotionMs + latestMs, JSON.stringify(result));
  });

  test('the primary hangs: sessions are given up, and the standby is found', async () => {
    const result = await failOver({
      loss: 'kill -STOP',
      signatures: 300,
      promoteAfterMs: 500,
      restMs,
    });
    assert.equal(result.lost, 0, JSON.stringify(result));
    assert.deepEqual(Object.keys(result.outcomes), ['200', '503']);
    // A silent session is given up after 20 s, a silent host after 5 s.
    assert.ok(result.outageMs <= 32_000, JSON.stringify(result));
    assert.ok(result.notReadyMs <= 22_000, JSON.stringify(result));
    assert.equal(result.sessionsLeft, 0);
  });
}
