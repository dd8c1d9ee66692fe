import assert from 'node:assert/strict';
import { test } from 'node:test';
import { selectorOperators } from '../../../src/core/policy/policy_selectors.ts';
import { startTestService } from '../../support/harness.ts';
import { checkActivity, checkRefused } from '../checks.ts';
import { shownPolicy } from './policy_requests.ts';

const first = {
  operation: 'create_policy',
  type: 'ACTIVITY_TYPE_CREATE_POLICY',
  intent: 'createPolicyIntent',
  result: 'createPolicyResult',
};
const second = {
  ...first,
  type: 'ACTIVITY_TYPE_CREATE_POLICY_V2',
  intent: 'createPolicyIntentV2',
};

const described = (selectors: readonly object[], changes: object = {}) => ({
  policyName: 'Old',
  selectors,
  effect: 'EFFECT_DENY',
  notes: 'kept',
  ...changes,
});
const select = (subject: string, operator: string, ...targets: string[]) => ({
  subject,
  operator: `OPERATOR_${operator}`,
  targets,
});

test('create_policy: selectors of the second version become expressions', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const parameters = described([select('activity.resource', 'EQUAL', 'WALLET')]);
  const of = (selector: object) => ({ ...parameters, selectors: [selector] });
  const { policyId } = await checkActivity(service, {
    ...second,
    parameters,
    optional: ['notes'],
    malformed: [
      { field: 'parameters.selectors', parameters: described([]) },
      {
        field: 'parameters.selectors',
        parameters: described(Array(11).fill(parameters.selectors[0])),
      },
      {
        field: 'parameters.selectors.0.subject',
        parameters: of(select("activity.kind == 'X' || wallet", 'EQUAL', 'x')),
      },
      {
        field: 'parameters.selectors.0.operator',
        parameters: of(select('activity.kind', 'LIKE', 'x')),
      },
      { field: 'parameters.selectors.0.targets', parameters: of(select('activity.kind', 'EQUAL')) },
      {
        field: 'parameters.selectors.0.targets',
        parameters: of(select('activity.kind', 'EQUAL', 'x', 'y')),
      },
      {
        field: 'parameters.selectors.0.targets',
        parameters: of(select('activity.kind', 'IN', ...Array(21).fill('x'))),
      },
      {
        field: 'parameters.selectors.0',
        parameters: of(select('activity.kind', 'EQUAL', "x' || activity.id != '")),
      },
      { field: 'parameters.selectors.0', parameters: of(select('activity.mood', 'EQUAL', 'x')) },
      { field: 'parameters.selectors.0', parameters: of(select('eth.tx.value', 'EQUAL', 'much')) },
      {
        field: 'parameters.selectors.0',
        parameters: of(select('activity.kind', 'MORE_THAN', 'x')),
      },
    ],
  });
  const { policyName, effect, condition, consensus, notes } = await shownPolicy(service, policyId);
  assert.deepEqual(
    { policyName, effect, condition, consensus, notes },
    {
      policyName: 'Old',
      effect: 'EFFECT_DENY',
      condition: "activity.resource == 'WALLET'",
      consensus: '',
      notes: 'kept',
    },
  );
});

test('create_policy: every operator becomes an expression', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const tags = 'private_key.tags';
  const cases: readonly [selectors: readonly object[], condition: string, consensus?: string][] = [
    [[select('eth.tx.value', 'EQUAL', '1')], 'eth.tx.value == 1'],
    [[select('eth.tx.to', 'EQUAL', '1')], "eth.tx.to == '1'"],
    [[select('eth.tx.to', 'NOT_EQUAL', '')], "eth.tx.to != ''"],
    [[select('eth.tx.value', 'MORE_THAN', '10')], 'eth.tx.value > 10'],
    [[select('eth.tx.value', 'MORE_THAN_OR_EQUAL', '10')], 'eth.tx.value >= 10'],
    [[select('eth.tx.value', 'LESS_THAN', '10')], 'eth.tx.value < 10'],
    [[select('eth.tx.value', 'LESS_THAN_OR_EQUAL', '10')], 'eth.tx.value <= 10'],
    [[select(tags, 'CONTAINS', 'a')], "private_key.tags.contains('a')"],
    [
      [select(tags, 'CONTAINS_ONE', 'a', 'b')],
      "(private_key.tags.contains('a') || private_key.tags.contains('b'))",
    ],
    [
      [select(tags, 'CONTAINS_ALL', 'a', 'b')],
      "(private_key.tags.contains('a') && private_key.tags.contains('b'))",
    ],
    [[select('activity.kind', 'IN', 'A', 'B')], "activity.kind in ['A', 'B']"],
    [[select('activity.kind', 'NOT_IN', 'A')], "!(activity.kind in ['A'])"],
    [
      [
        select('activity.action', 'EQUAL', 'SIGN'),
        select('user.tags', 'CONTAINS_ONE', 'x', 'y'),
        select('wallet.id', 'EQUAL', 'w'),
        select('user.id', 'NOT_EQUAL', 'u'),
      ],
      "activity.action == 'SIGN' && wallet.id == 'w'",
      "approvers.any(user, (user.tags.contains('x') || user.tags.contains('y')) && user.id != 'u')",
    ],
    [[select('user.id', 'EQUAL', 'u')], '', "approvers.any(user, user.id == 'u')"],
  ];
  for (const [i, [selectors, condition, consensus = '']] of cases.entries()) {
    const parameters = described(selectors, { policyName: `Policy ${i}` });
    const { status, body } = await service.submit('create_policy', second.type, parameters);
    assert.equal(status, 200, JSON.stringify(body));
    const shown = await shownPolicy(service, body.activity.result.createPolicyResult.policyId);
    assert.deepEqual([shown.condition, shown.consensus], [condition, consensus]);
  }
  const tried = cases.flatMap(([selectors]) =>
    (selectors as { operator: string }[]).map(({ operator }) => operator),
  );
  assert.deepEqual([...new Set(tried)].sort(), [...selectorOperators].sort());
});

test('create_policy: a selector of the first version has one target', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const selector = { subject: 'activity.kind', operator: 'OPERATOR_IN', target: 'CREATE_WALLET' };
  const parameters = { policyName: 'Oldest', selectors: [selector], effect: 'EFFECT_ALLOW' };
  const { policyId } = await checkActivity(service, {
    ...first,
    parameters,
    malformed: [
      {
        field: 'parameters.selectors.0.targets',
        parameters: { ...parameters, selectors: [{ ...selector, targets: ['x'] }] },
      },
      {
        field: 'parameters.selectors.0.target',
        parameters: {
          ...parameters,
          selectors: [{ subject: selector.subject, operator: selector.operator }],
        },
      },
    ],
  });
  const { condition, notes } = await shownPolicy(service, policyId);
  assert.equal(condition, "activity.kind in ['CREATE_WALLET']");
  assert.equal(notes, '');
  const unsaid = [{ ...selector, subject: 'organization.mood' }];
  await checkRefused(
    service,
    { ...first, parameters: { ...parameters, policyName: 'Wrong', selectors: unsaid } },
    {
      status: 400,
      code: 3,
      text: /no expression of the policy language says this: field does not exist: organization/,
    },
  );
});
