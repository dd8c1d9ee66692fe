import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  createLineWriter,
  keptBytesMaximum,
  retryMs,
} from '../../src/gateway/observability/line_writer.ts';
import { manualClock } from './manual_clock.ts';

/** Creates a reader that accepts some bytes at a time, or none. */
function reader() {
  const taken = { text: '', attempts: 0 };
  let capacityBytes = Number.POSITIVE_INFINITY;
  return {
    taken,
    takes: (bytes: number) => {
      capacityBytes = bytes;
    },
    write: (bytes: Uint8Array): number => {
      taken.attempts += 1;
      const part = bytes.subarray(0, capacityBytes);
      if (part.length === 0) throw Object.assign(new Error('later'), { code: 'EAGAIN' });
      capacityBytes -= part.length;
      taken.text += Buffer.from(part).toString('latin1');
      return part.length;
    },
  };
}

const report = (dropped: number): string => `dropped ${dropped}\n`;

test('a line is written at once while the reader accepts it', () => {
  const { write, taken } = reader();
  const lines = createLineWriter({ write, report, clock: manualClock().clock });
  lines.write('one\n');
  lines.write('two\n');
  assert.deepEqual(taken, { text: 'one\ntwo\n', attempts: 2 });
});

test('lines wait up to a bound; further lines are dropped, counted and reported', async () => {
  const { write, taken, takes } = reader();
  const { clock, advance, pending } = manualClock();
  const lines = createLineWriter({ write, report, clock });
  takes(0);
  const line = `${'x'.repeat(999)}\n`;
  const keptLines = Math.floor(keptBytesMaximum / line.length);
  for (let i = 0; i < keptLines + 7; i += 1) lines.write(line);
  // One attempt for all lines: a blocked log costs nothing.
  assert.equal(taken.attempts, 1);
  assert.equal(lines.dropped(), 7);
  await advance(retryMs * 3);
  assert.equal(taken.attempts, 4);

  // In the middle of a line.
  takes(1_500);
  await advance(retryMs);
  assert.equal(taken.text.length, 1_500);
  lines.write(line);
  assert.equal(lines.dropped(), 7);
  takes(Number.POSITIVE_INFINITY);
  await advance(retryMs);
  assert.equal(taken.text, `${line.repeat(keptLines + 1)}dropped 7\n`);
  assert.equal(pending(), 0);

  lines.write('after\n');
  assert.ok(taken.text.endsWith('dropped 7\nafter\n'));
});

test('the end waits for a slow reader, but not for a blocked one', async () => {
  const { write, taken, takes } = reader();
  const { clock, advance } = manualClock();
  const lines = createLineWriter({ write, report, clock });
  await lines.end();
  takes(0);
  lines.write('kept\n');
  const ended = lines.end();
  takes(Number.POSITIVE_INFINITY);
  await advance(retryMs);
  await ended;
  assert.equal(taken.text, 'kept\n');

  takes(0);
  lines.write('never\n');
  await lines.end();
  assert.equal(taken.text, 'kept\n');
});
