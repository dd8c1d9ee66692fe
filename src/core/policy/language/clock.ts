// Functions of the language that read the time in `time` clauses.

import { assert } from '../../errors/errors.ts';
import type { CheckedExpression } from './ast.ts';
import { clauseRoots } from './checker.ts';
import { parseCronSpan } from './cron_span.ts';
import { expectedTimestamp, misfitFailures } from './expected_type.ts';
import { type Evaluate, failureAt, note } from './frame.ts';
import { readPath, stepOf } from './path.ts';
import { literalText } from './shape.ts';
import type { Scope } from './values.ts';

const nanosecondsPerMs = 1_000_000n;

/** Returns the scope of `time` clauses at a time. */
export function timeScopeAt(nowMs: number): Scope {
  return { time: { now: BigInt(nowMs) * nanosecondsPerMs } };
}

/** The end of the calendar: the year 10000. */
const endOfCalendarNs = 253_402_300_800_000_000_000n;

/** Compiles `CronSpan(…)`, whose arguments the checker has parsed. */
export function compileCronSpan(
  node: CheckedExpression & { readonly kind: 'function' },
): Evaluate<boolean> {
  const [cron = '', duration = '', zone = ''] = node.items.map(literalText);
  const span = parseCronSpan(cron, duration, zone);
  assert('contains' in span, 'the checker read the span');
  const now = compileNow(node.position);
  const range = failureAt(node.position, 'number_out_of_range', 'the time is not in the calendar');
  return (frame) => {
    const nowNs = now(frame);
    if (nowNs === undefined) return undefined;
    if (nowNs < 0n || nowNs >= endOfCalendarNs) return note(frame, range);
    return span.contains(Number(nowNs / nanosecondsPerMs));
  };
}

/** Compiles the read of `time.now` for a function. */
function compileNow(position: number): Evaluate<bigint> {
  const place = { start: position, end: position, position };
  const time = stepOf(clauseRoots.time, { name: 'time', ...place }, position);
  const now = stepOf('Clock', { name: 'now', ...place }, position);
  return readPath([time, now], expectedTimestamp, misfitFailures(position, expectedTimestamp));
}
