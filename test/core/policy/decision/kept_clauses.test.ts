import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  type ClauseRecord,
  clausesAgain,
  clausesOf,
  keptClauses,
  wasEditedSince,
} from '../../../../src/core/policy/decision/kept_clauses.ts';
import type { ClauseOutcome } from '../../../../src/core/policy/language/clause.ts';

const failure = (message: string, position: number): ClauseOutcome => ({
  failure: { code: 'namespace_absent', position, message },
});
const yes = { value: true };
const no = { value: false };

test('results of clauses are stored as letters, each failure once', () => {
  const ofEthereum = (position: number) => ({
    condition: failure('there is no eth.tx', position),
    consensus: 'absent' as const,
    time: 'absent' as const,
  });
  const policies = [
    { condition: yes, consensus: no, time: 'absent' as const },
    ofEthereum(0),
    ofEthereum(17),
    { condition: no, consensus: 'not_asked' as const, time: 'absent' as const },
  ];
  const kept = keptClauses(policies);
  const at = [
    [1, 0],
    [2, 17],
  ];
  const message = 'there is no eth.tx';
  assert.deepEqual(kept, {
    condition: 'H2FN',
    consensus: 'N2AQ',
    failures: [{ clause: 'condition', code: 'namespace_absent', message, at }],
  });
  assert.deepEqual(clausesAgain(kept, 4), policies);
  assert.deepEqual(keptClauses([]), {});
});

test('stored clauses are read back unchanged', () => {
  const record = fc.oneof(
    fc.constantFrom<ClauseRecord>('absent', 'not_asked', yes, no),
    fc
      .tuple(fc.constantFrom('a', 'b', 'it/is'), fc.nat(200))
      .map(([message, position]) => failure(message, position)),
  );
  const policy = fc.record(
    { condition: record, consensus: record, time: record },
    { noNullPrototype: true },
  );
  fc.assert(
    fc.property(fc.array(policy, { maxLength: 30 }), (policies) => {
      const stored = JSON.parse(JSON.stringify(keptClauses(policies)));
      assert.deepEqual(clausesAgain(stored, policies.length), policies);
    }),
  );
});

test('an absent clause is not stored as true', () => {
  const clause = { evaluate: () => yes, mentions: () => false };
  const policy = { id: 'p', name: 'P', effect: 'EFFECT_ALLOW', time: undefined } as const;
  const outcome = 'OUTCOME_ALLOW';
  const verdict = { outcome, condition: yes, consensus: undefined, time: yes } as const;
  const withBoth = { ...policy, condition: clause, consensus: clause };
  assert.deepEqual(clausesOf({ ...verdict, policy: withBoth }), {
    condition: yes,
    consensus: 'not_asked',
    time: 'absent',
  });
  const without = { ...policy, condition: undefined, consensus: undefined };
  assert.deepEqual(clausesOf({ ...verdict, policy: without, consensus: yes }), {
    condition: 'absent',
    consensus: 'absent',
    time: 'absent',
  });
});

test('a policy counts as edited if it changed at or after the decision, and not by its creation', () => {
  const edited = (createdAtMs: number, updatedAtMs: number) =>
    wasEditedSince({ createdAtMs, updatedAtMs }, 5);
  assert.equal(edited(1, 1), false);
  assert.equal(edited(1, 4), false);
  assert.equal(edited(1, 5), true);
  assert.equal(edited(1, 6), true);
  assert.equal(edited(5, 5), false);
});
