// Selectors with any text become an equivalent expression, or are refused. The expression of each operator
// is in test/operations/policies/create_policy_versions.test.ts.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { ServiceError } from '../../../src/core/errors/errors.ts';
import { type ClauseName, compileClause } from '../../../src/core/policy/language/clause.ts';
import {
  clausesOfSelectors,
  type Selector,
  selectorOperators,
} from '../../../src/core/policy/policy_selectors.ts';

const names = ['activity.kind', 'eth.tx.value', 'private_key.tags', 'user.id', 'user.tags'];

const anySelector = fc.record<Selector>({
  subject: fc.oneof({ arbitrary: fc.constantFrom(...names), weight: 9 }, fc.string()),
  operator: fc.constantFrom(...selectorOperators),
  targets: fc.array(
    fc.oneof(fc.string(), fc.constantFrom("'", "' || 'a' == 'a", '1', '-1', 'true', '\n')),
    { minLength: 1, maxLength: 2 },
  ),
});

test('any selectors become valid clauses, or are refused with their path', () => {
  let accepted = 0;
  fc.assert(
    fc.property(fc.array(anySelector, { minLength: 1, maxLength: 2 }), (selectors) => {
      try {
        const clauses = Object.entries(clausesOfSelectors(selectors, 'parameters.selectors'));
        assert.ok(clauses.length > 0);
        for (const [name, text] of clauses) compileClause(name as ClauseName, text);
        accepted += 1;
      } catch (error) {
        if (!(error instanceof ServiceError)) throw error;
        assert.equal(error.code, 'field_invalid');
        assert.match(error.fieldViolations[0]?.field ?? '', /^parameters\.selectors\.[012](\.|$)/);
      }
    }),
    { numRuns: 500, seed: 1 },
  );
  assert.ok(accepted > 20);
});

test('a target becomes one literal, whatever it contains', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (target) => {
      const selector: Selector = {
        subject: 'activity.kind',
        operator: 'OPERATOR_EQUAL',
        targets: [target],
      };
      const isWritable = !target.includes("'");
      try {
        const { condition = '' } = clausesOfSelectors([selector], 'selectors');
        assert.equal(condition, `activity.kind == '${target}'`);
        const scope = { activity: { kind: target } };
        assert.deepEqual(compileClause('condition', condition).evaluate(scope), { value: true });
      } catch (error) {
        if (isWritable || !(error instanceof ServiceError)) throw error;
      }
    }),
    { seed: 1 },
  );
});
