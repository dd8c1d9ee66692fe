import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startTestService } from '../../support/harness.ts';
import { checkQuery } from '../checks.ts';
import { addChild } from '../other_callers.ts';
import { makePolicy, shownPolicy } from './policy_requests.ts';

test('list_policies: lists policies oldest first, each as get_policy shows it', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  assert.deepEqual((await service.query('list_policies')).body, { policies: [] });
  const first = await makePolicy(service, 'Zebra', { consensus: undefined });
  const second = await makePolicy(service, 'Antelope', { effect: 'EFFECT_DENY' });
  await makePolicy(service, 'Of the child', {}, await addChild(service));
  const { policies } = await checkQuery(service, { operation: 'list_policies', body: {} });
  assert.deepEqual(policies, [
    await shownPolicy(service, first),
    await shownPolicy(service, second),
  ]);
});
