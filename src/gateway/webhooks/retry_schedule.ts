// The schedule of retries, and of pauses of a failing endpoint.

import { backoffMs } from '../base/pause.ts';

const secondMs = 1_000;
const minuteMs = 60 * secondMs;
const hourMs = 60 * minuteMs;

/** Delays after the first failed attempt, the second …; the last one repeats. */
const delaysMs = [
  ...[5 * secondMs, 15 * secondMs, minuteMs, 5 * minuteMs, 15 * minuteMs, 30 * minuteMs],
  ...[hourMs, 2 * hourMs, 4 * hourMs, 6 * hourMs],
];
const lastDelayMs = 6 * hourMs;
const firstPauseMs = 200;
const lastPauseMs = 5 * minuteMs;
/** Spreads retries of deliveries that failed together. */
const jitter = 0.2;

/** Returns the milliseconds until the next attempt after this many failures. `random` is from 0 to 1. */
export function retryDelayMs(failures: number, random: number): number {
  return jittered(delaysMs[failures - 1] ?? lastDelayMs, random);
}

/** Returns the milliseconds to pause an endpoint after this many failures without a success. */
export function pauseMs(failures: number, random: number): number {
  return jittered(backoffMs(failures, firstPauseMs, lastPauseMs), random);
}

function jittered(ms: number, random: number): number {
  return Math.round(ms * (1 - jitter + 2 * jitter * random));
}
