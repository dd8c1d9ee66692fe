// The dashboard of a service: its build, and the configuration of its page.

import type { Settings } from '../../settings/settings.ts';
import { UnusableDataError } from '../../store/unusable_data_error.ts';
import type { Bootstrapped } from '../enclave/root_credentials.ts';
import { mayReadInbox } from '../messages/development_inbox.ts';
import { isLoopbackHost } from '../messages/loopback.ts';
import type { BuiltDashboard } from './built_files.ts';
import { installedBuild } from './installed_build.ts';
import type { Asker, Dashboard, DashboardConfig } from './routes.ts';

/**
 * Creates the dashboard from the settings. `developmentToken` protects the paths below `/dev/`. Only the page
 * of this machine receives it; it is undefined outside of development. Raises UnusableDataError for an
 * unreadable build.
 */
export function createDashboard(
  settings: Pick<
    Settings,
    | 'host'
    | 'authProxyPort'
    | 'dashboardDirectory'
    | 'dashboardOrganization'
    | 'dashboardSessionProfile'
  >,
  { organizationId, authProxyConfigId }: Bootstrapped,
  developmentToken: string | undefined,
): Dashboard {
  const { host, authProxyPort, dashboardDirectory, dashboardOrganization } = settings;
  const { dashboardSessionProfile: sessionProfileId } = settings;
  const isOwn = dashboardOrganization === undefined || dashboardOrganization === organizationId;
  let build = installedBuild(dashboardDirectory);
  return {
    // Serves a build that is made while the service runs from the next request on.
    get build() {
      build ??= laterBuild();
      return build;
    },
    config: (asker): DashboardConfig => {
      const isLocal = !asker.isForwarded && isLoopbackHost(host);
      const isShown = dashboardOrganization !== undefined || isLocal;
      const proxy = { authProxyUrl: '/', authProxyConfigId };
      return {
        apiUrl: '/',
        ...(isShown ? { organizationId: dashboardOrganization ?? organizationId } : {}),
        // The page can only reach its own origin.
        ...(isShown && isOwn && authProxyPort === undefined ? proxy : {}),
        ...(sessionProfileId === undefined ? {} : { sessionProfileId }),
        development: developmentToken !== undefined,
        ...(isLocal && isOwnPage(asker, developmentToken) ? { developmentToken } : {}),
      };
    },
  };
}

/** Returns true if a request comes from the service's own page, by the headers of the browser. */
function isOwnPage(asker: Asker, token: string | undefined): boolean {
  return token !== undefined && mayReadInbox({ token }, { token, ...asker });
}

/** Returns the installed build; undefined if it is missing or being written. */
function laterBuild(): BuiltDashboard | undefined {
  try {
    return installedBuild(undefined);
  } catch (error) {
    if (error instanceof UnusableDataError) return undefined;
    throw error;
  }
}
