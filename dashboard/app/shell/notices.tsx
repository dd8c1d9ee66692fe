// Notices of the browser when an approval begins to wait, for people who allowed them. They name nothing that
// the service says: only how many.

import { useEffect, useRef, useState } from 'preact/hooks';
import { Button } from '../../components/button.tsx';
import { t } from '../../messages/text.ts';

const permission = (): NotificationPermission =>
  'Notification' in globalThis ? Notification.permission : 'denied';

/** Shows a notice when further activities wait while the page is in the background. */
export function useNotices(ids: readonly string[] | undefined): void {
  const known = useRef<ReadonlySet<string> | undefined>(undefined);
  useEffect(() => {
    if (ids === undefined) return;
    const before = known.current;
    known.current = new Set(ids);
    const count = before === undefined ? 0 : ids.filter((id) => !before.has(id)).length;
    if (count === 0 || !document.hidden || permission() !== 'granted') return;
    const notice = new Notification(t('approvals.notice', { count }), { tag: 'approvals' });
    notice.addEventListener('click', () => window.focus());
  }, [ids?.join()]);
}

/** Asks the browser once whether it may show notices; nothing where that is decided. */
export function AllowNotices() {
  const [now, setNow] = useState(permission);
  if (now !== 'default') return null;
  return (
    <Button onClick={async () => setNow(await Notification.requestPermission())}>
      {t('approvals.allowNotices')}
    </Button>
  );
}
