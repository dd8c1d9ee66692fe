// The built dashboard for tests, built once for each state of its sources and cached.

import { createHash } from 'node:crypto';
import { globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { builtDashboard } from '../../tools/packages/dashboard.ts';
import { madeOnce } from '../support/made_once.ts';

const root = join(import.meta.dirname, '../..');
const cache = join(root, 'node_modules', '.cache', 'dashboard');

/** Returns the folder of the build. The first test file builds it while the others wait. */
export function dashboardBuild(): Promise<string> {
  return madeOnce(join(cache, digestOfSources()), async (folder) => {
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
