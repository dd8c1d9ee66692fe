// A counter over a rolling window: amounts by stretches of time, and their sum at a moment. A stretch
// counts until its last moment has left the window, so the sum is never too small.

import type {
  StretchCount,
  VelocityCounter,
} from '../../organization/records/velocity_controls.ts';

/** Undefined: everything counts for ever. */
export type RollingWindow = { readonly durationMs: number } | undefined;

/** The content of a counter without its names. */
export type Counted = Pick<VelocityCounter, 'counts' | 'updatedAtMs'>;

/** A counter that counted nothing. */
export const emptyCounter: Counted = { counts: [], updatedAtMs: 0 };

/** Number of stretches of a window; each is at least a second. */
export const stretchesOfWindow = 60;

/** The length of one stretch: how much longer than the window an amount may count. */
export function stretchMs({ durationMs }: { readonly durationMs: number }): number {
  return Math.max(1_000, Math.ceil(durationMs / stretchesOfWindow));
}

/** Returns the sum of a counter at a moment. */
export function sumAt(counter: Counted, window: RollingWindow, now: number): bigint {
  return countsAt(counter, window, now).reduce((sum, { amount }) => sum + BigInt(amount), 0n);
}

/** The counter with one more amount, and without what has left the window. */
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

/** Returns true if a counter has no counted amount any more. */
export function isSpent(counter: Counted, window: RollingWindow, now: number): boolean {
  return countsAt(counter, window, now).length === 0;
}

function countsAt(counter: Counted, window: RollingWindow, now: number): readonly StretchCount[] {
  if (window === undefined) return counter.counts;
  const at = timeOf(counter, now);
  const length = stretchMs(window);
  return counter.counts.filter(({ stretch }) => (stretch + 1) * length + window.durationMs > at);
}

/** A counter's time never runs backwards: a clock that was set back lets nothing leave the window later. */
function timeOf({ updatedAtMs }: Counted, now: number): number {
  return Math.max(updatedAtMs, now);
}
