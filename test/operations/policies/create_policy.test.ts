import assert from 'node:assert/strict';
import { test } from 'node:test';
import { policyEffects } from '../../../src/core/base/enums.ts';
import { startTestService } from '../../support/harness.ts';
import { checkActivity, checkRefused } from '../checks.ts';
import { addChild, changeOrganization } from '../other_callers.ts';
import {
  describedPolicy,
  makePolicy,
  shownPolicy,
  shownPolicyIds,
  storedPolicySet,
} from './policy_requests.ts';

const wire = {
  operation: 'create_policy',
  type: 'ACTIVITY_TYPE_CREATE_POLICY_V3',
  intent: 'createPolicyIntentV3',
  result: 'createPolicyResult',
};

test('create_policy: creates a policy', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const parameters = describedPolicy('Wallets', {
    time: "CronSpan('0 9 * * 1-5', '8h', 'America/New_York')",
    notes: 'in office hours',
  });
  const { policyId } = await checkActivity(service, {
    ...wire,
    parameters,
    optional: ['condition', 'consensus', 'time'],
    malformed: [
      { policyName: '' },
      { policyName: 'x'.repeat(256) },
      { effect: 'ALLOW' },
      { notes: 'x'.repeat(2_001) },
      { condition: `activity.kind == '${'x'.repeat(131_072)}'` },
      { condition: '' },
      { consensus: '' },
      { condition: 'activity.resource ==' },
      { consensus: 'approvers.count()' },
      { time: 'activity.id' },
    ].map((changes) => ({
      field: `parameters.${Object.keys(changes)[0]}`,
      parameters: { ...parameters, ...changes },
    })),
  });
  const { createdAt, updatedAt, ...policy } = await shownPolicy(service, policyId);
  const { policyName, effect, condition, consensus, time, notes } =
    parameters as typeof parameters & Record<'time', string>;
  assert.deepEqual(policy, { policyId, policyName, effect, condition, consensus, time, notes });
  assert.deepEqual(createdAt, updatedAt);
});

// ENUM-06
test('create_policy: takes either effect, with or without each expression', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  assert.deepEqual(policyEffects, ['EFFECT_ALLOW', 'EFFECT_DENY']);
  for (const effect of policyEffects) {
    const absent = { condition: undefined, consensus: undefined, time: '' };
    const id = await makePolicy(service, effect, { effect, ...absent });
    const { createdAt, updatedAt, ...policy } = await shownPolicy(service, id);
    const empty = { notes: '', consensus: '', condition: '' };
    assert.deepEqual(policy, { policyId: id, policyName: effect, effect, ...empty });
  }
});

test('create_policy: an invalid expression is refused with its clause, position and expected token', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  for (const [member, text, message] of [
    // Public clients know these texts up to the position.
    [
      'consensus',
      '',
      /^invalid policy consensus: Expression cannot be evaluated: parse error: Unrecognized EOF found at 0/,
    ],
    [
      'condition',
      '',
      /^invalid policy condition: Expression cannot be evaluated: parse error: Unrecognized EOF found at 0/,
    ],
    [
      'condition',
      "wallet_account.path == 'm'",
      /^invalid policy condition: Expression cannot be evaluated: field does not exist: path at 15: /,
    ],
    [
      'condition',
      "eth.tx.chain_id == '8453'",
      /^invalid policy condition: .* at 19: expected int, found string$/,
    ],
    [
      'condition',
      'approvers.count() >= 2',
      /^invalid policy condition: .*field does not exist: approvers/,
    ],
    [
      'consensus',
      "activity.kind == 'X'",
      /^invalid policy consensus: .*field does not exist: activity/,
    ],
    [
      'time',
      "'now'",
      /^invalid policy time: Expression cannot be evaluated: .* at 0: expected bool, found string$/,
    ],
  ] as const) {
    const parameters = describedPolicy('Wrong', { [member]: text });
    await checkRefused(
      service,
      { ...wire, parameters },
      { status: 400, code: 3, text: message, field: `parameters.${member}` },
    );
  }
  assert.equal(await storedPolicySet(service), undefined);
});

test('create_policy: names are unique in an organization, and differ by letter case', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const child = await addChild(service);
  await makePolicy(service, 'Wallets', {}, child);
  const first = await makePolicy(service, 'Wallets');
  const second = await makePolicy(service, 'wallets');
  const parameters = describedPolicy('Wallets', { effect: 'EFFECT_DENY' });
  const text = /^policy label must be unique: `Wallets` already exists in this organization$/;
  await checkRefused(service, { ...wire, parameters }, { status: 400, code: 3, text });
  assert.deepEqual(await shownPolicyIds(service), [first, second]);
});

test('create_policy: an organization has at most 100 policies', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  await changeOrganization(service, (draft, newId) => {
    const times = { createdAtMs: service.now(), updatedAtMs: service.now() };
    for (let i = 0; i < 99; i += 1) {
      const row = { id: newId(), name: `Policy ${i}`, effect: 'EFFECT_DENY', notes: '' } as const;
      draft.put('policy', { ...row, condition: 'false', ...times });
    }
    return undefined;
  });
  await makePolicy(service, 'Last');
  const text = /^organization has exceeded maximum policies: the limit is 100$/;
  const parameters = describedPolicy('One more');
  await checkRefused(service, { ...wire, parameters }, { status: 429, code: 8, text });
});

test('create_policy: bounds an expression to 64 KiB, and all policies to 524,288 characters', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const condition = `activity.kind in ['${'x'.repeat(120_000)}']`;
  for (let i = 0; i < 4; i += 1) await makePolicy(service, `Policy ${i}`, { condition });
  const text = /^organization has exceeded maximum characters of policies: the limit is 524288$/;
  const parameters = describedPolicy('One more', { condition });
  await checkRefused(service, { ...wire, parameters }, { status: 429, code: 8, text });
  await makePolicy(service, 'Small');
  assert.equal((await shownPolicyIds(service)).length, 5);
});

test('create_policy: the organization stores the set of its policies', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  assert.equal(await storedPolicySet(service), undefined);
  const first = await makePolicy(service, 'First');
  const before = await storedPolicySet(service);
  assert.deepEqual(before?.policyIds, [first]);
  const second = await makePolicy(service, 'Second');
  const after = await storedPolicySet(service);
  assert.deepEqual(after?.policyIds, [first, second]);
  assert.notEqual(after?.id, before?.id);
});
