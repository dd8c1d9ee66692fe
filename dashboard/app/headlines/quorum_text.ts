import { listText, oneOfText, t } from '../../messages/text.ts';

/** Returns `erin`, `alice or bob`, or `2 of alice, bob, and carol`. */
export function quorumMembers(threshold: number, names: readonly string[]): string {
  if (threshold === 1) return oneOfText(names);
  return t('organizations.quorumOf', { threshold, names: listText(names) });
}
