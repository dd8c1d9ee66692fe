import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startTestService } from '../../support/harness.ts';
import { assertRefused, checkQuery } from '../checks.ts';
import { addChild } from '../other_callers.ts';
import { unknownId } from '../wallets/wallet_requests.ts';
import { makePolicy } from './policy_requests.ts';

test('get_policy: shows the policy as it was sent', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const expressions = {
    condition: " activity.resource=='WALLET' ",
    consensus: "approvers.any(user, user.id == 'ü')",
    time: "CronSpan('0 2 * * 0', '1h', 'UTC')",
  };
  const policyId = await makePolicy(service, 'Policy', { ...expressions, notes: 'Notes' });
  const seconds = String(Math.floor(service.now() / 1000));
  const createdAt = { seconds, nanos: String((service.now() % 1000) * 1_000_000) };
  const { policy } = await checkQuery(service, {
    operation: 'get_policy',
    body: { policyId: policyId.toUpperCase() },
    malformed: [{ field: 'policyId', parameters: { policyId: 'x' } }],
  });
  assert.deepEqual(policy, {
    policyId,
    policyName: 'Policy',
    effect: 'EFFECT_ALLOW',
    createdAt,
    updatedAt: createdAt,
    notes: 'Notes',
    ...expressions,
  });
});

test('get_policy: finds only policies of this organization', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const child = await addChild(service);
  const ofChild = await makePolicy(service, 'Policy', {}, child);
  for (const policyId of [unknownId, ofChild]) {
    assertRefused(await service.query('get_policy', { policyId }), 404, 5);
  }
  const { organizationId } = child;
  const answer = await service.query('get_policy', { policyId: ofChild }, { organizationId });
  assert.equal(answer.body.policy.policyId, ofChild);
});
