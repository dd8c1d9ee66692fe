import type { MfaStatus } from '../../mfa/mfa.ts';
import type { Decision, PolicyVerdict } from './decision.ts';

/** The decision as it stands while some of this is missing; the same where nothing is. */
export function requireMfa(decision: Decision, statuses: readonly MfaStatus[]): Decision {
  const missing = statuses.filter(({ satisfied }) => !satisfied);
  if (missing.length === 0) return decision;
  const verdicts = decision.verdicts.map((verdict): PolicyVerdict => {
    if (verdict.outcome !== 'OUTCOME_ALLOW') return verdict;
    return { ...verdict, outcome: 'OUTCOME_REQUIRES_AUTHENTICATORS' };
  });
  return { ...decision, outcome: 'wait', verdicts, missing };
}
