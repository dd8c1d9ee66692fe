// Builds the dashboard for a service run from its sources, unless the last build is newer than the sources.
// Without the build packages, the service starts without a dashboard.

import { globSync, mkdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const root = join(import.meta.dirname, '..');
/** The service loads the build from this folder. */
const folder = join(root, 'dist', 'keywright', 'dashboard');

const changedMs = (path: string): number =>
  statSync(join(root, path), { throwIfNoEntry: false })?.mtimeMs ?? 0;

function isFresh(): boolean {
  const builtMs = changedMs('dist/keywright/dashboard/integrity.json');
  const sources = globSync(['dashboard/**/*', 'src/**/*.{ts,json}', 'package-lock.json'], {
    cwd: root,
    exclude: ['**/node_modules/**'],
  });
  return builtMs > 0 && sources.every((path) => changedMs(path) <= builtMs);
}

async function build(): Promise<void> {
  const { builtDashboard } = await import('./packages/dashboard.ts');
  process.stderr.write('building the dashboard\n');
  const made = `${folder}.${process.pid}`;
  for (const [path, bytes] of await builtDashboard(root)) {
    mkdirSync(dirname(join(made, path)), { recursive: true });
    writeFileSync(join(made, path), bytes);
  }
  rmSync(folder, { recursive: true, force: true });
  try {
    renameSync(made, folder);
  } catch {
    // A concurrent start has built it.
    rmSync(made, { recursive: true });
  }
}

if (!isFresh()) {
  await build().catch((error) => {
    if (error?.code !== 'ERR_MODULE_NOT_FOUND') throw error;
    process.stderr.write('no dashboard: npm ci installs the packages that build it\n');
  });
}
