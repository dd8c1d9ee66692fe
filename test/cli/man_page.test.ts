// The manual page: the findings of a formatter and a linter, and its list of commands.

import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { commandNames } from '../../src/cli/commands.ts';

const path = join(import.meta.dirname, '..', '..', 'packaging', 'keywright.1');
const has = (program: string): boolean => spawnSync(program, ['-V']).error === undefined;

test('every command has its own section', () => {
  const page = readFileSync(path, 'utf8');
  const [, ...sections] = page.split('\n.SS\n');
  const named = sections.map((section) => section.split('\n')[0]?.replaceAll('\\-', '-'));
  assert.deepEqual(named, [...commandNames]);
});

test('the page uses each formatting request of the writer', () => {
  const requests = readFileSync(path, 'utf8')
    .split('\n')
    .flatMap((line) => /^[.'](\S*)/.exec(line)?.[1] ?? []);
  const expected = ['\\"', 'TH', 'SH', 'SS', 'PP', 'TP', 'B', 'I', 'br'];
  assert.deepEqual([...new Set(requests)].sort(), expected.sort());
});

test('a linter finds no error', {
  skip: has('mandoc') ? false : 'needs mandoc, which Debian has in a package of that name',
}, () => {
  const found = spawnSync('mandoc', ['-T', 'lint', '-W', 'error', path], { encoding: 'utf8' });
  assert.equal(found.stdout, '');
});

test('man shows the page', {
  skip: has('man') ? false : 'needs man, which Debian has in man-db',
}, () => {
  const shown = execFileSync('man', ['-l', path], {
    encoding: 'utf8',
    env: { PATH: process.env['PATH'], MANPAGER: 'cat', LC_ALL: 'C.UTF-8' },
  });
  assert.match(shown, /KEYWRIGHT\(1\)/);
});
