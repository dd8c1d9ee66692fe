// The meters that evaluations take their steps from.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compileClause, mentions, newMeter } from '../../../../src/core/policy/language/clause.ts';

test('steps are taken from a meter and from those that it is within', () => {
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
  // The outer one ends below nothing, which does not end the evaluation.
  const consensus = compileClause('consensus', 'approvers.count() == 0');
  assert.equal(mentions(consensus, scope, meter), true);
  const inAll = before - meter.steps;
  assert(inAll > 5);
  assert.deepEqual([within.steps, outermost.steps], [5 - inAll, 100 - inAll]);
});
