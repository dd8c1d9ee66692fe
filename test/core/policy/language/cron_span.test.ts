// Compares time windows with a scan that reads the zone's clocks at every minute.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { parseCronSpan } from '../../../../src/core/policy/language/cron_span.ts';

const minuteMs = 60_000;

const zones = [
  'UTC',
  'America/New_York',
  'Europe/Berlin',
  'Australia/Lord_Howe',
  'Asia/Kolkata',
  'America/St_Johns',
  'Pacific/Apia',
];

/** Moments at which the zones' clocks change in the tested years, and quiet moments. */
const moments = [
  '2026-03-08T07:00:00Z',
  '2026-11-01T06:00:00Z',
  '2026-03-29T01:00:00Z',
  '2026-10-25T01:00:00Z',
  '2026-04-04T15:00:00Z',
  '2026-10-03T15:30:00Z',
  '2011-12-30T10:00:00Z',
  '2026-07-15T12:34:00Z',
  '2024-02-29T23:59:00Z',
  '2025-12-31T23:30:00Z',
].map((text) => Date.parse(text));

const field = (minimum: number, maximum: number) => {
  const number = fc.integer({ min: minimum, max: maximum });
  const range = fc.tuple(number, number).map(([a, b]) => `${Math.min(a, b)}-${Math.max(a, b)}`);
  const part = fc.oneof(number.map(String), range);
  return fc.oneof(
    { weight: 2, arbitrary: fc.constant('*') },
    {
      weight: 3,
      arbitrary: fc.array(part, { minLength: 1, maxLength: 3 }).map((all) => all.join()),
    },
  );
};

const cron = fc
  .tuple(
    field(0, 59),
    field(0, 23),
    field(1, 31),
    fc.constantFrom('*', '*', '1-12', '3,10', '2'),
    field(0, 6),
  )
  .map((fields) => fields.join(' '));

const duration = fc.oneof(
  fc.integer({ min: 1, max: 1_440 }).map((minutes) => ({ text: `${minutes}m`, minutes })),
  fc.integer({ min: 1, max: 72 }).map((hours) => ({ text: `${hours}h`, minutes: hours * 60 })),
  fc.constantFrom({ text: '1d12h30m', minutes: 2_190 }, { text: '7d', minutes: 10_080 }),
);

test('a window is open exactly if a scan of all minutes finds a fire', () => {
  let inside = 0;
  let outside = 0;
  fc.assert(
    fc.property(
      cron,
      duration,
      fc.constantFrom(...zones),
      fc.constantFrom(...moments),
      fc.integer({ min: -3 * 1_440, max: 4 * 1_440 }),
      fc.integer({ min: 0, max: minuteMs - 1 }),
      (expression, { text, minutes }, zone, moment, shift, restMs) => {
        const span = parseCronSpan(expression, text, zone);
        assert.ok('contains' in span, expression);
        for (const nowMs of [moment + shift * minuteMs, moment + shift * minuteMs + restMs]) {
          const expected = scan(expression, minutes, zone, nowMs);
          const what = `${expression} ${text} ${zone} ${new Date(nowMs).toISOString()}`;
          assert.equal(span.contains(nowMs), expected, what);
          if (expected) inside += 1;
          else outside += 1;
        }
      },
    ),
    { numRuns: 500, seed: 20_260_301 },
  );
  assert.ok(inside > 100 && outside > 100, `${inside} inside, ${outside} outside`);
});

