// Times of the policy language: timestamps, and windows found by checking every minute.

import { Refused } from './reader.ts';

export type Cron = readonly [
  minutes: Field,
  hours: Field,
  days: Field,
  months: Field,
  weekdays: Field,
];

/** Returns the nanoseconds since 1970 of an RFC 3339 text with offset zero. Raises `Refused`. */
export function readTimestamp(text: string): bigint {
  const match =
    /^(\d{4})-(\d\d)-(\d\d)[Tt](\d\d):(\d\d):(\d\d)(?:\.(\d{1,9}))?([Zz]|[+-]00:00)$/.exec(text);
  if (match === null) throw new Refused(`no timestamp: ${text}`);
  const [, year, month, day, hour, minute, second, fraction = ''] = match;
  const whole = `${year}-${month}-${day}T${hour}:${minute}:${second}.000Z`;
  const date = new Date(whole);
  if (Number.isNaN(date.getTime()) || date.toISOString() !== whole) {
    throw new Refused(`no such time: ${text}`);
  }
  return BigInt(date.getTime()) * 1_000_000n + BigInt(fraction.padEnd(9, '0'));
}

/** Parses five fields of numbers, ranges and lists, or `*`. Raises `Refused`. */
export function readCron(text: string): Cron {
  const fields = text.split(' ');
  const [minutes, hours, days, months, weekdays] = fields;
  if (fields.length !== 5 || !minutes || !hours || !days || !months || !weekdays) {
    throw new Refused(`no cron: ${text}`);
  }
  return [
    readField(minutes, 0, 59),
    readField(hours, 0, 23),
    readField(days, 1, 31),
    readField(months, 1, 12),
    readField(weekdays, 0, 6),
  ];
}

/** Returns the minutes of `1d12h`, `90m`, …: more than 0, at most 7 days. Raises `Refused`. */
export function readDurationMinutes(text: string): number {
  const match = /^(?:(\d+)d)?(?:(\d+)h)?(?:(\d+)m)?$/.exec(text);
  const [, days = '0', hours = '0', minutes = '0'] = match ?? [];
  const total = (Number(days) * 24 + Number(hours)) * 60 + Number(minutes);
  if (match === null || total < 1 || total > 7 * 24 * 60) throw new Refused(`no duration: ${text}`);
  return total;
}

/** Returns the name of a time zone if the calendar knows it. Raises `Refused`. */
export function readZone(text: string): string {
  try {
    clockOf(text);
    return text;
  } catch (error) {
    if (error instanceof RangeError) throw new Refused(`no zone: ${text}`);
    throw error;
  }
}

/** Returns true if one of the past minutes opened a window that is still open. */
export function isInSpan(now: bigint, cron: Cron, minutes: number, zone: string): boolean {
  const nanosPerMinute = 60_000_000_000n;
  const current = now / nanosPerMinute;
  for (let minute = current; now < (minute + BigInt(minutes)) * nanosPerMinute; minute -= 1n) {
    if (fires(cron, Number(minute) * 60_000, zone)) return true;
  }
  return false;
}

type Field = { readonly isStar: boolean; readonly values: ReadonlySet<number> };

function readField(text: string, lowest: number, highest: number): Field {
  if (text === '*') return { isStar: true, values: new Set() };
  const values = new Set<number>();
  for (const part of text.split(',')) {
    const match = /^(\d{1,2})(?:-(\d{1,2}))?$/.exec(part);
    const from = Number(match?.[1]);
    const to = Number(match?.[2] ?? from);
    if (match === null || from < lowest || to > highest || from > to) {
      throw new Refused(`no cron field: ${text}`);
    }
    for (let value = from; value <= to; value += 1) values.add(value);
  }
  return { isStar: false, values };
}

function fires([minutes, hours, days, months, weekdays]: Cron, atMs: number, zone: string) {
  const local = localFields(atMs, zone);
  const isOn = (field: Field, value: number) => field.isStar || field.values.has(value);
  if (!isOn(minutes, local.minute) || !isOn(hours, local.hour)) return false;
  if (!isOn(months, local.month)) return false;
  // If both day fields are restricted, one of them is enough.
  if (!days.isStar && !weekdays.isStar) {
    return days.values.has(local.day) || weekdays.values.has(local.weekday);
  }
  return isOn(days, local.day) && isOn(weekdays, local.weekday);
}

type LocalFields = { minute: number; hour: number; day: number; month: number; weekday: number };

// Caches the fields of minutes, because the generated cases repeat few minutes.
const known = new Map<string, LocalFields>();
const clocks = new Map<string, Intl.DateTimeFormat>();
const maximumKnown = 200_000;

function localFields(atMs: number, zone: string): LocalFields {
  const key = `${zone} ${atMs}`;
  const found = known.get(key);
  if (found !== undefined) return found;
  const parts = Object.fromEntries(
    clockOf(zone)
      .formatToParts(atMs)
      .map(({ type, value }) => [type, value]),
  );
  const fields = {
    minute: Number(parts['minute']),
    hour: Number(parts['hour']),
    day: Number(parts['day']),
    month: Number(parts['month']),
    weekday: ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'].indexOf(parts['weekday'] ?? ''),
  };
  if (known.size < maximumKnown) known.set(key, fields);
  return fields;
}

function clockOf(zone: string): Intl.DateTimeFormat {
  const clock =
    clocks.get(zone) ??
    new Intl.DateTimeFormat('en-US', {
      timeZone: zone,
      hourCycle: 'h23',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      weekday: 'short',
    });
  clocks.set(zone, clock);
  return clock;
}
