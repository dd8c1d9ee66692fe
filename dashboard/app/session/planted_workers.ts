// Removes service workers. The dashboard registers none, so another program at this address registered them.
// A service worker can alter every file of the page.

import { t } from '../../messages/text.ts';

/** Unregisters all service workers of this address. Throws if a worker controls the page. */
export async function removeWorkers(): Promise<void> {
  const { serviceWorker: workers } = navigator;
  for (const planted of (await workers?.getRegistrations()) ?? []) await planted.unregister();
  if (workers?.controller) throw new Error(t('app.controlled'));
}
