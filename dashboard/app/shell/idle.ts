// A session that writes by itself ends when no tab of it is used.

import { useEffect } from 'preact/hooks';
import { useSession } from '../session/context.ts';
import { signOut } from '../session/session.ts';
import { notifyTabs, onTabNotice } from '../session/tabs.ts';

export const idleMinutes = 15;
const uses = ['pointerdown', 'keydown'] as const;
/** Other tabs are notified of use so often at most. */
const noticeMs = 10_000;

/** Signs out after a quarter of an hour without input in any tab, where the session writes. */
export function useIdleEnd(writes: boolean): void {
  const { publicKey } = useSession();
  useEffect(() => {
    if (!writes) return;
    let timer: ReturnType<typeof setTimeout>;
    let noticedMs = 0;
    const begin = () => {
      clearTimeout(timer);
      timer = setTimeout(() => void signOut(), idleMinutes * 60_000);
    };
    const onUse = () => {
      begin();
      if (Date.now() - noticedMs < noticeMs) return;
      noticedMs = Date.now();
      notifyTabs({ kind: 'used', publicKey });
    };
    begin();
    for (const use of uses) addEventListener(use, onUse, { passive: true });
    const stopFollowing = onTabNotice((notice) => {
      if (notice.kind === 'used' && notice.publicKey === publicKey) begin();
    });
    return () => {
      clearTimeout(timer);
      stopFollowing();
      for (const use of uses) removeEventListener(use, onUse);
    };
  }, [writes, publicKey]);
}
