// When there is no room for another counter.

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

/** An organization with one control of each wallet that a policy reads, and so many counters of it. */
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

test('full counters keep no request from being carried out, and tell nothing of new groups', () => {
  const full = organizationWith(maximumCounters);
  assert.equal(full.rows('velocity_counter').size, maximumCounters);
  countRequest(full, () => request('newcomer'), full, { now, newId: () => 'one more' });
  assert.equal(full.rows('velocity_counter').size, maximumCounters);
  assert.deepEqual({ ...controlFacts(full, () => request('newcomer'), now) }, {});
  assert.deepEqual({ ...controlFacts(full, () => request('wallet 3'), now) }, { hourly: true });
});

test('a request of several wallets counts for each, and each of them bounds it', () => {
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
