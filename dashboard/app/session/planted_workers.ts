// Service workers: the dashboard has none. One that is there was planted by another program that listened at
// this address, and may alter every file of the page.

import { t } from '../../messages/text.ts';

/** True if a service worker stands between this page and its server. */
export const isControlled = (): boolean => Boolean(navigator.serviceWorker?.controller);

/** Removes every service worker of this address. Raises where one controls this page. */
export async function removeWorkers(): Promise<void> {
  const planted = (await navigator.serviceWorker?.getRegistrations()) ?? [];
  await Promise.all(planted.map((worker) => worker.unregister()));
  if (isControlled()) throw new Error(t('app.controlled'));
}