/** Edges of windows around clock changes, tested to the millisecond. */
const edges: readonly (readonly [string, string, string, string, boolean])[] = [
  // Clocks go from 2:00 to 3:00, so 2:30 does not occur.
  ['30 2 * * *', '1h', 'America/New_York', '2026-03-08T07:30:00.000Z', false],
  ['30 2 * * *', '1h', 'America/New_York', '2026-03-09T06:30:00.000Z', true],
  // No part of its hour is open on that day; the same hour is open the day before.
  ['30 2 * * *', '1h', 'America/New_York', '2026-03-07T07:30:00.000Z', true],
  ['30 2 * * *', '1h', 'America/New_York', '2026-03-08T06:30:00.000Z', false],
  ['30 2 * * *', '1h', 'America/New_York', '2026-03-08T06:59:59.999Z', false],
  ['30 2 * * *', '1h', 'America/New_York', '2026-03-08T07:00:00.000Z', false],
  ['30 2 * * *', '1h', 'America/New_York', '2026-03-08T07:15:00.000Z', false],
  ['30 2 * * *', '1h', 'America/New_York', '2026-03-08T07:59:59.999Z', false],
  // A window that opened before the change continues, and another one opens at the change.
  ['30 1 * * *', '1h', 'America/New_York', '2026-03-08T07:15:00.000Z', true],
  ['0 3 * * *', '1h', 'America/New_York', '2026-03-08T06:59:59.999Z', false],
  ['0 3 * * *', '1h', 'America/New_York', '2026-03-08T07:00:00.000Z', true],
  // Clocks go back from 2:00 to 1:00, so 1:30 occurs twice.
  ['30 1 * * *', '1m', 'America/New_York', '2026-11-01T05:30:00.000Z', true],
  ['30 1 * * *', '1m', 'America/New_York', '2026-11-01T05:31:00.000Z', false],
  ['30 1 * * *', '1m', 'America/New_York', '2026-11-01T06:30:59.999Z', true],
  ['30 1 * * *', '1m', 'America/New_York', '2026-11-01T06:31:00.000Z', false],
  // The local end shifts: eight hours from 22:00.
  ['0 22 * * *', '8h', 'America/New_York', '2026-03-08T10:59:59.999Z', true],
  ['0 22 * * *', '8h', 'America/New_York', '2026-03-08T11:00:00.000Z', false],
  // A change of half an hour.
  ['15 2 * * *', '1m', 'Australia/Lord_Howe', '2026-10-03T15:45:00.000Z', false],
  ['30 2 * * *', '1m', 'Australia/Lord_Howe', '2026-10-03T15:30:00.000Z', true],
  // A day that the zone skipped.
  ['0 12 30 12 *', '1m', 'Pacific/Apia', '2011-12-30T22:00:00.000Z', false],
  ['0 12 31 12 *', '1m', 'Pacific/Apia', '2011-12-30T22:00:00.000Z', true],
  // Both ends of a window, and the week before 1970.
  ['0 9 * * *', '8h', 'UTC', '2026-05-05T08:59:59.999Z', false],
  ['0 9 * * *', '8h', 'UTC', '2026-05-05T09:00:00.000Z', true],
  ['0 9 * * *', '8h', 'UTC', '2026-05-05T16:59:59.999Z', true],
  ['0 9 * * *', '8h', 'UTC', '2026-05-05T17:00:00.000Z', false],
  ['0 0 28 12 *', '7d', 'UTC', '1970-01-03T00:00:00.000Z', true],
  ['0 0 27 12 *', '7d', 'UTC', '1970-01-03T00:00:00.000Z', false],
  // Either kind of day suffices; a day that no month has never occurs.
  ['0 0 13 * 5', '1d', 'UTC', '2026-05-08T12:00:00.000Z', true],
  ['0 0 13 * 5', '1d', 'UTC', '2026-05-13T12:00:00.000Z', true],
  ['0 0 13 * *', '1d', 'UTC', '2026-05-08T12:00:00.000Z', false],
  ['0 0 30 2 *', '7d', 'UTC', '2026-03-01T00:00:00.000Z', false],
];

for (const [expression, length, zone, instant, expected] of edges) {
  test(`${expression} ${length} ${zone} at ${instant}: ${expected}`, () => {
    const span = parseCronSpan(expression, length, zone);
    assert.equal('contains' in span && span.contains(Date.parse(instant)), expected);
  });
}

test('an invalid cron expression, duration or zone is named', () => {
  const good = ['0 9 * * 1-5', '8h', 'Europe/Berlin'] as const;
  const bad: readonly (readonly string[])[] = [
    [
      '',
      '* * * *',
      '* * * * * *',
      '60 * * * *',
      '* 24 * * *',
      '* * 0 * *',
      '* * 32 * *',
      '* * * 0 *',
      '* * * 13 *',
      '* * * * 7',
      '*/5 * * * *',
      '5-1 * * * *',
      '1, * * * *',
      '*,1 * * * *',
      '-1 * * * *',
      '* * * JAN *',
      '@daily',
      '1--2 * * * *',
      '001 * * * *',
      ' * * * * *',
      '* * * * * ',
    ],
    [
      '',
      '0m',
      '0d0h',
      '8',
      'h',
      '8H',
      '1h1d',
      '1h2h',
      '1.5h',
      '8d',
      '7d1m',
      '169h',
      '10081m',
      '-1h',
      '1 h',
      '100000m',
    ],
    [
      '',
      'Mars/Olympus',
      '+02:00',
      'UTC+2',
      'Europe',
      '../etc/localtime',
      'Europe/Berlin ',
      'é',
      '2026-01-01T00:00:00Z[UTC]',
    ],
  ];
  for (const [argument, texts] of bad.entries()) {
    for (const text of texts) {
      const [cron, length, zone] = good.map((usual, i) => (i === argument ? text : usual));
      const refusal = parseCronSpan(cron ?? '', length ?? '', zone ?? '');
      assert.ok('argument' in refusal && refusal.argument === argument, text);
    }
  }
  for (const zone of ['UTC', 'Etc/GMT+5', 'America/Argentina/Buenos_Aires', 'Asia/Calcutta']) {
    assert.ok('contains' in parseCronSpan(good[0], '1d2h3m', zone), zone);
  }
});

