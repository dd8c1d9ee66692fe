// Counters that are stored and removed, and requests without a counter.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createDraft, newOrganizationState } from '../../../../src/core/organization/state.ts';
import type { CountedRequest } from '../../../../src/core/policy/velocity/control.ts';
import {
  controlFacts,
  countRequest,
  maximumCounters,
} from '../../../../src/core/policy/velocity/counting.ts';

const times = { createdAtMs: 1, updatedAtMs: 1 };
const now = 100_000;

/** Returns an organization whose policy reads one control per wallet, with this number of counters. */
function organizationWith(counters: number) {
  const head = { name: 'Full', rootQuorum: { threshold: 1, userIds: [] }, features: [], ...times };
  const draft = createDraft(newOrganizationState('organization', undefined, head));
  draft.put('velocity_control', {
    id: 'control',
    name: 'Hourly',
    identifier: 'hourly',
    dataSource: { activityExecution: {} },
    aggregation: {
      method: 'VELOCITY_CONTROL_AGGREGATION_METHOD_COUNT',
      operator: 'VELOCITY_CONTROL_AGGREGATION_OPERATOR_LESS_THAN_OR_EQUAL',
      threshold: '5',
      window: { infinite: {} },
      groupBy: { wallet: {} },
    },
    ...times,
  });
  draft.put('policy', {
    id: 'policy',
    name: 'Reads it',
    effect: 'EFFECT_ALLOW',
    condition: 'controls.hourly',
    notes: '',
    ...times,
  });
  for (let i = 0; i < counters; i += 1) {
    const wallet = { id: `wallet ${i}`, name: `Wallet ${i}`, secret: '', exported: false };
    draft.put('wallet', { ...wallet, imported: false, language: 'ENGLISH', ...times } as never);
    countRequest(draft, () => request(wallet.id), draft, { now, newId: () => `counter ${i}` });
  }
  return draft;
}

const request = (...walletIds: string[]): CountedRequest => ({
  activityType: 'ACTIVITY_TYPE_SIGN_RAW_PAYLOAD_V2',
  executions: 1,
  transfers: [],
  userId: '',
  walletIds,
});

test('full counters stop no request, and new groups have no value', () => {
  const full = organizationWith(maximumCounters);
  assert.equal(full.rows('velocity_counter').size, maximumCounters);
  countRequest(full, () => request('newcomer'), full, { now, newId: () => 'one more' });
  assert.equal(full.rows('velocity_counter').size, maximumCounters);
  assert.deepEqual({ ...controlFacts(full, () => request('newcomer'), now) }, {});
  assert.deepEqual({ ...controlFacts(full, () => request('wallet 3'), now) }, { hourly: true });
});

test('a request for several wallets counts for each, and each limits it', () => {
  const draft = organizationWith(0);
  const context = { now, newId: () => `counter ${draft.rows('velocity_counter').size}` };
  const holds = (...walletIds: string[]) =>
    controlFacts(draft, () => request(...walletIds), now)['hourly'];
  for (const id of ['a', 'b']) {
    const wallet = { id, name: id, secret: '', exported: false, imported: false };
    draft.put('wallet', { ...wallet, language: 'ENGLISH', ...times } as never);
  }
  while (holds('a') === true) countRequest(draft, () => request('a'), draft, context);
  assert.equal(holds('b'), true);
  assert.equal(holds('a', 'b'), false, 'a second wallet is no way around the limit of the first');
  countRequest(draft, () => request('a', 'b'), draft, context);
  assert.deepEqual(
    draft
      .list('velocity_counter')
      .map(({ groupId }) => groupId)
      .sort(),
    ['a', 'b'],
  );
});

test('a control holds for a new group only if there is room to count the group', () => {
  const nearly = organizationWith(maximumCounters - 1);
  assert.deepEqual({ ...controlFacts(nearly, () => request('one', 'two'), now) }, {});
  assert.deepEqual({ ...controlFacts(nearly, () => request('newcomer'), now) }, { hourly: true });
  countRequest(nearly, () => request('newcomer'), nearly, { now, newId: () => 'one more' });
  assert.equal(nearly.rows('velocity_counter').size, maximumCounters);
});

/** Returns a counter of one request at time zero. */
const counterOf = (id: string, controlId: string, groupId: string) => ({
  id,
  controlId,
  groupId,
  counts: [{ stretch: 0, amount: '1' }],
  ...times,
});

