// Counts amounts over a rolling window, in stretches of time. A stretch counts until its end has left the
// window, so the sum is never too small.

import type {
  StretchCount,
  VelocityCounter,
} from '../../organization/records/velocity_controls.ts';

/** Default: amounts count forever. */
export type RollingWindow = { readonly durationMs: number } | undefined;

/** The counted amounts, without the names of the counter. */
export type Counted = Pick<VelocityCounter, 'counts' | 'updatedAtMs'>;

/** An empty counter. */
export const emptyCounter: Counted = { counts: [], updatedAtMs: 0 };

/** Number of stretches of a window; each is at least a second. */
export const stretchesOfWindow = 60;

/** Returns the length of a stretch, by which an amount may outlive the window. */
export function stretchMs({ durationMs }: { readonly durationMs: number }): number {
  return Math.max(1_000, Math.ceil(durationMs / stretchesOfWindow));
}

/** Returns the sum of a counter at a time. */
export function sumAt(counter: Counted, window: RollingWindow, now: number): bigint {
  return countsAt(counter, window, now).reduce((sum, { amount }) => sum + BigInt(amount), 0n);
}

/** Returns the counter with another amount, and without the amounts that have left the window. */
export function withAmount(
  counter: Counted,
  window: RollingWindow,
  now: number,
  amount: bigint,
): Counted {
  const updatedAtMs = timeOf(counter, now);
  const stretch = window === undefined ? 0 : Math.floor(updatedAtMs / stretchMs(window));
  const counts = countsAt(counter, window, now);
  const last = counts.at(-1);
  const isGrown = last?.stretch === stretch;
  const grown = { stretch, amount: String((isGrown ? BigInt(last.amount) : 0n) + amount) };
  return { updatedAtMs, counts: [...(isGrown ? counts.slice(0, -1) : counts), grown] };
}

/** Returns true if no amount counts any more. */
export function isSpent(counter: Counted, window: RollingWindow, now: number): boolean {
  return countsAt(counter, window, now).length === 0;
}

function countsAt(counter: Counted, window: RollingWindow, now: number): readonly StretchCount[] {
  if (window === undefined) return counter.counts;
  const at = timeOf(counter, now);
  const length = stretchMs(window);
  return counter.counts.filter(({ stretch }) => (stretch + 1) * length + window.durationMs > at);
}

/** Returns a counter's time. It never runs backwards: setting the clock back extends no window. */
function timeOf({ updatedAtMs }: Counted, now: number): number {
  return Math.max(updatedAtMs, now);
}
