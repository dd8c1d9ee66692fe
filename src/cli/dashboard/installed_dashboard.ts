import type { BuiltDashboard } from '../../gateway/dashboard/built_files.ts';
import { usage } from '../words/failures.ts';

/**
 * Returns the built dashboard in a folder. Default: the dashboard of this package. Throws `usage` if there is
 * none.
 */
export async function installed(folder: string | undefined): Promise<BuiltDashboard> {
  const { installedBuild } = await import('../../gateway/dashboard/installed_build.ts');
  const { UnusableDataError } = await import('../../store/unusable_data_error.ts');
  try {
    const build = installedBuild(folder);
    if (build !== undefined) return build;
  } catch (error) {
    if (!(error instanceof UnusableDataError)) throw error;
    throw usage(error.message);
  }
  throw usage('the dashboard is not built', 'npm run build');
}