test('a zone may be spelled in any letter case', () => {
  const span = parseCronSpan('0 9 * * *', '1h', 'asia/KOLKATA');
  assert.ok('contains' in span && span.contains(Date.parse('2026-05-05T03:30:00Z')));
});

test('many zones, and more instants than the cache holds', () => {
  const names = Intl.supportedValuesOf('timeZone').slice(0, 40);
  const spans = names.map((zone) => parseCronSpan('0 12 * * *', '2h', zone));
  for (let round = 0; round < 10; round += 1) {
    for (const [i, span] of spans.entries()) {
      const nowMs = Date.UTC(2020 + round, i % 12, 15, i % 24);
      assert.equal(
        'contains' in span && span.contains(nowMs),
        scan('0 12 * * *', 120, names[i] ?? '', nowMs),
        `${names[i]}`,
      );
    }
  }
});

/** Returns true if the expression fired in one of the minutes that began within the duration. */
function scan(expression: string, minutes: number, zone: string, nowMs: number): boolean {
  const [minute = '', hour = '', dayOfMonth = '', month = '', dayOfWeek = ''] =
    expression.split(' ');
  for (
    let at = Math.floor(nowMs / minuteMs) * minuteMs;
    at > nowMs - minutes * minuteMs;
    at -= minuteMs
  ) {
    const shown = shownAt(zone, at);
    const isDayOfMonth = matches(dayOfMonth, shown.day);
    const isDayOfWeek = matches(dayOfWeek, shown.weekday);
    const isDay =
      dayOfMonth !== '*' && dayOfWeek !== '*'
        ? isDayOfMonth || isDayOfWeek
        : isDayOfMonth && isDayOfWeek;
    if (
      isDay &&
      matches(minute, shown.minute) &&
      matches(hour, shown.hour) &&
      matches(month, shown.month)
    ) {
      return true;
    }
  }
  return false;
}

function matches(text: string, number: number): boolean {
  if (text === '*') return true;
  return text.split(',').some((part) => {
    const [from, to = from] = part.split('-').map(Number);
    return from !== undefined && to !== undefined && number >= from && number <= to;
  });
}

type Shown = { minute: number; hour: number; day: number; month: number; weekday: number };
const formatters = new Map<string, Intl.DateTimeFormat>();
const shownBefore = new Map<string, Shown>();

/** Since 2011 the clocks of all these zones differ from UTC by quarter hours, and change at them. */
const quarterMs = 15 * minuteMs;

/** Returns the time on the clocks of a zone, formatted once for each quarter of an hour. */
function shownAt(zone: string, instantMs: number): Shown {
  const intoQuarterMs = instantMs % quarterMs;
  const shown = quarterAt(zone, instantMs - intoQuarterMs);
  return { ...shown, minute: shown.minute + intoQuarterMs / minuteMs };
}

function quarterAt(zone: string, instantMs: number): Shown {
  const key = `${zone} ${instantMs}`;
  const before = shownBefore.get(key);
  if (before !== undefined) return before;
  const formatter =
    formatters.get(zone) ??
    new Intl.DateTimeFormat('en-US', {
      timeZone: zone,
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      weekday: 'short',
    });
  formatters.set(zone, formatter);
  const parts = new Map(formatter.formatToParts(instantMs).map(({ type, value }) => [type, value]));
  const number = (type: Intl.DateTimeFormatPartTypes) => Number(parts.get(type));
  const weekday = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'].indexOf(
    parts.get('weekday') ?? '',
  );
  const shown = {
    minute: number('minute'),
    hour: number('hour'),
    day: number('day'),
    month: number('month'),
    weekday,
  };
  assert.equal(shown.minute % 15, 0, key);
  shownBefore.set(key, shown);
  return shown;
}
