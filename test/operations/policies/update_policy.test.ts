import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startTestService } from '../../support/harness.ts';
import { checkActivity, checkRefused } from '../checks.ts';
import { addChild } from '../other_callers.ts';
import { unknownId } from '../wallets/wallet_requests.ts';
import { describedPolicy, makePolicy, shownPolicy, storedPolicySet } from './policy_requests.ts';

// OP-UPDATE-POLICY-01, OP-UPDATE-POLICY-02, OP-UPDATE-POLICY-09, OP-UPDATE-POLICY-10
// VER-03, VER-05, VER-06
const wire = {
  operation: 'update_policy',
  type: 'ACTIVITY_TYPE_UPDATE_POLICY_V2',
  intent: 'updatePolicyIntentV2',
  result: 'updatePolicyResultV2',
};
const older = {
  operation: 'update_policy',
  type: 'ACTIVITY_TYPE_UPDATE_POLICY',
  intent: 'updatePolicyIntent',
  result: 'updatePolicyResult',
};

test('update_policy: changes all named members', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const policyId = await makePolicy(service, 'Before');
  const before = await shownPolicy(service, policyId);
  const set = await storedPolicySet(service);
  // OP-UPDATE-POLICY-03 to OP-UPDATE-POLICY-08, RES-POLICY-01 to RES-POLICY-07
  const parameters = {
    policyId,
    policyName: 'After',
    policyEffect: 'EFFECT_DENY',
    policyCondition: "activity.action == 'DELETE'",
    policyConsensus: 'true',
    policyNotes: 'changed',
    time: "CronSpan('0 2 * * 0', '1h', 'UTC')",
  };
  const { policyId: _, ...members } = parameters;
  const result = await checkActivity(service, {
    ...wire,
    parameters,
    optional: Object.keys(members),
    malformed: [
      { policyId: 'x' },
      { policyName: '' },
      { policyEffect: 'EFFECT_MAYBE' },
      { policyCondition: '' },
      { policyCondition: 'activity' },
      { policyConsensus: '' },
      { policyConsensus: 'activity.kind' },
      { policyNotes: 'x'.repeat(2_001) },
      { time: 'true &&' },
    ].map((changes) => ({
      field: `parameters.${Object.keys(changes)[0]}`,
      parameters: { ...parameters, ...changes },
    })),
  });
  assert.deepEqual(result, { policyId }); // OP-UPDATE-POLICY-11
  const { createdAt, updatedAt, ...after } = await shownPolicy(service, policyId);
  assert.deepEqual(after, {
    policyId,
    policyName: 'After',
    effect: 'EFFECT_DENY',
    condition: "activity.action == 'DELETE'",
    consensus: 'true',
    notes: 'changed',
    time: "CronSpan('0 2 * * 0', '1h', 'UTC')",
  });
  assert.deepEqual(createdAt, before.createdAt);
  assert.notDeepEqual(updatedAt, before.updatedAt);
  // The new set has the same policies with other contents.
  const { policyIds, digests } = (await storedPolicySet(service)) ?? assert.fail();
  assert.deepEqual(policyIds, set?.policyIds);
  assert.notDeepEqual(digests, set?.digests);
});

test('update_policy: keeps absent members', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const full = { time: "time.now > Timestamp('2026-01-01T00:00:00Z')", notes: 'kept' };
  const policyId = await makePolicy(service, 'Policy', full);
  const names = {
    policyName: 'policyName',
    policyEffect: 'effect',
    policyCondition: 'condition',
    policyConsensus: 'consensus',
    policyNotes: 'notes',
    time: 'time',
  } as const;
  const changes = {
    policyName: 'Renamed',
    policyEffect: 'EFFECT_DENY',
    policyCondition: 'true',
    policyConsensus: 'false',
    policyNotes: '',
    time: "CronSpan('0 2 * * 0', '1h', 'UTC')",
  };
  for (const [member, value] of [['', ''], ...Object.entries(changes)] as const) {
    const { updatedAt: _, ...before } = await shownPolicy(service, policyId);
    const change = member === '' ? {} : { [member]: value };
    const parameters = { policyId: policyId.toUpperCase(), ...change };
    const { status, body } = await service.submit(wire.operation, wire.type, parameters);
    assert.equal(status, 200, JSON.stringify(body));
    const { updatedAt: __, ...after } = await shownPolicy(service, policyId);
    const shown = member === '' ? {} : { [names[member as keyof typeof names]]: value };
    assert.deepEqual(after, { ...before, ...shown });
  }
  // An empty time clause is removed.
  await service.submit(wire.operation, wire.type, { policyId, time: '' });
  assert.equal('time' in (await shownPolicy(service, policyId)), false);
});

test('update_policy: the older version has no time clause', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const time = "CronSpan('0 2 * * 0', '1h', 'UTC')";
  const policyId = await makePolicy(service, 'Policy', { time });
  const parameters = { policyId, policyCondition: 'false' };
  const result = await checkActivity(service, {
    ...older,
    parameters,
    optional: ['policyCondition'],
    malformed: [{ field: 'parameters.time', parameters: { ...parameters, time: '' } }],
  });
  assert.deepEqual(result, { policyId });
  const shown = await shownPolicy(service, policyId);
  assert.deepEqual([shown.condition, shown.time], ['false', time]);
});

test('update_policy: refuses used names, and policies of other organizations', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const ofChild = await makePolicy(service, 'Policy', {}, await addChild(service));
  const policyId = await makePolicy(service, 'Policy');
  await makePolicy(service, 'Taken');
  const notFound = { status: 404, code: 5, text: /^unable to find policy / };
  const taken = { status: 400, code: 3, text: /^policy label must be unique: `Taken`/ };
  for (const [parameters, refusal] of [
    [{ policyId, policyName: 'Taken' }, taken],
    [{ policyId: unknownId }, notFound],
    [{ policyId: ofChild, policyName: 'New' }, notFound],
  ] as const) {
    await checkRefused(service, { ...wire, parameters }, refusal);
  }
  // A policy may be renamed to its own name.
  const same = { policyId, policyName: 'Policy' };
  assert.equal((await service.submit(wire.operation, wire.type, same)).status, 200);
});

test('update_policy: bounds the characters of all policies', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const condition = `activity.kind in ['${'x'.repeat(130_000)}']`;
  const policies = [0, 1, 2, 3].map((i) => describedPolicy(`Policy ${i}`, { condition }));
  const type = 'ACTIVITY_TYPE_CREATE_POLICIES';
  const { body } = await service.submit('create_policies', type, { policies });
  const [policyId] = body.activity.result.createPoliciesResult.policyIds;
  const parameters = { policyId, policyConsensus: `'${'x'.repeat(10_000)}' == ''` };
  const text = /^organization has exceeded maximum characters of policies: the limit is 524288$/;
  await checkRefused(service, { ...wire, parameters }, { status: 429, code: 8, text });
});
