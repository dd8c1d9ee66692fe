// The stored form of the clauses in a decision: a letter for each clause of each policy, and each distinct
// failure with its places.

import { assert } from '../../errors/errors.ts';
import type { Policy } from '../../organization/model.ts';
import type { RecordedClauses, RecordedFailure } from '../../organization/records/activity.ts';
import type { ClauseName, ClauseOutcome, EvaluationFailureCode } from '../language/clause.ts';
import { isTrue } from '../language/clause_outcomes.ts';
import type { PolicyVerdict } from './decision.ts';
import { counted, spelledOut } from './verdict_codes.ts';

/** The record of a clause; the consensus is not evaluated if the condition decides for all votes. */
export type ClauseRecord = ClauseOutcome | 'absent' | 'not_asked';

export const clauseNames = ['condition', 'consensus', 'time'] as const;

export type ClauseRecords = Readonly<Record<ClauseName, ClauseRecord>>;

/** Returns true if a policy was edited after a decision, or in the same millisecond. */
export function wasEditedSince(
  { createdAtMs, updatedAtMs }: Pick<Policy, 'createdAtMs' | 'updatedAtMs'>,
  decidedAtMs: number,
): boolean {
  return updatedAtMs >= decidedAtMs && updatedAtMs !== createdAtMs;
}

/** Returns the outcomes of a policy's clauses in a decision. */
export function clausesOf({ policy, condition, consensus, time }: PolicyVerdict): ClauseRecords {
  return {
    condition: policy.condition === undefined ? 'absent' : condition,
    consensus: policy.consensus === undefined ? 'absent' : (consensus ?? 'not_asked'),
    time: policy.time === undefined ? 'absent' : time,
  };
}

/** Returns the compact form of the clauses of all policies in a decision. */
export function keptClauses(policies: readonly ClauseRecords[]): RecordedClauses {
  const failures = new Map<string, RecordedFailure & { at: [number, number][] }>();
  const lettersOf = (clause: ClauseName) =>
    counted(
      policies.map((records, policy) => {
        const record = records[clause];
        if (typeof record === 'string') return letters[record];
        if ('value' in record) return isTrue(record) ? letters.holds : letters.does_not_hold;
        const { code, position, message } = record.failure;
        failures
          .getOrInsertComputed(`${clause}/${code}/${message}`, () => ({
            clause,
            code,
            message,
            at: [],
          }))
          .at.push([policy, position]);
        return letters.failed;
      }),
    );
  const texts = clauseNames.map((clause) => [clause, lettersOf(clause)] as const);
  const notable = texts.filter(([, text]) => !/^\d*A?$/.test(text));
  return {
    ...Object.fromEntries(notable),
    ...(failures.size === 0 ? {} : { failures: [...failures.values()] }),
  };
}

/** Unpacks the clauses of this many policies. */
export function clausesAgain(kept: RecordedClauses, count: number): readonly ClauseRecords[] {
  const failures = new Map(
    (kept.failures ?? []).flatMap(({ clause, code, message, at }) =>
      at.map(([policy, position]) => {
        const failure = { code: code as EvaluationFailureCode, position, message };
        return [`${clause}/${policy}`, { failure }] as const;
      }),
    ),
  );
  const spelled = {
    condition: spelledOut(kept.condition ?? ''),
    consensus: spelledOut(kept.consensus ?? ''),
    time: spelledOut(kept.time ?? ''),
  };
  const recordOf = (clause: ClauseName, policy: number): ClauseRecord => {
    const letter = spelled[clause].charAt(policy) || letters.absent;
    if (letter === letters.absent) return 'absent';
    if (letter === letters.not_asked) return 'not_asked';
    if (letter !== letters.failed) return { value: letter === letters.holds };
    const failed = failures.get(`${clause}/${policy}`);
    assert(failed !== undefined, 'a clause that failed is kept with its failure');
    return failed;
  };
  return Array.from({ length: count }, (_, policy) => ({
    condition: recordOf('condition', policy),
    consensus: recordOf('consensus', policy),
    time: recordOf('time', policy),
  }));
}

const letters = {
  absent: 'A',
  holds: 'H',
  does_not_hold: 'N',
  failed: 'F',
  not_asked: 'Q',
} as const;
