// Service workers: the dashboard has none. One that is there was planted by another program that listened at
// this address, and may alter every file of the page.

import { t } from '../../messages/text.ts';

/** Removes every service worker of this address. Raises where one stands between the page and its server. */
export async function removeWorkers(): Promise<void> {
  const { serviceWorker: workers } = navigator;
  for (const planted of (await workers?.getRegistrations()) ?? []) await planted.unregister();
  if (workers?.controller) throw new Error(t('app.controlled'));
}
