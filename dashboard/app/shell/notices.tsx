// Browser notifications for new approvals, if the user allowed them. They contain only a number, no text of
// the service.

import { useEffect, useRef, useState } from 'preact/hooks';
import { Button } from '../../components/button.tsx';
import { t } from '../../messages/text.ts';

const permission = (): NotificationPermission =>
  'Notification' in globalThis ? Notification.permission : 'denied';

/** Shows a notification when more activities wait and the page is in the background. */
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

/** Shows a button that requests the permission; nothing if the user already decided. */
export function AllowNotices() {
  const [now, setNow] = useState(permission);
  if (now !== 'default') return null;
  return (
    <Button onClick={async () => setNow(await Notification.requestPermission())}>
      {t('approvals.allowNotices')}
    </Button>
  );
}
