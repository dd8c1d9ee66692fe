import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startTestService } from '../../support/harness.ts';
import { checkQuery } from '../checks.ts';

const open = {
  policyName: 'Either key',
  effect: 'EFFECT_ALLOW',
  condition: "wallet.id == 'a' || private_key.id == 'b'",
  consensus: 'approvers.count() >= 1',
  notes: '',
};

test('get_policy_warnings: lists suspicious clauses, also in the answer that saves a policy', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const nothing = await checkQuery(service, { operation: 'get_policy_warnings', body: {} });
  assert.deepEqual(nothing, { warnings: [] });

  const saved = await service.submit('create_policy', 'ACTIVITY_TYPE_CREATE_POLICY_V3', open);
  assert.equal(saved.body.activity.status, 'ACTIVITY_STATUS_COMPLETED');
  const { policyId } = saved.body.activity.result.createPolicyResult;
  const { warnings } = (await service.query('get_policy_warnings')).body;
  assert.ok(warnings.length > 0);
  for (const warning of warnings) {
    assert.deepEqual([warning.policyId, warning.policyName], [policyId, open.policyName]);
    assert.match(warning.code, /^[A-Z_]+$/);
    assert.ok(warning.position >= 0 && warning.position < open.condition.length);
  }
  assert.deepEqual(saved.body.warnings, warnings, 'the answer to the save says the same');

  const mended = await service.submit('update_policy', 'ACTIVITY_TYPE_UPDATE_POLICY_V2', {
    policyId,
    policyCondition: "wallet.id == '019b76da-a800-7437-bc7d-24fff910e7c8'",
  });
  assert.deepEqual(Object.keys(mended.body), ['activity']);
  assert.deepEqual((await service.query('get_policy_warnings')).body, { warnings: [] });
});
