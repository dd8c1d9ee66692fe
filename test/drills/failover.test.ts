import assert from 'node:assert/strict';
import { test } from 'node:test';
import { canStartPostgres } from '../store/postgres_server.ts';
import { failOver } from './failover.ts';
import { missingPatroni, startPatroniPair } from './patroni_pair.ts';

/**
 * A node finds the new primary within a second (test/store/postgres_health.test.ts). A node that waits for a
 * silent session instead takes 20 s. This bound distinguishes the two, even on a busy machine.
 */
const latestMs = 10_000;

/** Pause of each client after an answer. `npm run drill` sends without a pause. */
const restMs = 25;

if (canStartPostgres && process.platform === 'linux') {
  test('a killed primary and a promoted standby lose no acknowledged signature', async () => {
    const result = await failOver({
      loss: 'kill -9',
      signatures: 300,
      promoteAfterMs: 500,
      restMs,
    });
    assert.equal(result.lost, 0, JSON.stringify(result));
    assert.ok(result.acknowledged >= 500);
    assert.ok(result.outageMs <= result.promotionMs + latestMs, JSON.stringify(result));
    // Each failed request got status 503, and no connection broke.
    assert.deepEqual(Object.keys(result.outcomes), ['200', '503']);
  });

  const skip = missingPatroni() ?? false;
  test('after the loss of the primary, Patroni promotes the standby, and no acknowledged signature is lost', {
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

  test('a node drops its sessions with a hanging primary, and finds the standby', async () => {
    const result = await failOver({
      loss: 'kill -STOP',
      signatures: 300,
      promoteAfterMs: 500,
      restMs,
    });
    assert.equal(result.lost, 0, JSON.stringify(result));
    assert.deepEqual(Object.keys(result.outcomes), ['200', '503']);
    // The node drops a silent session after 20 s, and a silent host after 5 s.
    assert.ok(result.outageMs <= 32_000, JSON.stringify(result));
    assert.ok(result.notReadyMs <= 22_000, JSON.stringify(result));
    assert.equal(result.sessionsLeft, 0);
  });
}
