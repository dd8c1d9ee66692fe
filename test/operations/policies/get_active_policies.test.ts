import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startMs, startTestService } from '../../support/harness.ts';
import { checkQuery } from '../checks.ts';
import { addChild, changeOrganization } from '../other_callers.ts';
import { makePolicy } from './policy_requests.ts';

const hourMs = 3_600_000;

test('get_active_policies: lists each policy with the current value of its time clause', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  assert.deepEqual((await service.query('get_active_policies')).body, {
    statuses: [],
    evaluatedAtMs: String(startMs),
  });
  const until = `time.now < Timestamp('${new Date(startMs + hourMs).toISOString()}')`;
  const from = `time.now >= Timestamp('${new Date(startMs + hourMs).toISOString()}')`;
  const always = await makePolicy(service, 'Always');
  const before = await makePolicy(service, 'Until one', { time: until });
  const afterwards = await makePolicy(service, 'From one', { time: from, effect: 'EFFECT_DENY' });
  await makePolicy(service, 'Of the child', {}, await addChild(service));

  const shown = (isLater: boolean) => [
    { organizationId: service.root.organizationId, policyId: always, active: true },
    {
      organizationId: service.root.organizationId,
      policyId: before,
      active: !isLater,
      timeExpr: until,
    },
    {
      organizationId: service.root.organizationId,
      policyId: afterwards,
      active: isLater,
      timeExpr: from,
    },
  ];
  assert.deepEqual(await checkQuery(service, { operation: 'get_active_policies', body: {} }), {
    statuses: shown(false),
    evaluatedAtMs: String(service.now()),
  });
  // The check writes activities, which advance the clock.
  service.advance(startMs + hourMs - 1 - service.now());
  const last = await service.query('get_active_policies');
  assert.deepEqual(last.body, {
    statuses: shown(false),
    evaluatedAtMs: String(startMs + hourMs - 1),
  });
  service.advance(1);
  assert.deepEqual((await service.query('get_active_policies')).body.statuses, shown(true));
});

test('get_active_policies: a time clause without a value shows its error and is inactive', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const policyId = await makePolicy(service, 'Of a newer release');
  await changeOrganization(service, (draft) => {
    const policy = draft.get('policy', policyId);
    assert(policy !== undefined);
    draft.put('policy', { ...policy, time: 'moon.isFull' });
    return undefined;
  });
  const { body } = await service.query('get_active_policies');
  const [{ error, ...status }] = body.statuses;
  assert.deepEqual(status, {
    organizationId: service.root.organizationId,
    policyId,
    active: false,
    timeExpr: 'moon.isFull',
  });
  assert.match(error, /moon/);
});
