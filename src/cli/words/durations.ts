// Parses durations such as `90s` or `2h`.

import { usage } from './failures.ts';

const units: Readonly<Record<string, number>> = {
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
};
/** Timers of JavaScript end at 2^31 − 1 ms, which is 24.8 days. */
const longestTimerMs = 24 * 86_400_000;

/** Converts `90s`, `10m`, `2h` or `1d` to milliseconds. Throws `usage`. */
export function durationMs(text: string, maximumMs = longestTimerMs): number {
  const [, digits = '', unit = ''] = /^(\d{1,6})([smhd])$/.exec(text) ?? [];
  const ms = Number(digits) * (units[unit] ?? 0);
  if (ms < 1 || ms > maximumMs) {
    throw usage(
      `"${text}" is not a duration: give a value such as 90s, 10m, 2h or 1d, at most ${maximumMs / 86_400_000}d`,
    );
  }
  return ms;
}
