import type { MfaStatus } from '../../mfa/mfa.ts';
import type { Decision, PolicyVerdict } from './decision.ts';

/** Returns a waiting decision if an MFA policy is not satisfied; otherwise the unchanged decision. */
export function requireMfa(decision: Decision, statuses: readonly MfaStatus[]): Decision {
  const missing = statuses.filter(({ satisfied }) => !satisfied);
  if (missing.length === 0) return decision;
  const verdicts = decision.verdicts.map((verdict): PolicyVerdict => {
    if (verdict.outcome !== 'OUTCOME_ALLOW') return verdict;
    return { ...verdict, outcome: 'OUTCOME_REQUIRES_AUTHENTICATORS' };
  });
  return { ...decision, outcome: 'wait', verdicts, missing };
}
