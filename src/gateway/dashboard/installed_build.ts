// The built dashboard that came with this program.

import { join } from 'node:path';
import { type BuiltDashboard, findBuild, readBuild } from './built_files.ts';

const top = join(import.meta.dirname, '..', '..', '..');
/** In a package the files are at its top; in a checkout, where `npm run build` writes the package. */
const usualFolders = [join(top, 'dashboard'), join(top, 'dist', 'keywright', 'dashboard')];

/** The build in `folder`, or the installed one; undefined if there is none. Raises UnusableDataError. */
export function installedBuild(folder: string | undefined): BuiltDashboard | undefined {
  const found = folder ?? findBuild(usualFolders);
  return found === undefined ? undefined : readBuild(found);
}
