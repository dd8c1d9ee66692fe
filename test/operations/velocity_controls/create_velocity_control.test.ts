import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startTestService } from '../../support/harness.ts';
import { checkActivity, checkRefused } from '../checks.ts';
import { describedPolicy } from '../policies/policy_requests.ts';
import {
  aggregationOf,
  describedControl,
  makeControl,
  method,
  shownControlIds,
} from './velocity_control_requests.ts';

const wire = {
  operation: 'create_velocity_control',
  type: 'ACTIVITY_TYPE_CREATE_VELOCITY_CONTROL',
  intent: 'createVelocityControlIntent',
  result: 'createVelocityControlResult',
};

const usdc = 'eip155:1/erc20:0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48';

/** Limits USDC per week and wallet. */
const transferControl = {
  name: 'USDC',
  identifier: 'usdc_weekly',
  dataSource: {
    chainAssetTransfer: {
      definition: [{ caip19: usdc, decimals: '6' }],
      filter: { activity: [{ activityType: 'ACTIVITY_TYPE_SIGN_TRANSACTION_V2' }] },
      phase: { signature: {} },
    },
  },
  aggregation: aggregationOf('10000.000000000000000001', {
    method: `${method}SUM`,
    window: { rolling: { duration: '604800' } },
    groupBy: { wallet: {} },
  }),
};

test('create_velocity_control: stores the described control', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const broken = (parameters: object) => ({ ...describedControl(), ...parameters });
  const { velocityControlId } = await checkActivity(service, {
    ...wire,
    parameters: transferControl,
    malformed: [
      { field: 'parameters.identifier', parameters: broken({ identifier: '' }) },
      { field: 'parameters.dataSource.other', parameters: broken({ dataSource: { other: {} } }) },
      {
        field: 'parameters.aggregation.method',
        parameters: broken({ aggregation: aggregationOf('3', { method: 'MAXIMUM' }) }),
      },
      {
        field: 'parameters.aggregation.groupBy.policy',
        parameters: broken({ aggregation: aggregationOf('3', { groupBy: { policy: {} } }) }),
      },
    ],
  });
  assert.deepEqual(await shownControlIds(service), [velocityControlId]);
  const { body } = await service.query('get_velocity_control', { velocityControlId });
  const { name, identifier, dataSource, aggregation } = body.velocityControl;
  assert.deepEqual({ name, identifier, dataSource, aggregation }, transferControl);
});

test('create_velocity_control: the minimum is accepted', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const aggregation = aggregationOf('0', {
    window: { infinite: {} },
    groupBy: { organization: {} },
  });
  await makeControl(service, { dataSource: { activityExecution: {} }, aggregation });
  await makeControl(service, {
    identifier: 'other',
    dataSource: { chainAssetTransfer: { definition: [{ caip19: usdc, decimals: '255' }] } },
    aggregation,
  });
});

test('create_velocity_control: refuses controls that cannot be counted, and names the member', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const transfers = (changes: object) => ({
    dataSource: {
      chainAssetTransfer: { ...transferControl.dataSource.chainAssetTransfer, ...changes },
    },
    aggregation: transferControl.aggregation,
  });
  const cases: readonly (readonly [field: string, changes: object])[] = [
    ['identifier', { identifier: '1st' }],
    ['identifier', { identifier: 'per-day' }],
    ['identifier', { identifier: 'true' }],
    ['dataSource', { dataSource: {} }],
    [
      'dataSource',
      {
        dataSource: {
          activityExecution: {},
          chainAssetTransfer: { definition: [{ caip19: usdc, decimals: '6' }] },
        },
      },
    ],
    [
      'dataSource.activityExecution.filter.activity.0.activityType',
      { dataSource: { activityExecution: { filter: { activity: [{ activityType: 'SIGN' }] } } } },
    ],
    ['aggregation.method', { aggregation: aggregationOf('3', { method: `${method}SUM` }) }],
    ['dataSource.chainAssetTransfer.phase.submission', transfers({ phase: { submission: {} } })],
    ['dataSource.chainAssetTransfer.phase', transfers({ phase: {} })],
    [
      'dataSource.chainAssetTransfer.definition.0.caip19',
      transfers({ definition: [{ caip19: 'eip155:1/erc721:0x00', decimals: '0' }] }),
    ],
    [
      'dataSource.chainAssetTransfer.definition.1.caip19',
      transfers({
        definition: [
          { caip19: usdc, decimals: '6' },
          { caip19: usdc.toLowerCase(), decimals: '6' },
        ],
      }),
    ],
    [
      'dataSource.chainAssetTransfer.definition.0.decimals',
      transfers({ definition: [{ caip19: usdc, decimals: '256' }] }),
    ],
    ['aggregation.threshold', { aggregation: aggregationOf('1e3') }],
    ['aggregation.threshold', { aggregation: aggregationOf('-1') }],
    ['aggregation.window', { aggregation: aggregationOf('3', { window: {} }) }],
    [
      'aggregation.window',
      { aggregation: aggregationOf('3', { window: { infinite: {}, rolling: { duration: '1' } } }) },
    ],
    [
      'aggregation.window.rolling.duration',
      { aggregation: aggregationOf('3', { window: { rolling: { duration: '0' } } }) },
    ],
    [
      'aggregation.window.rolling.duration',
      { aggregation: aggregationOf('3', { window: { rolling: { duration: '31622401' } } }) },
    ],
    ['aggregation.groupBy', { aggregation: aggregationOf('3', { groupBy: {} }) }],
    [
      'aggregation.groupBy',
      { aggregation: aggregationOf('3', { groupBy: { user: {}, wallet: {} } }) },
    ],
  ];
  for (const [field, changes] of cases) {
    const { status, body } = await service.submit(
      wire.operation,
      wire.type,
      describedControl(changes),
    );
    assert.equal(status, 400, field);
    assert(JSON.stringify(body).includes(`"field":"parameters.${field}"`), JSON.stringify(body));
  }
  assert.deepEqual(await shownControlIds(service), []);
});

