import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startTestService } from '../../support/harness.ts';
import { checkActivity, checkRefused } from '../checks.ts';
import { addChild } from '../other_callers.ts';
import { unknownId } from '../wallets/wallet_requests.ts';
import { makePolicy, shownPolicyIds, storedPolicySet } from './policy_requests.ts';

const wire = {
  operation: 'delete_policy',
  type: 'ACTIVITY_TYPE_DELETE_POLICY',
  intent: 'deletePolicyIntent',
  result: 'deletePolicyResult',
};

test('delete_policy: keeps the other policies, and frees the name', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const first = await makePolicy(service, 'First');
  const second = await makePolicy(service, 'Second');
  const result = await checkActivity(service, {
    ...wire,
    parameters: { policyId: first.toUpperCase() },
    malformed: [{ field: 'parameters.policyId', parameters: { policyId: 'x' } }],
  });
  assert.deepEqual(result, { policyId: first });
  assert.deepEqual(await shownPolicyIds(service), [second]);
  assert.deepEqual((await storedPolicySet(service))?.policyIds, [second]);
  await makePolicy(service, 'First');
});

test('delete_policy: takes only policies of this organization', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const ofChild = await makePolicy(service, 'Policy', {}, await addChild(service));
  for (const policyId of [unknownId, ofChild]) {
    const text = new RegExp(`^unable to find policy ${policyId} in organization`);
    await checkRefused(
      service,
      { ...wire, parameters: { policyId } },
      { status: 404, code: 5, text },
    );
  }
});
