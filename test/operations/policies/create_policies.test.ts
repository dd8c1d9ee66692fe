import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startTestService } from '../../support/harness.ts';
import { checkActivity, checkRefused } from '../checks.ts';
import { describedPolicy, makePolicy, shownPolicyIds, storedPolicySet } from './policy_requests.ts';

const wire = {
  operation: 'create_policies',
  type: 'ACTIVITY_TYPE_CREATE_POLICIES',
  intent: 'createPoliciesIntent',
  result: 'createPoliciesResult',
};

test('create_policies: creates policies in the request order', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const policies = [
    describedPolicy('Second', { effect: 'EFFECT_DENY', consensus: undefined }),
    describedPolicy('First', { time: "time.now < Timestamp('2030-01-01T00:00:00Z')" }),
  ].map((policy) => JSON.parse(JSON.stringify(policy)));
  const one = describedPolicy('One');
  const { policyIds } = await checkActivity(service, {
    ...wire,
    parameters: { policies },
    malformed: [
      { field: 'parameters.policies', parameters: { policies: [] } },
      { field: 'parameters.policies', parameters: { policies: Array(101).fill(one) } },
      {
        field: 'parameters.policies.1.policyName',
        parameters: { policies: [one, { ...one, policyName: undefined }] },
      },
      {
        field: 'parameters.policies.1.condition',
        parameters: { policies: [one, describedPolicy('Two', { condition: '1' })] },
      },
    ],
  });
  const { policies: shown } = (await service.query('list_policies')).body;
  assert.deepEqual(
    shown.map(({ policyId, policyName }: Record<string, string>) => [policyId, policyName]),
    [
      [policyIds[0], 'Second'],
      [policyIds[1], 'First'],
    ],
  );
  // One policy set contains all of them.
  assert.deepEqual((await storedPolicySet(service))?.policyIds, policyIds);
});

test('create_policies: creates all or none', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const policyId = await makePolicy(service, 'Taken');
  const taken = (name: string) => ({
    status: 400,
    code: 3,
    text: new RegExp(`^policy label must be unique: \`${name}\``),
  });
  const several = (count: number) =>
    Array.from({ length: count }, (_, i) => describedPolicy(`Policy ${i}`));
  const tooMany = /^organization has exceeded maximum policies: the limit is 100$/;
  for (const [policies, refusal] of [
    [[describedPolicy('New'), describedPolicy('Taken')], taken('Taken')],
    [[describedPolicy('Twin'), describedPolicy('Twin')], taken('Twin')],
    [several(100), { status: 429, code: 8, text: tooMany }],
  ] as const) {
    await checkRefused(service, { ...wire, parameters: { policies } }, refusal);
  }
  assert.deepEqual(await shownPolicyIds(service), [policyId]);
  const { status } = await service.submit(wire.operation, wire.type, { policies: several(99) });
  assert.equal(status, 200);
  assert.equal((await storedPolicySet(service))?.policyIds.length, 100);
});
