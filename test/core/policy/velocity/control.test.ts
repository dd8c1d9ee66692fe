import assert from 'node:assert/strict';
import { test } from 'node:test';
import type {
  Aggregation,
  DataSource,
  VelocityControl,
} from '../../../../src/core/organization/records/velocity_controls.ts';
import {
  type CountedRequest,
  evaluableControl,
} from '../../../../src/core/policy/velocity/control.ts';

const usdc = '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48';
const oneEther = 10n ** 18n;
const etherSource: DataSource = {
  chainAssetTransfer: { definition: [{ caip19: 'eip155:1/slip44:60', decimals: '18' }] },
};

function controlOf(dataSource: DataSource, changes: Partial<Aggregation> = {}): VelocityControl {
  const aggregation: Aggregation = {
    method: 'VELOCITY_CONTROL_AGGREGATION_METHOD_SUM',
    operator: 'VELOCITY_CONTROL_AGGREGATION_OPERATOR_LESS_THAN_OR_EQUAL',
    threshold: '1',
    window: { rolling: { duration: '86400' } },
    groupBy: { user: {} },
    ...changes,
  };
  const times = { createdAtMs: 1, updatedAtMs: 1 };
  return { id: 'id', name: 'Name', identifier: 'daily', dataSource, aggregation, ...times };
}

const transferOf = (amount: bigint, changes: object = {}) => ({
  chain: 'eip155:1',
  token: '',
  from: '0xa',
  to: '0xb',
  amount,
  ...changes,
});

const request = (changes: Partial<CountedRequest> = {}): CountedRequest => ({
  activityType: 'ACTIVITY_TYPE_SIGN_TRANSACTION_V2',
  executions: 1,
  transfers: [],
  userId: 'user',
  walletIds: ['wallet'],
  ...changes,
});

test('a limit of 1 ETH is compared in the smallest unit', () => {
  const control = evaluableControl(controlOf(etherSource));
  assert(control.holds(oneEther));
  assert(!control.holds(oneEther + 1n));
  const transfers = [transferOf(oneEther / 2n), transferOf(1n)];
  assert.equal(control.amountOf(request({ transfers })), oneEther / 2n + 1n);
  assert.deepEqual(control.groupsOf(request()), ['user']);
});

test('operators compare exactly', () => {
  const rows = [
    ['LESS_THAN', [true, false, false]],
    ['LESS_THAN_OR_EQUAL', [true, true, false]],
    ['EQUAL', [false, true, false]],
    ['GREATER_THAN_OR_EQUAL', [false, true, true]],
    ['GREATER_THAN', [false, false, true]],
  ] as const;
  for (const [name, expected] of rows) {
    const operator = `VELOCITY_CONTROL_AGGREGATION_OPERATOR_${name}` as const;
    const threshold = '0.000000000000000002';
    const { holds } = evaluableControl(controlOf(etherSource, { operator, threshold }));
    assert.deepEqual([holds(1n), holds(2n), holds(3n)], expected, name);
  }
  // The threshold lies between one and two smallest units.
  const definition = [{ caip19: `eip155:1/erc20:${usdc}`, decimals: '6' }];
  const between = controlOf({ chainAssetTransfer: { definition } }, { threshold: '0.0000015' });
  const { holds } = evaluableControl(between);
  assert.deepEqual([holds(1n), holds(2n)], [true, false]);
});

test('assets with different decimals are summed in whole units', () => {
  const definition = [
    { caip19: `eip155:1/erc20:${usdc}`, decimals: '6' },
    { caip19: 'eip155:56/erc20:0x8AC76a51cc950d9822D68b83fE1Ad97B32Cd580d', decimals: '18' },
  ];
  const control = evaluableControl(
    controlOf({ chainAssetTransfer: { definition } }, { threshold: '10000' }),
  );
  const transfers = [
    transferOf(4_000_000_000n, { token: usdc }),
    transferOf(6_000n * oneEther, {
      chain: 'eip155:56',
      token: '0x8ac76a51cc950d9822d68b83fe1ad97b32cd580d',
    }),
    transferOf(oneEther),
  ];
  const sum = control.amountOf(request({ transfers }));
  assert(control.holds(sum));
  assert(!control.holds(sum + 1n));
});

test('a transfer with several possible assets counts as the largest of them', () => {
  const mints = [
    'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v',
    'So11111111111111111111111111111111111111112',
  ];
  const definition = mints.map((mint, i) => ({
    caip19: `solana:mainnet/token:${mint}`,
    decimals: i === 0 ? '6' : '9',
  }));
  const control = evaluableControl(controlOf({ chainAssetTransfer: { definition } }));
  const transfers = [transferOf(5n, { chain: 'solana', token: undefined })];
  assert.equal(control.amountOf(request({ transfers })), 5_000n);
});

