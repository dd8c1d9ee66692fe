import type { Settings } from '../../settings/settings.ts';
import type { Bootstrapped } from '../enclave/root_credentials.ts';
import type { DevelopmentInbox } from '../messages/development_inbox.ts';
import type { Dashboard } from './routes.ts';

/**
 * Opens the dashboard of a service; undefined, without loading its modules, if it is off. `inbox` is that of
 * development mode. Raises UnusableDataError.
 */
export async function openDashboard(
  settings: Settings,
  organization: Bootstrapped,
  inbox: Pick<DevelopmentInbox, 'token'> | undefined,
): Promise<Dashboard | undefined> {
  if (!settings.dashboard) return undefined;
  const { createDashboard } = await import('./dashboard.ts');
  return createDashboard(settings, organization, inbox?.token);
}
