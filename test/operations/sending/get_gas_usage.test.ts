import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startTestService } from '../../support/harness.ts';
import { checkQuery } from '../checks.ts';
import { addChild } from '../other_callers.ts';
import { configureGasUsage, usageOf } from './gas_usage_requests.ts';

test('get_gas_usage: returns the limit that holds for the organization', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const nothing = { windowDurationMinutes: 0, windowLimitUsd: '0', usageUsd: '0' };
  assert.deepEqual(await usageOf(service), nothing);
  await configureGasUsage(service);
  const ofParent = { windowDurationMinutes: 60, windowLimitUsd: '10', usageUsd: '0' };
  assert.deepEqual(await checkQuery(service, { operation: 'get_gas_usage', body: {} }), ofParent);
  const child = await addChild(service);
  assert.deepEqual(await usageOf(service, child), { ...ofParent, windowLimitUsd: '1' });
});
