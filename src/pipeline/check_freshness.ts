import { fail } from '../core/errors/errors.ts';
import type { Ports } from './ports.ts';

/**
 * Refuses requests that are too old or from the future. Raises `timestamp_too_old`,
 * `timestamp_in_future`.
 */
export function checkFreshness(
  timestampMs: number,
  { clock, freshness }: Pick<Ports, 'clock' | 'freshness'>,
): void {
  const ageMs = clock() - timestampMs;
  const { maximumAgeMs, maximumAheadMs } = freshness;
  const violation = [{ field: 'timestampMs', description: 'outside the accepted window' }];
  if (ageMs >= maximumAgeMs) {
    fail('timestamp_too_old', { ageMs, limitMs: maximumAgeMs }, violation);
  }
  if (-ageMs > maximumAheadMs) {
    fail('timestamp_in_future', { aheadMs: -ageMs, limitMs: maximumAheadMs }, violation);
  }
}
