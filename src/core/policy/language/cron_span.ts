// Windows of time that begin whenever a cron expression fires in a time zone, and last for a duration. A cron
// expression fires at the start of each minute whose local time matches its fields. When clocks change,
// skipped local times never fire, and repeated ones fire twice. The duration is elapsed time, so a change
// moves the local end of a window.

import { stretchAt, timeZoneOf } from './time_zone.ts';

type CronSpan = {
  /** Returns true if an instant (milliseconds since 1970, until the year 9999) lies in a window. */
  contains(instantMs: number): boolean;
};

/** The invalid argument, and the expected form. */
type CronSpanRefusal = { readonly argument: number; readonly expected: string };

const minuteMs = 60_000;
const dayMinutes = 1_440;
const maximumDurationMinutes = 7 * dayMinutes;

/** The five fields with their names and bounds. */
const fields = [
  { name: 'minute', minimum: 0, maximum: 59 },
  { name: 'hour', minimum: 0, maximum: 23 },
  { name: 'day of month', minimum: 1, maximum: 31 },
  { name: 'month', minimum: 1, maximum: 12 },
  { name: 'day of week', minimum: 0, maximum: 6 },
] as const;

/**
 * Parses the three arguments: five cron fields (numbers, ranges, lists of these, or `*`), a positive duration
 * of at most seven days (`1d12h30m`), and an IANA time zone.
 */
export function parseCronSpan(
  cron: string,
  duration: string,
  zoneName: string,
): CronSpan | CronSpanRefusal {
  const fieldTexts = cron.split(/[ \t]+/);
  if (fieldTexts.length !== fields.length) {
    return { argument: 0, expected: 'five cron fields with blanks between them' };
  }
  const sets: ReadonlySet<number>[] = [];
  for (const [i, { name, minimum, maximum }] of fields.entries()) {
    const numbers = numbersOf(fieldTexts[i] ?? '', minimum, maximum);
    if (numbers === undefined) {
      const expected = `numbers from ${minimum} to ${maximum}, ranges, lists or \`*\` as ${name}`;
      return { argument: 0, expected };
    }
    sets.push(numbers);
  }
  const minutes = minutesOf(duration);
  if (minutes === undefined) {
    return { argument: 1, expected: 'a duration like `1d12h30m`, more than 0 and at most 7 days' };
  }
  const zone = timeZoneOf(zoneName);
  if (zone === undefined) return { argument: 2, expected: 'an IANA time zone' };

  const [minutesOfHour = new Set<number>(), hours = new Set<number>()] = sets;
  const fires: Fires = {
    hours: latestUpTo(hours, 24),
    minutes: latestUpTo(minutesOfHour, 60),
    matchesDay: dayMatcher(fieldTexts, sets),
  };
  return { contains: (instantMs) => hasFired(fires, zone, instantMs, minutes) };
}

/** Firing times of a cron expression, in local time. */
type Fires = {
  /** The last allowed hour up to each hour of a day, or -1. */
  readonly hours: Int8Array;
  /** The last allowed minute up to each minute of an hour, or -1. */
  readonly minutes: Int8Array;
  matchesDay(day: number): boolean;
};

/** Returns true if the expression fired in the last `minutes`, including this instant. */
function hasFired(fires: Fires, zone: string, instantMs: number, minutes: number): boolean {
  const afterMs = instantMs - minutes * minuteMs;
  // Searches backwards in stretches of constant offset, in which local time advances evenly.
  for (let untilMs = instantMs; ; ) {
    const { startMs, offsetMs } = stretchAt(zone, untilMs);
    const after = Math.floor((Math.max(afterMs, startMs - 1) + offsetMs) / minuteMs);
    const until = Math.floor((untilMs + offsetMs) / minuteMs);
    if (latestFire(fires, after, until) > after) return true;
    if (startMs - 1 <= afterMs) return false;
    untilMs = startMs - 1;
  }
}

/** Returns the last fire up to a local minute; `after` if there is none after it. */
function latestFire(fires: Fires, after: number, until: number): number {
  for (let minute = until; minute > after; ) {
    const day = Math.floor(minute / dayMinutes);
    const latest = latestOfDay(fires, minute - day * dayMinutes);
    if (latest !== undefined && fires.matchesDay(day)) return day * dayMinutes + latest;
    minute = day * dayMinutes - 1;
  }
  return after;
}

/** Returns the last minute of a day that fires, up to `minute`. */
function latestOfDay({ hours, minutes }: Fires, minute: number): number | undefined {
  const hour = Math.floor(minute / 60);
  const minuteOfHour = minutes[minute % 60] ?? -1;
  if (hours[hour] === hour && minuteOfHour >= 0) return hour * 60 + minuteOfHour;
  const earlierHour = hours[hour - 1] ?? -1;
  return earlierHour >= 0 ? earlierHour * 60 + (minutes[59] ?? 0) : undefined;
}

function latestUpTo(allowed: ReadonlySet<number>, count: number): Int8Array {
  let latest = -1;
  return Int8Array.from({ length: count }, (_, number) => {
    if (allowed.has(number)) latest = number;
    return latest;
  });
}

/** Returns a function that tests whether the expression fires on a local day (counted from 1970-01-01). */
function dayMatcher(
  fieldTexts: readonly string[],
  sets: readonly ReadonlySet<number>[],
): (day: number) => boolean {
  const [, , daysOfMonth = new Set(), months = new Set(), daysOfWeek = new Set()] = sets;
  // If both kinds of day are restricted, either suffices, as in cron.
  const isEither = fieldTexts[2] !== '*' && fieldTexts[4] !== '*';
  return (day) => {
    const date = new Date(day * dayMinutes * minuteMs);
    const isDayOfMonth = daysOfMonth.has(date.getUTCDate());
    const isDayOfWeek = daysOfWeek.has(date.getUTCDay());
    const isDay = isEither ? isDayOfMonth || isDayOfWeek : isDayOfMonth && isDayOfWeek;
    return isDay && months.has(date.getUTCMonth() + 1);
  };
}

/** Returns the numbers of a field; undefined if it is malformed or out of range. */
function numbersOf(text: string, minimum: number, maximum: number): Set<number> | undefined {
  const numbers = new Set<number>();
  for (const part of text === '*' ? [`${minimum}-${maximum}`] : text.split(',')) {
    const [, from, to = from] = /^(\d{1,2})(?:-(\d{1,2}))?$/.exec(part) ?? [];
    if (from === undefined || Number(from) < minimum || Number(to) > maximum) return undefined;
    if (Number(from) > Number(to)) return undefined;
    for (let number = Number(from); number <= Number(to); number += 1) numbers.add(number);
  }
  return numbers;
}

function minutesOf(duration: string): number | undefined {
  const match = /^(?:(\d{1,5})d)?(?:(\d{1,5})h)?(?:(\d{1,5})m)?$/.exec(duration);
  if (match === null) return undefined;
  const [, days = '0', hours = '0', minutes = '0'] = match;
  const total = Number(days) * dayMinutes + Number(hours) * 60 + Number(minutes);
  return total > 0 && total <= maximumDurationMinutes ? total : undefined;
}
