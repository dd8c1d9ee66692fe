// Compiled policies and clauses, as a decision evaluates them.

import type { PolicyEffect } from '../../base/enums.ts';
import type { ClauseOutcome, Clauses, Meter } from '../language/clause.ts';
import type { ClauseTexts } from '../language/compiled_clauses.ts';
import type { FalsePart } from '../language/false_parts.ts';
import type { Scope } from '../language/values.ts';

/** A consensus that holds when at least this many counted users approve. */
export type VoterCount = {
  readonly least: number;
  /** The clause of `ofOne`. Long clauses are compiled in parts before it is evaluated. */
  readonly clauses: ClauseTexts;
  /** Evaluates the clause as if one user sufficed: true on the scope of a counted user. */
  readonly ofOne: DecidingClause['evaluate'];
};

/** A compiled clause. */
export type DecidingClause = {
  /** Never throws and always ends: a meter bounds the steps of all policies of one decision. */
  readonly evaluate: (scope: Scope, meter: Meter) => ClauseOutcome;
  /** Returns true if the consensus depends on the votes in this scope. */
  readonly mentions: (scope: Scope, meter: Meter) => boolean;
  /** Returns the plain count of users; undefined for any other clause. */
  readonly count?: () => VoterCount | undefined;
  /** Returns true if the clause may depend on the credentials of votes. */
  readonly readsCredentials?: () => boolean;
  /** Returns the parts that make it false in this scope, for people. */
  readonly because?: (scope: Scope) => readonly FalsePart[];
};

/** A policy for evaluation. */
export type DecidingPolicy = Clauses<DecidingClause> & {
  readonly id: string;
  readonly name: string;
  readonly effect: PolicyEffect;
};
