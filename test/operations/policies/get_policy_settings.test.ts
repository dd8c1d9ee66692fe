import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startTestService } from '../../support/harness.ts';
import { checkQuery } from '../checks.ts';

test('get_policy_settings: by default a failing policy that denies refuses', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const answer = await checkQuery(service, { operation: 'get_policy_settings', body: {} });
  assert.deepEqual(answer, { policySettings: { failedDeny: 'FAILED_DENY_REFUSES' } });
});
