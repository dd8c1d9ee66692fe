// Ranges of a webhook endpoint's events, by sequence number.

import { usage } from '../words/failures.ts';

export type EventRange = {
  readonly first: number;
  /** Undefined: up to the newest event. */
  readonly last: number | undefined;
};

/** Maximum events that the service redelivers for one request. A replay has the same maximum. */
export const maximumRange = 10_000;

/** Parses a range such as `41-57` or `41-`. Throws `usage`. */
export function eventRangeOf(word: string): EventRange {
  const [, from = '', to] = /^(\d{1,15})-(\d{1,15})?$/.exec(word) ?? [];
  if (from === '') throw noRange(word, 'expected a range such as 41-57 or 41-');
  const first = Number(from);
  const last = to === undefined ? undefined : Number(to);
  if (first === 0) throw noRange(word, 'events are numbered from 1');
  if (last !== undefined) requireCount(word, first, last);
  return { first, last };
}

/** Throws `usage` if the range is empty or too large. */
export function requireCount(word: string, first: number, last: number): void {
  if (last < first) throw noRange(word, 'the last number is smaller than the first');
  const count = last - first + 1;
  if (count > maximumRange) {
    throw noRange(word, `it has ${count} events, and ${maximumRange} are the most`);
  }
}

const noRange = (word: string, why: string) =>
  usage(
    `"${word}" is not a range of events: ${why}`,
    'keywright webhook deliveries lists the numbers of events.',
  );
