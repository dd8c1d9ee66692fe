// The steps that evaluations take from their meters.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compileClause, mentions, newMeter } from '../../../../src/core/policy/language/clause.ts';
import type { Scope } from '../../../../src/core/policy/language/values.ts';

test('steps are taken from a meter and all its outer meters', () => {
  const outermost = { steps: 100 };
  const within = { steps: 5, within: outermost };
  const meter = newMeter(within);
  const before = meter.steps;
  const scope = { approvers: [], activity: { type: 'a' } };
  const clause = compileClause('condition', "activity.type == 'a'");
  assert.deepEqual(clause.evaluate(scope, meter), { value: true });
  const taken = before - meter.steps;
  assert.equal(taken, 4);
  assert.deepEqual([within.steps, outermost.steps], [5 - taken, 100 - taken]);
  // The outer meter falls below zero, which does not end the evaluation.
  const consensus = compileClause('consensus', 'approvers.count() == 0');
  assert.equal(mentions(consensus, scope, meter), true);
  const inAll = before - meter.steps;
  assert(inAll > 5);
  assert.deepEqual([within.steps, outermost.steps], [5 - inAll, 100 - inAll]);
});

/** Returns the steps of one evaluation in a DENY. */
function stepsOf(text: string, scope: Scope): number {
  const meter = newMeter();
  compileClause('condition', text).evaluate(scope, meter, 'three_valued');
  return newMeter().steps - meter.steps;
}

test('a search takes as many steps for uncertain elements as for certain ones', () => {
  const keys = Array.from({ length: 100 }, (_, i) => `${i}`);
  const scope = (wallet: Scope): Scope => ({ solana: { tx: { account_keys: keys } }, wallet });
  const search = `'a' in solana.tx.account_keys.filter(k, wallet.imported)`;
  const known = stepsOf(search, scope({ imported: true }));
  assert(known > stepsOf(search, scope({ imported: false })) + 99);
  assert.equal(stepsOf(search, scope({})), known);
});

test('a comparison with a long literal takes steps, and a list of literals takes none', () => {
  const scope: Scope = { eth: { tx: { data: '0x', value: 1n } } };
  const long = 'y'.repeat(8_000);
  const short = stepsOf(`eth.tx.data == 'y'`, scope);
  assert.equal(stepsOf(`eth.tx.data == '${long}'`, scope), short + 1_000);
  for (const [fact, literals] of [
    ['eth.tx.data', Array.from({ length: 100 }, (_, i) => `'${i}'`)],
    ['eth.tx.value', Array.from({ length: 100 }, (_, i) => `${i}`)],
  ] as const) {
    const one = stepsOf(`${fact} in [${literals[0]}]`, scope);
    assert.equal(stepsOf(`${fact} in [${literals.join(', ')}]`, scope), one, fact);
    const counted = stepsOf(`[${literals[0]}].count() > 1`, scope);
    assert.equal(stepsOf(`[${literals.join(', ')}].count() > 1`, scope), counted, fact);
  }
});

test('with an empty meter each clause fails with step_limit, and no vote matters', () => {
  for (const logic of ['strict', 'three_valued'] as const) {
    for (const steps of [0, -1]) {
      const meter = { steps };
      const outcome = compileClause('condition', 'true').evaluate({}, meter, logic);
      assert('failure' in outcome);
      assert.deepEqual([outcome.failure.code, outcome.failure.position], ['step_limit', 0]);
      const consensus = compileClause('consensus', 'approvers.count() == 0');
      assert.equal(mentions(consensus, { approvers: [] }, meter), false);
      assert.equal(meter.steps, steps);
    }
  }
});
