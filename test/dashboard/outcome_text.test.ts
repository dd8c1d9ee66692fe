// Outcomes of policies in a decision.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { outcomeText } from '../../dashboard/components/outcome_text.ts';

test('a policy that denies does not fail to allow', () => {
  const outcome = 'OUTCOME_DENY_IMPLICIT';
  assert.equal(outcomeText('EFFECT_DENY', outcome), 'does not deny');
  assert.equal(outcomeText('EFFECT_ALLOW', outcome), 'does not allow');
  assert.equal(outcomeText(undefined, outcome), 'does not allow');
  assert.equal(outcomeText('EFFECT_DENY', 'OUTCOME_DENY_EXPLICIT'), 'denies');
});
