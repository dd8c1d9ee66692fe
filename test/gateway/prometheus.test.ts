import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { noMetrics } from '../../src/gateway/observability/metrics.ts';
import { createMetrics } from '../../src/gateway/observability/prometheus.ts';
import { watchVitalSigns } from '../../src/gateway/observability/vital_signs.ts';
import { counted } from '../../src/gateway/observability/watched_store.ts';
import { openSqliteStore } from '../../src/store/sqlite/sqlite.ts';
import { changeOf, organizationOf } from '../store/samples.ts';

describe('metrics', () => {
  test('sum the times of a stage in one request, and count repeated decisions', async () => {
    const { metrics, render } = await createMetrics();
    metrics.stagesTaken('submit', [
      { stage: 'load', at: 0, lasts: 10 },
      { stage: 'commit', at: 10, lasts: 20 },
      { stage: 'load', at: 30, lasts: 30 },
      { stage: 'commit', at: 60, lasts: 0 },
    ]);
    metrics.stagesTaken('query', [{ stage: 'load', at: 0, lasts: 1 }]);
    const text = await render();
    const name = 'keywright_request_stage_duration_seconds';
    assert.match(text, new RegExp(`^${name}_sum\\{kind="submit",stage="load"\\} 0\\.004$`, 'm'));
    assert.match(text, new RegExp(`^${name}_count\\{kind="submit",stage="load"\\} 1$`, 'm'));
    assert.match(text, /^keywright_request_retries_total\{kind="submit"\} 1$/m);
    assert.doesNotMatch(text, /retries_total\{kind="query"/);
  });

  test('show the version, and if the service is ready', async () => {
    let isReady = false;
    const subject = { version: '1.2.3', store: 'sqlite', isReady: () => isReady };
    const { render } = await createMetrics({ subject });
    assert.match(await render(), /^keywright_ready 0$/m);
    isReady = true;
    const text = await render();
    assert.match(text, /^keywright_ready 1$/m);
    assert.match(text, /^keywright_build_info\{version="1\.2\.3",node=".+",store="sqlite"\} 1$/m);
  });

  test('distinguish commits by their outcome', async () => {
    const { metrics, render } = await createMetrics();
    const { batchBegins } = metrics;
    const store = openSqliteStore({ file: ':memory:', batchBegins });
    const port = counted(store.port, metrics);
    const change = changeOf({ organizations: [organizationOf()] });
    assert.equal(await port.commit(change), 'committed');
    assert.equal(await port.commit(change), 'conflict');
    await store.close();
    await assert.rejects(port.commit(change));
    const text = await render();
    for (const outcome of ['committed', 'conflict', 'failed']) {
      assert.match(text, new RegExp(`commit_duration_seconds_count\\{outcome="${outcome}"\\} 1`));
    }
    assert.match(text, /^keywright_store_batch_duration_seconds_count 2$/m);
    assert.match(text, /^keywright_store_batch_changes_sum 2$/m);
    assert.equal(counted(store.port, noMetrics), store.port);
  });
});

test('vital signs are read periodically, despite failures of single ones', async () => {
  const { metrics, render } = await createMetrics();
  const looks: (() => void)[] = [];
  const looked = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const offsets = [1_500, -250];
  const signs = watchVitalSigns({
    metrics,
    enclave: () => Promise.reject(new Error('it is restarting')),
    store: async () => ({
      waitingEvents: 7,
      oldestWaitingMs: 40_000,
      waitingAuditLines: 3,
      oldestAuditLineMs: 70_000,
      databaseMs: 100_000 + (offsets.shift() ?? 0),
    }),
    now: () => 100_000,
    after: (_, run) => {
      looks.push(run);
      looked.shift()?.resolve();
      return () => looks.splice(0);
    },
  });
  await looked[0]?.promise;
  const text = await render();
  assert.match(text, /^keywright_webhook_waiting_events 7$/m);
  assert.match(text, /^keywright_webhook_oldest_event_seconds 60$/m);
  assert.match(text, /^keywright_clock_offset_seconds 1\.5$/m);
  const second = looked[0]?.promise;
  looks[0]?.();
  await second;
  assert.match(await render(), /^keywright_clock_offset_seconds -0\.25$/m);
  signs.stop();
  assert.equal(looks.length, 0);
});
