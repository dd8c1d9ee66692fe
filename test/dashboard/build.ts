// The built dashboard for tests: built once for a state of its sources, in the folder of caches.

import { createHash } from 'node:crypto';
import {
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { builtDashboard } from '../../tools/packages/dashboard.ts';

const root = join(import.meta.dirname, '../..');
const cache = join(root, 'node_modules', '.cache', 'dashboard');

/** The folder of the build. Of two files that build at one time, one finds the other's. */
export async function dashboardBuild(): Promise<string> {
  const folder = join(cache, digestOfSources());
  if (existsSync(folder)) return folder;
  mkdirSync(cache, { recursive: true });
  const made = mkdtempSync(join(cache, 'building-'));
  for (const [path, bytes] of await builtDashboard(root)) {
    mkdirSync(dirname(join(made, path)), { recursive: true });
    writeFileSync(join(made, path), bytes);
  }
  try {
    renameSync(made, folder);
  } catch (error) {
    rmSync(made, { recursive: true });
    if (!existsSync(folder)) throw error;
  }
  return folder;
}

function digestOfSources(): string {
  const files = globSync(
    [
      'dashboard/**/*.{ts,tsx,css,html,svg,json}',
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
