import { known, t } from '../messages/text.ts';

/** Describes the outcome of a policy. A policy that denies can at most not deny. */
export function outcomeText(effect: string | undefined, outcome: string): string {
  if (effect === 'EFFECT_DENY' && outcome === 'OUTCOME_DENY_IMPLICIT') return t('decision.noDeny');
  return known(`decision.${outcome}`, outcome);
}
