import assert from 'node:assert/strict';
import { EventEmitter, once } from 'node:events';
import { test } from 'node:test';
import { monotonicClock } from '../../src/gateway/base/clock.ts';
import { logNodeWarnings } from '../../src/gateway/observability/node_warnings.ts';

test('a warning of Node becomes a line of the log, and is printed again afterwards', () => {
  const source = new EventEmitter();
  const printed: string[] = [];
  source.on('warning', ({ message }) => printed.push(message));
  const lines: unknown[] = [];
  const letNodePrint = logNodeWarnings((...line) => lines.push(line), source);
  const warning = new Error('too many listeners');
  warning.name = 'MaxListenersExceededWarning';
  warning.stack =
    'x: y\n    at emit (node:events:1:1)\n    at add (file:///src/add.ts:2:3)\n    at z';
  source.emit('warning', warning);
  assert.deepEqual(lines, [
    [
      'warn',
      'Node reported a warning',
      {
        name: 'MaxListenersExceededWarning',
        detail: 'too many listeners',
        at: 'at add (file:///src/add.ts:2:3)',
      },
    ],
  ]);
  assert.deepEqual(printed, []);

  letNodePrint();
  source.emit('warning', warning);
  assert.equal(lines.length, 1);
  assert.deepEqual(printed, ['too many listeners']);
});

test('a delay until a moment in the past runs soon and warns of nothing', async () => {
  const warnings: unknown[] = [];
  const note = (warning: unknown) => warnings.push(warning);
  process.on('warning', note);
  const ran = Promise.withResolvers<void>();
  monotonicClock.after(-5, ran.resolve);
  const waiting = setTimeout(() => undefined, 60_000);
  await ran.promise;
  clearTimeout(waiting);
  process.emitWarning('the last one');
  await once(process, 'warning');
  process.off('warning', note);
  assert.deepEqual(
    warnings.map((warning) => String(warning)),
    ['Warning: the last one'],
  );
});
