import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { mutantsOf } from './mutants.ts';
import { startWarmTests } from './warm_tests.ts';

const root = join(import.meta.dirname, '../..');

test('a test file that ends the process or passes only once decides nothing, nor does a fault that ends it', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'warm-'));
  const write = (name: string, text: string) => {
    writeFileSync(join(folder, name), text);
    return relative(root, join(folder, name));
  };
  const text = `export const isLess = (a, b) => a < b;
export function least(a, b) {
  if (isLess(b, a)) return b;
  return a;
}
`;
  const source = write('source.mjs', text);
  const address = pathToFileURL(join(folder, 'source.mjs')).href;
  const testOf = (body: string) =>
    `import { test } from 'node:test';\nimport { least } from '${address}';\ntest('t', () => { ${body} });\n`;
  const ending = write('ending.test.mjs', testOf('process.exit(1);'));
  // One fault makes this test end the process, and the other one makes it fail.
  const telling = write(
    'telling.test.mjs',
    testOf("if (least(1, 2) !== 1) process.exit(1); if (least(2, 1) !== 1) throw new Error('no');"),
  );
  const faults = mutantsOf(source, text);
  const faultOf = (name: string) => {
    const fault = faults.find(({ fault }) => fault === name);
    assert(fault !== undefined, `${name} is not among the faults`);
    return fault;
  };
  const always = faultOf('the condition always holds');
  const never = faultOf('the condition never holds');
  // The process keeps a value after the first run of this file.
  const once = write(
    'once.test.mjs',
    testOf("if (globalThis.ran) throw new Error('again'); globalThis.ran = true;"),
  );

  const warm = await startWarmTests([ending, telling, once], faults);
  try {
    assert.deepEqual(Object.keys(warm.baseline.files), [telling, once]);
    assert.match(warm.baseline.failing[ending] ?? '', /the process ended while .*ending\.test/);
    for (const _ of [1, 2]) {
      const spoiled = await warm.outcomeOf(always, [telling]);
      assert(spoiled.kind === 'unsure' && !spoiled.isPassed);
      assert.match(spoiled.why, /the process ended while .*telling\.test/);
      assert.equal((await warm.outcomeOf(never, [telling])).kind, 'killed');
    }
    assert.equal((await warm.outcomeOf(never, [once])).kind, 'unsure');
    assert.equal((await warm.outcomeOf(never, [once])).kind, 'unsure');
    assert.deepEqual(Object.keys(warm.baseline.files), [telling]);
    assert.match(warm.baseline.failing[once] ?? '', /again/);
  } finally {
    warm.end();
    rmSync(folder, { recursive: true });
  }
});
