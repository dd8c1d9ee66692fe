// The same sources and packages give the same bytes, wherever and by whomever they are packed.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { temporaryDirectory } from '../e2e/service.ts';
import { pack } from './packed.ts';

const projectDirectory = join(import.meta.dirname, '..', '..');

/** Another checkout of the same state, with the packages that are installed here. */
function copyOfProject(): string {
  const copy = join(temporaryDirectory(), 'elsewhere');
  mkdirSync(copy);
  const tracked = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
    cwd: projectDirectory,
    encoding: 'utf8',
  });
  const parts = new Set(tracked.split('\n').map((path) => path.split('/')[0] ?? ''));
  for (const part of ['test', 'examples', 'bench', '']) parts.delete(part);
  for (const part of parts) {
    cpSync(join(projectDirectory, part), join(copy, part), { recursive: true });
  }
  symlinkSync(join(projectDirectory, 'node_modules'), join(copy, 'node_modules'));
  return copy;
}

test('two builds are the same to the last bit', () => {
  const here = pack();
  const mask = process.umask(0o077);
  const environment = { TZ: 'Asia/Kathmandu', LC_ALL: 'C', USER: 'somebody' };
  const there = pack({ project: copyOfProject(), environment });
  process.umask(mask);
  const files = (folder: string) =>
    readdirSync(folder, { withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ name }) => name)
      .sort();
  assert.deepEqual(files(there.folder), files(here.folder));
  assert.ok(files(here.folder).some((name) => name.endsWith('.tgz')));
  const read = (folder: string, name: string) => readFileSync(join(folder, name));
  assert.deepEqual(
    files(here.folder).filter((name) => !read(here.folder, name).equals(read(there.folder, name))),
    [],
    'these files differ',
  );
  execFileSync('sha256sum', ['--check', '--quiet', 'SHA256SUMS'], { cwd: here.folder });
});
