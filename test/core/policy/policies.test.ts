// All policies of an organization together, and policies that were stored under earlier rules.

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { ServiceError } from '../../../src/core/errors/errors.ts';
import type { Policy } from '../../../src/core/organization/model.ts';
import { createDraft, newOrganizationState } from '../../../src/core/organization/state.ts';
import {
  checkClauseSize,
  clausesOfUpdate,
  compilePolicies,
  maximumPolicyUnits,
  updatePolicy,
} from '../../../src/core/policy/policies.ts';
import { policyDigest } from '../../../src/core/policy/sets/policy_set.ts';

const times = { createdAtMs: 1, updatedAtMs: 1 };

let ids = 0;
const context = () => ({ now: 2, newId: () => `id ${++ids}` });

function draftWith(changes: Partial<Policy>) {
  const head = { name: 'One', rootQuorum: { threshold: 1, userIds: [] }, features: [], ...times };
  const draft = createDraft(newOrganizationState('organization', undefined, head));
  draft.put('policy', {
    id: 'p',
    name: 'One',
    effect: 'EFFECT_ALLOW',
    condition: 'true',
    consensus: 'true',
    notes: '',
    ...times,
    ...changes,
  });
  return draft;
}

const isRefused = (code: string) => (error: unknown) =>
  error instanceof ServiceError && error.code === code;

test('the policies of an organization have a maximum number of characters together', () => {
  const unitsOf = ({ name, condition, consensus, time, notes }: Policy) =>
    JSON.stringify([name, condition, consensus, time, notes]).length;
  const draft = draftWith({});
  const empty = updatePolicy('p', { policyNotes: '' }, draft, context());
  const policyNotes = 'x'.repeat(maximumPolicyUnits - unitsOf(empty));
  assert.equal(unitsOf(updatePolicy('p', { policyNotes }, draft, context())), maximumPolicyUnits);
  assert.throws(
    () => updatePolicy('p', { policyNotes: `${policyNotes}x` }, draft, context()),
    isRefused('limit_exceeded'),
  );
});

test('a policy with an outdated clause can be changed elsewhere, but not in that clause', () => {
  const condition = 'no.such == name';
  const draft = draftWith({ condition });
  assert.equal(updatePolicy('p', { policyNotes: 'why' }, draft, context()).condition, condition);
  assert.throws(
    () => updatePolicy('p', { policyCondition: condition }, draft, context()),
    isRefused('policy_expression_invalid'),
  );
});

test('the clauses of a request are bounded like those of an organization', () => {
  const clause = 'x'.repeat(maximumPolicyUnits / 2);
  const described = [{ condition: clause }, { consensus: clause.slice(1), time: 'x' }];
  checkClauseSize(described);
  assert.throws(
    () => checkClauseSize([...described, { condition: 'x' }]),
    isRefused('limit_exceeded'),
  );
});

test('the clauses of an update are the changed ones', () => {
  const policyConsensus = 'true';
  assert.deepEqual(clausesOfUpdate({ policyConsensus, time: 'now' }), {
    condition: undefined,
    consensus: 'true',
    time: 'now',
  });
  assert.deepEqual(clausesOfUpdate({ policyCondition: 'false', time: '' }), {
    condition: 'false',
    consensus: undefined,
  });
});

test('clauses are compiled with pauses, up to the bound of a request', async () => {
  const pausesOf = async (condition: string) => {
    let pauses = 0;
    const pause = async () => {
      pauses += 1;
    };
    await compilePolicies([{ condition }], { id: 'compiled' }, pause);
    return pauses;
  };
  // Compiled clauses are cached by text, also between runs of this file in one process.
  const full = `'${randomUUID()}' != ''`.padEnd(maximumPolicyUnits);
  assert((await pausesOf(full)) > 0);
  assert.equal(await pausesOf(`${full} `), 0, 'a longer request is rejected later');
});

test('a policy is hashed once for any number of sets', () => {
  let reads = 0;
  const policy = {
    id: '01900000-0000-7000-8000-000000000001',
    name: 'Policy',
    effect: 'EFFECT_ALLOW' as const,
    get notes() {
      reads += 1;
      return 'long';
    },
  };
  const digest = policyDigest(policy);
  assert.equal(policyDigest(policy), digest);
  assert.equal(reads, 1);
  assert.notEqual(policyDigest({ ...policy, name: 'Another' }), digest);
});
