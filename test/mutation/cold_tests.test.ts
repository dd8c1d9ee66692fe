import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { coldTests } from './cold_tests.ts';
import { mutantsOf } from './mutants.ts';

test('a separate process notices a fault only with tests that pass without it', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'cold-'));
  const write = (name: string, text: string) => {
    writeFileSync(join(folder, name), text);
    return relative('', join(folder, name));
  };
  const text = 'export const isLess = (a, b) => a < b;\n';
  const source = write('source.mjs', text);
  const address = pathToFileURL(join(folder, 'source.mjs')).href;
  const testOf = (name: string, body: string) =>
    write(
      name,
      `import { test } from 'node:test';\nimport { isLess } from '${address}';\ntest('t', () => { ${body} });\n`,
    );
  const missing = testOf('missing.test.mjs', 'isLess(1, 2);');
  const noticing = testOf('noticing.test.mjs', "if (isLess(1, 1)) throw new Error('no');");
  const failing = testOf('failing.test.mjs', "throw new Error('always');");
  const [fault] = mutantsOf(source, text);
  assert(fault?.fault === '< becomes <=');
  const cold = coldTests(() => 100);
  try {
    assert.deepEqual(await cold.outcomeOf(fault, [missing]), { outcome: 'survived', by: '' });
    const noticed = await cold.outcomeOf(fault, [missing, noticing]);
    assert.deepEqual(noticed, { outcome: 'killed', by: `${noticing}: t` });
    await assert.rejects(cold.outcomeOf(fault, [failing]), /without a fault a test fails: .*: t/);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
