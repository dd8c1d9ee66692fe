import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { logTo } from '../../src/cli/custody/custody_output.ts';
import type { Terminal } from '../../src/cli/terminal/terminal.ts';
import { folderOfTests, runIn } from './terminal.ts';

const hidden = '\u009b2J\u202e\u001b[2J\u007f';

test('a line about a hostile database cannot control the terminal', () => {
  let written = '';
  const terminal = { err: (text: string) => (written += text) } as unknown as Terminal;
  logTo(terminal)('error', `a record${hidden}`, { id: `x${hidden}` });
  assert.doesNotMatch(written.slice(0, -1), /[\p{C}]/u);
  assert.deepEqual(JSON.parse(written.slice(written.indexOf(' {'))), { id: `x${hidden}` });
});

test('policy test shows names in a foreign file, which cannot control the terminal', async () => {
  const folder = folderOfTests();
  const file = join(folder, 'policies.json');
  const policies = JSON.parse(readFileSync('examples/policies/approvals.json', 'utf8'));
  policies.cases[0].name += hidden;
  writeFileSync(file, JSON.stringify(policies));
  const { code, out } = await runIn(folder, ['policy', 'test', file]);
  assert.equal(code, 0, out);
  assert.match(out, /\\u\{1b\}\[2J/);
  assert.doesNotMatch(out.replaceAll('\n', ''), /[\p{C}]/u);
});
