import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { describe, test } from 'node:test';
import { maximumStages, stageNames } from '../../src/core/base/stages.ts';
import { createStageTimes } from '../../src/enclave/measurements/stage_times.ts';
import { createVitals } from '../../src/enclave/measurements/vitals.ts';
import { openSqliteStore } from '../../src/store/sqlite/sqlite.ts';
import { stampOf, startMs, testKey } from '../support/harness.ts';
import { activityBody, queryBody, startServiceOver } from './service_over.ts';

describe('stages', () => {
  test('are reported in steps of 0.1 ms, in order', () => {
    let now = 1_000.04;
    const times = createStageTimes(() => now);
    times.enter('parse');
    now += 0.03;
    times.enter('verify_stamp');
    now += 2.5;
    times.enter('answer');
    now += 0.01;
    assert.deepEqual(times.finish(), [
      { stage: 'parse', at: 0, lasts: 0 },
      { stage: 'verify_stamp', at: 0, lasts: 25 },
      { stage: 'answer', at: 25, lasts: 0 },
    ]);
  });

  test('sum to the whole, in any resolution', () => {
    let now = 0.05;
    const times = createStageTimes(() => now);
    for (let i = 0; i < 100; i += 1) {
      times.enter('load');
      now += 0.037;
    }
    const sum = times.finish().reduce((total, { lasts }) => total + lasts, 0);
    assert.equal(sum, Math.floor((0.05 + 3.7) / 0.1));
  });

  test('are bounded in number', () => {
    const times = createStageTimes(() => 0);
    for (let i = 0; i < 2 * maximumStages; i += 1) times.enter('load');
    assert.equal(times.finish().length, maximumStages);
  });

  test('have the names of the files of the pipeline, except for the two waits', () => {
    const files = readdirSync(join(import.meta.dirname, '../../src/pipeline'));
    const others = stageNames.filter((name) => !files.includes(`${name}.ts`));
    assert.deepEqual(others, ['turn', 'queue']);
  });
});

test('an answer lists its stages on request, also for a refusal', async () => {
  const store = openSqliteStore({ file: ':memory:' });
  const key = testKey('root');
  const { ask, enclave } = await startServiceOver({
    store: store.port,
    seed: 'stages',
    clock: () => startMs,
    stageClock: () => performance.now(),
  });
  const { organizationId } = await enclave.bootstrap({
    organizationName: 'Test organization',
    userName: 'Root user',
    apiKeyName: 'Root key',
    apiPublicKey: key.publicKey,
    enablesAuthProxy: false,
  });
  const body = queryBody(organizationId);
  const request = {
    requestId: 'one',
    kind: 'query' as const,
    operation: 'whoami',
    body,
    headers: [stampOf(body, key)],
    timestampObjects: false,
    remoteAddress: '127.0.0.1',
  };
  const untimed = await enclave.request(request);
  assert.equal('stages' in untimed, false);
  const timed = await enclave.request({ ...request, timed: true });
  assert.deepEqual(
    timed.stages?.map(({ stage }) => stage),
    [...['turn', 'parse', 'verify_stamp', 'load', 'resolve_organization', 'authenticate'], 'query'],
  );
  const stamp = stampOf(body, testKey('somebody'));
  const refused = await enclave.request({ ...request, headers: [stamp], timed: true });
  assert.equal(refused.status, 401);
  assert.equal(refused.stages?.at(-1)?.stage, 'authenticate');
  assert.equal(refused.asker, undefined);
  assert.equal(timed.asker?.organizationId, organizationId);
  assert.match(timed.asker.credentialId, /^[0-9a-f-]{36}$/);
  const renameType = 'ACTIVITY_TYPE_UPDATE_ORGANIZATION_NAME';
  const name = { organizationName: 'Renamed' };
  const rename = activityBody(renameType, organizationId, name, startMs);
  const renamed = await ask({
    ...request,
    requestId: 'two',
    kind: 'submit',
    operation: 'update_organization_name',
    body: rename,
    headers: [stampOf(rename, key)],
    timed: true,
  });
  assert.deepEqual(renamed.stages?.map(({ stage }) => stage).slice(-7), [
    'check_freshness',
    'prepare',
    'authorize',
    'execute',
    'record',
    'commit',
    'answer',
  ]);
  await store.close();
});

test('vitals report memory, and a thread that was blocked', async () => {
  const vitals = createVitals();
  const begunMs = performance.now();
  await new Promise((resolve) => setTimeout(resolve, 50));
  // On a busy machine the pause takes longer than planned, so the work does too.
  const end = performance.now() + Math.max(200, performance.now() - begunMs);
  while (performance.now() < end);
  // The turn that was blocked is measured when it ends.
  for (let turns = 0; turns < 3; turns += 1) await new Promise((resolve) => setImmediate(resolve));
  const busy = vitals();
  assert.ok(busy.residentBytes > 10_000_000 && busy.heapUsedBytes > 1_000_000);
  assert.ok(busy.lagMaximumMicros > 100_000, `${busy.lagMaximumMicros} µs`);
  assert.ok(busy.busyPermille > 100 && busy.busyPermille <= 1_000, `${busy.busyPermille}`);
});

test('an idle thread is not woken to be measured', async () => {
  const turns = () => performance.nodeTiming.uvMetricsInfo.loopCount;
  createVitals();
  const before = turns();
  await new Promise((resolve) => setTimeout(resolve, 200));
  const after = turns();
  assert.ok(after - before <= 5, `${after - before} turns`);
});
