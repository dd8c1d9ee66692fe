import type { MfaStanding } from '../../mfa/mfa.ts';
import type { Decision, Verdict } from './decision.ts';

/** The decision as it stands while some of this is missing; the same where nothing is. */
export function whileMissing(decision: Decision, standings: readonly MfaStanding[]): Decision {
  const missing = standings.filter(({ satisfied }) => !satisfied);
  if (missing.length === 0) return decision;
  const verdicts = decision.verdicts.map((verdict): Verdict => {
    if (verdict.outcome !== 'OUTCOME_ALLOW') return verdict;
    return { ...verdict, outcome: 'OUTCOME_REQUIRES_AUTHENTICATORS' };
  });
  return { ...decision, outcome: 'wait', verdicts, missing };
}