test('an amount that stays with its owner is not a transfer', () => {
  const control = evaluableControl(controlOf(etherSource));
  const transfers = [transferOf(oneEther, { to: '0xa' })];
  assert.equal(control.amountOf(request({ transfers })), 0n);
});

test('COUNT counts transfers of the assets, SUM adds them up', () => {
  const method = 'VELOCITY_CONTROL_AGGREGATION_METHOD_COUNT';
  const control = evaluableControl(controlOf(etherSource, { method, threshold: '2.5' }));
  const transfers = [transferOf(7n), transferOf(9n), transferOf(9n, { chain: 'eip155:10' })];
  assert.equal(control.amountOf(request({ transfers })), 2n);
  assert.deepEqual([control.holds(2n), control.holds(3n)], [true, false]);
});

test('activities count once for each payload; a filter applies to all versions of a kind', () => {
  const method = 'VELOCITY_CONTROL_AGGREGATION_METHOD_COUNT';
  const filtered = (...types: string[]) =>
    evaluableControl(
      controlOf(
        {
          activityExecution: {
            filter: { activity: types.map((activityType) => ({ activityType })) },
          },
        },
        { method, groupBy: { wallet: {} } },
      ),
    );
  const control = filtered('ACTIVITY_TYPE_SIGN_RAW_PAYLOAD_V2');
  const amount = (activityType: string, executions = 1) =>
    control.amountOf(request({ activityType, executions }));
  assert.equal(amount('ACTIVITY_TYPE_SIGN_RAW_PAYLOAD_V2'), 1n);
  assert.equal(amount('ACTIVITY_TYPE_SIGN_RAW_PAYLOAD'), 1n);
  assert.equal(amount('ACTIVITY_TYPE_SIGN_RAW_PAYLOAD', 250), 250n);
  assert.equal(amount('ACTIVITY_TYPE_SIGN_RAW_PAYLOADS'), 0n);
  assert.equal(amount('ACTIVITY_TYPE_CREATE_WALLET'), 0n);
  assert.deepEqual(control.groupsOf(request({ walletIds: ['a', 'b'] })), ['a', 'b']);
  assert.equal(filtered().amountOf(request({ activityType: 'ACTIVITY_TYPE_CREATE_WALLET' })), 1n);
});

test('a sum has no value for a request that may move more of a counted asset than it shows', () => {
  const definition = [
    { caip19: 'eip155:1/slip44:60', decimals: '18' },
    { caip19: `eip155:1/erc20:${usdc}`, decimals: '6' },
  ];
  const sum = evaluableControl(controlOf({ chainAssetTransfer: { definition } }));
  const open = transferOf(0n, { isAtLeast: true });
  const rows: readonly [string, ReturnType<typeof transferOf>[], boolean][] = [
    ['a known amount', [transferOf(1n)], true],
    ['an open amount of the first asset', [open], false],
    ['an open amount of the second asset', [{ ...open, token: usdc }], false],
    ['an open amount beside known ones', [transferOf(1n), open], false],
    ['an open amount of another token', [{ ...open, token: `0x${'11'.repeat(20)}` }], true],
    ['an open amount of another chain', [{ ...open, chain: 'eip155:5' }], true],
    ['an open amount to the account itself', [{ ...open, to: open.from }], true],
  ];
  for (const [name, transfers, isKnown] of rows) {
    assert.equal(sum.isKnown(request({ transfers })), isKnown, name);
  }
});

test('open amounts affect neither counts, nor activities that the filter excludes', () => {
  const transfers = [transferOf(0n, { isAtLeast: true })];
  const method = 'VELOCITY_CONTROL_AGGREGATION_METHOD_COUNT' as const;
  const count = evaluableControl(controlOf(etherSource, { method }));
  assert(count.isKnown(request({ transfers })));
  const filter = { activity: [{ activityType: 'ACTIVITY_TYPE_SIGN_TRANSACTION_V2' }] };
  const definition = etherSource.chainAssetTransfer?.definition ?? [];
  const filtered = evaluableControl(controlOf({ chainAssetTransfer: { definition, filter } }));
  assert(!filtered.isKnown(request({ transfers })));
  const activityType = 'ACTIVITY_TYPE_ETH_SEND_TRANSACTION';
  assert(filtered.isKnown(request({ transfers, activityType })));
});
