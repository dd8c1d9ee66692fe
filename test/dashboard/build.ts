// The built dashboard for tests, built once for each state of its sources and cached.

import { createHash } from 'node:crypto';
import { existsSync, globSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { madeOnce } from '../support/made_once.ts';

const root = join(import.meta.dirname, '../..');
const cache = join(root, 'node_modules', '.cache', 'dashboard');

/** The folder of the test run; undefined for a test file started on its own. */
const runFolder = process.env['TEST_RUN_FOLDER'];

/** Returns the folder of the build. The first test file builds it while the others wait. */
export async function dashboardBuild(): Promise<string> {
  if (runFolder === undefined) return builtOnce();
  // The sources stay the same during a run, so one file of it reads them all.
  const note = join(runFolder, 'dashboard_build');
  if (existsSync(note)) return readFileSync(note, 'utf8');
  const folder = await builtOnce();
  // Concurrent test files write the same text.
  writeFileSync(`${note}.${process.pid}`, folder);
  renameSync(`${note}.${process.pid}`, note);
  return folder;
}

function builtOnce(): Promise<string> {
  return madeOnce(join(cache, digestOfSources()), async (folder) => {
    // The bundler takes 0.2 s to load, and one file of a run needs it.
    const { builtDashboard } = await import('../../tools/packages/dashboard.ts');
    for (const [path, bytes] of await builtDashboard(root)) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), bytes);
    }
  });
}

function digestOfSources(): string {
  const files = globSync(
    [
      'dashboard/**/*.{ts,tsx,css,html,svg,png,json}',
      'src/client/*.ts',
      'src/core/**/*.ts',
      'tools/packages/dashboard.ts',
      'package-lock.json',
    ],
    { cwd: root },
  ).sort();
  const hash = createHash('sha256');
  for (const file of files) hash.update(`${file}\0`).update(readFileSync(join(root, file)));
  return hash.digest('hex').slice(0, 32);
}
