// Finds the built dashboard that belongs to this program.

import { join } from 'node:path';
import { type BuiltDashboard, findBuild, readBuild } from './built_files.ts';

const top = join(import.meta.dirname, '..', '..', '..');
/** A package has the files at its top level; in a checkout, `npm run build` writes them into the package. */
const usualFolders = [join(top, 'dashboard'), join(top, 'dist', 'keywright', 'dashboard')];

/** Returns the build in `folder`, or the installed one; undefined if missing. Raises UnusableDataError. */
export function installedBuild(folder: string | undefined): BuiltDashboard | undefined {
  const found = folder ?? findBuild(usualFolders);
  return found === undefined ? undefined : readBuild(found);
}
