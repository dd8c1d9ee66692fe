import assert from 'node:assert/strict';
import { test } from 'node:test';
import { failedDenyModes } from '../../../src/core/organization/model.ts';
import { startTestService } from '../../support/harness.ts';
import { checkActivity } from '../checks.ts';
import { addChild } from '../other_callers.ts';

const wire = {
  operation: 'update_policy_settings',
  type: 'ACTIVITY_TYPE_UPDATE_POLICY_SETTINGS',
  intent: 'updatePolicySettingsIntent',
  result: 'updatePolicySettingsResult',
};

test('update_policy_settings: a failing policy that denies is skipped or refuses, as configured', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  for (const failedDeny of failedDenyModes.toReversed()) {
    const result = await checkActivity(service, {
      ...wire,
      parameters: { failedDeny },
      malformed: [{ field: 'parameters.failedDeny', parameters: { failedDeny: 'SKIPPED' } }],
    });
    assert.deepEqual(result, { failedDeny });
    const { body } = await service.query('get_policy_settings');
    assert.deepEqual(body, { policySettings: { failedDeny } });
  }
});

test('update_policy_settings: each organization has its own settings', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const child = await addChild(service);
  const parameters = { failedDeny: 'FAILED_DENY_SKIPPED' };
  const { status } = await service.submit(wire.operation, wire.type, parameters, child);
  assert.equal(status, 200);
  const { organizationId } = child;
  const ofChild = await service.query('get_policy_settings', {}, { organizationId });
  assert.equal(ofChild.body.policySettings.failedDeny, 'FAILED_DENY_SKIPPED');
  const own = await service.query('get_policy_settings');
  assert.equal(own.body.policySettings.failedDeny, 'FAILED_DENY_REFUSES');
});
