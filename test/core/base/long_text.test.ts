import assert from 'node:assert/strict';
import { test } from 'node:test';
import { utf8 } from '../../../src/core/base/bytes.ts';
import { utf8InSteps } from '../../../src/core/base/long_text.ts';

const step = 256 * 1024;

/** Returns the bytes, and the number of steps. */
function encoded(text: string): { readonly bytes: Uint8Array; readonly steps: number } {
  const run = utf8InSteps(text);
  for (let steps = 1; ; steps += 1) {
    const next = run.next();
    if (next.done === true) return { bytes: next.value, steps };
  }
}

test('utf8InSteps returns the bytes of the whole text, and splits no character', () => {
  const texts = ['', 'a', 'ä'.repeat(step), 'a'.repeat(3 * step + 1), '\ud800'];
  // A pair of surrogates lies before, across and after the end of a part.
  for (const before of [step - 2, step - 1, step]) texts.push(`${'a'.repeat(before)}😀b`);
  for (const text of texts) assert.deepEqual(encoded(text).bytes, utf8(text));
  // A lone surrogate is replaced, at the end of a part too.
  const lone = `${'a'.repeat(step - 1)}\ud800b`;
  assert.deepEqual(encoded(lone).bytes, utf8(lone));
});

test('each part of a long text is a step', () => {
  assert.ok(encoded('a'.repeat(8 * step)).steps >= 8);
});