test('create_velocity_control: an identifier is unique within its organization', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  await makeControl(service);
  await checkRefused(
    service,
    { ...wire, parameters: describedControl({ name: 'Other' }) },
    {
      status: 400,
      code: 3,
      text: /^velocity control label must be unique: `hourly` already exists/,
    },
  );
});

test('policies: a policy reads existing controls by their identifiers', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const create = (condition: string) =>
    service.submit('create_policy', 'ACTIVITY_TYPE_CREATE_POLICY_V3', {
      ...describedPolicy(condition.slice(0, 200)),
      condition,
    });
  const without = await create('controls.hourly');
  assert.match(
    without.body.message,
    /field does not exist: hourly at \d+: expected no velocity control here/,
  );
  await makeControl(service);
  for (const condition of [
    'controls.hourly',
    '!controls.hourly',
    'controls.hourly == true',
    '[controls].any(c, c.hourly)',
  ]) {
    assert.equal((await create(condition)).status, 200, condition);
  }
  for (const [condition, words] of [
    ['controls.daily', /field does not exist: daily at 9: expected one of hourly, found `daily`/],
    ['[controls].any(c, c.daily)', /field does not exist: daily/],
    ['[controls].all(c, c.hourly && c.daily)', /field does not exist: daily/],
    ['[controls][0].daily', /field does not exist: daily/],
    ['[controls][0..1].filter(c, c.daily).count() == 1', /field does not exist: daily/],
    ['[[controls]].any(l, l.any(c, [c].any(d, d.daily)))', /field does not exist: daily/],
    ["[controls, eth.eip_712.message['x']].any(c, c.daily)", /type mismatch/],
    ["[eth.eip_712.message['x'], controls].any(c, c.daily)", /type mismatch/],
    ["[[controls], eth.eip_712.message['x']].any(l, l.any(c, c.daily))", /type mismatch/],
    ["activity.kind == 'A' && controls.constructor", /field does not exist: constructor/],
    ['controls == true', /type mismatch/],
    ["controls['hourly']", /type mismatch/],
    ['controls.hourly > 3', /type mismatch/],
    ['wallets.any(controls, controls.id == 1)', /name taken/],
  ] as const) {
    const { status, body } = await create(condition);
    assert.equal(status, 400, condition);
    assert.match(body.message, words);
  }
});

test('scopes of sessions and conditions of MFA policies cannot read controls', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  await makeControl(service);
  for (const scope of ['controls.hourly', '[controls].any(c, c.hourly)']) {
    const profile = await service.submit(
      'create_session_profile',
      'ACTIVITY_TYPE_CREATE_SESSION_PROFILE',
      { sessionProfileName: 'Limited', scope },
    );
    assert.equal(profile.status, 400);
    assert.match(profile.body.message, /expected no velocity control here/);
  }
  const mfa = await service.submit('create_mfa_policy', 'ACTIVITY_TYPE_CREATE_MFA_POLICY', {
    userId: service.root.userId,
    mfaPolicyName: 'Limited',
    condition: 'controls.hourly',
    requiredAuthenticationMethods: [{ any: [{ type: 'AUTHENTICATION_TYPE_PASSKEY' }] }],
    order: 0,
  });
  assert.equal(mfa.status, 400);
  assert.match(mfa.body.message, /expected no velocity control here/);
});
