import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startTestService } from '../../support/harness.ts';
import { checkActivity, checkRefused } from '../checks.ts';
import { addChild } from '../other_callers.ts';
import { unknownId } from '../wallets/wallet_requests.ts';
import { makePolicy, shownPolicyIds, storedPolicySet } from './policy_requests.ts';

const wire = {
  operation: 'delete_policies',
  type: 'ACTIVITY_TYPE_DELETE_POLICIES',
  intent: 'deletePoliciesIntent',
  result: 'deletePoliciesResult',
};

test('delete_policies: deletes the named policies', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const first = await makePolicy(service, 'First');
  const kept = await makePolicy(service, 'Kept');
  const last = await makePolicy(service, 'Last');
  const result = await checkActivity(service, {
    ...wire,
    parameters: { policyIds: [last, first.toUpperCase()] },
    malformed: [
      { field: 'parameters.policyIds', parameters: { policyIds: [] } },
      { field: 'parameters.policyIds', parameters: { policyIds: Array(101).fill(first) } },
      { field: 'parameters.policyIds.0', parameters: { policyIds: ['x'] } },
      {
        field: 'parameters.policyIds.1',
        parameters: { policyIds: [first, first.toUpperCase()] },
      },
    ],
  });
  assert.deepEqual(result, { policyIds: [last, first] });
  assert.deepEqual(await shownPolicyIds(service), [kept]);
  assert.deepEqual((await storedPolicySet(service))?.policyIds, [kept]);
});

test('delete_policies: deletes all or none, only of this organization', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const ofChild = await makePolicy(service, 'Policy', {}, await addChild(service));
  const policyId = await makePolicy(service, 'Policy');
  for (const id of [unknownId, ofChild]) {
    await checkRefused(
      service,
      { ...wire, parameters: { policyIds: [policyId, id] } },
      { status: 404, code: 5, text: /^unable to find policy / },
    );
  }
  assert.deepEqual(await shownPolicyIds(service), [policyId]);
});
