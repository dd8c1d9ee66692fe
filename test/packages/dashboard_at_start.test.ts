// `npm start` builds the dashboard of a checkout first, unless the last build is newer than the sources.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, readFileSync, symlinkSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { temporaryDirectory } from '../e2e/service.ts';

test('the first start of a checkout builds the dashboard, and a later one after a change', () => {
  const checkout = temporaryDirectory();
  const names = ['dashboard', 'src', 'tools', 'package.json', 'package-lock.json', 'tsconfig.json'];
  for (const name of names) cpSync(name, join(checkout, name), { recursive: true });
  symlinkSync(join(process.cwd(), 'node_modules'), join(checkout, 'node_modules'));
  const { scripts } = JSON.parse(readFileSync('package.json', 'utf8'));
  const [, script = ''] = scripts.prestart.split(' ');
  const build = () =>
    spawnSync(process.execPath, [script], { cwd: checkout, encoding: 'utf8' }).stderr;

  const says = 'building the dashboard\n';
  assert.equal(build(), says);
  const list = join(checkout, 'dist/keywright/dashboard/integrity.json');
  const { files } = JSON.parse(readFileSync(list, 'utf8'));
  for (const path of Object.keys(files)) assert(existsSync(join(list, '..', path)), path);
  assert.equal(build(), '');

  const later = Date.now() / 1000 + 10;
  utimesSync(join(checkout, 'dashboard/messages/en.ts'), later, later);
  assert.equal(build(), says);
});