test('a counted request removes counters that can never count again', () => {
  const draft = organizationWith(1);
  const control = draft.get('velocity_control', 'control');
  assert(control !== undefined);
  const window = { rolling: { duration: '1' } };
  const aggregation = { ...control.aggregation, window };
  draft.put('velocity_control', { ...control, id: 'rolling', identifier: 'r', aggregation });
  draft.put('user', { id: 'alice', name: 'Alice', tagIds: [], ...times });
  draft.put('private_key', { id: 'key', name: 'Key', ...times } as never);
  for (const [controlId, groupId] of [
    ['control', ''],
    ['control', 'alice'],
    ['control', 'key'],
    ['control', 'wallet that was deleted'],
    ['control that was deleted', ''],
    ['rolling', 'wallet 0'],
  ] as const) {
    draft.put('velocity_counter', counterOf(`${controlId}/${groupId}`, controlId, groupId));
  }
  const shown = () =>
    draft
      .list('velocity_counter')
      .map(({ controlId, groupId }) => `${controlId}/${groupId}`)
      .sort();
  const before = shown();
  assert.equal(before.length, 7);
  const nothing = { ...request('wallet 0'), executions: 0 };
  countRequest(draft, () => nothing, draft, { now, newId: () => 'none' });
  assert.deepEqual(shown(), before, 'what counts nothing changes nothing');
  countRequest(draft, () => request('wallet 0'), draft, { now, newId: () => 'new' });
  assert.deepEqual(shown(), [
    'control/',
    'control/alice',
    'control/key',
    'control/wallet 0',
    'rolling/wallet 0',
  ]);
  const counts = draft.get('velocity_counter', 'new')?.counts;
  assert.deepEqual(
    counts?.map(({ amount }) => amount),
    ['1'],
    'the amount that had left the window is gone',
  );
});

test('a control that the request itself deletes counts nothing', () => {
  const before = organizationWith(0);
  const draft = organizationWith(0);
  draft.remove('velocity_control', 'control');
  countRequest(before, () => request('wallet 0'), draft, { now, newId: () => 'one' });
  assert.equal(draft.rows('velocity_counter').size, 0);
});

test('counters of deleted groups make room for new groups', () => {
  const draft = organizationWith(1);
  for (let i = 1; i < maximumCounters; i += 1) {
    const groupId = i === 1 ? 'wallet that was deleted' : 'wallet 0';
    draft.put('velocity_counter', counterOf(`more ${i}`, 'control', groupId));
  }
  assert.equal(draft.rows('velocity_counter').size, maximumCounters);
  assert.deepEqual({ ...controlFacts(draft, () => request('newcomer'), now) }, { hourly: true });
});

test('without controls, or policies that read them, no request is counted', () => {
  const unread = organizationWith(0);
  unread.remove('policy', 'policy');
  const without = organizationWith(0);
  without.remove('policy', 'policy');
  without.remove('velocity_control', 'control');
  const looked = () => assert.fail('it looked at the request');
  for (const organization of [unread, without]) {
    assert.deepEqual(Object.keys(controlFacts(organization, looked, now)), []);
  }
  countRequest(without, looked, without, { now, newId: () => 'one' });
  assert.equal(without.rows('velocity_counter').size, 0);
});

test('a control of sums is absent for a request that may move more than it shows', () => {
  const draft = organizationWith(0);
  const control = draft.get('velocity_control', 'control');
  assert(control !== undefined);
  draft.put('velocity_control', {
    ...control,
    dataSource: {
      chainAssetTransfer: { definition: [{ caip19: 'eip155:1/slip44:60', decimals: '18' }] },
    },
    aggregation: { ...control.aggregation, method: 'VELOCITY_CONTROL_AGGREGATION_METHOD_SUM' },
  });
  const transfer = { chain: 'eip155:1', token: '', from: '0xa', to: '0xb', amount: 0n };
  const factsOf = (isAtLeast: boolean) => {
    const transfers = [{ ...transfer, ...(isAtLeast ? { isAtLeast } : {}) }];
    return { ...controlFacts(draft, () => ({ ...request('a'), transfers }), now) };
  };
  assert.deepEqual(factsOf(false), { hourly: true });
  assert.deepEqual(factsOf(true), {});
});
