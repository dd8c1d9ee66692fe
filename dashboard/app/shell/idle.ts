// Signs out idle users whose session can write.

import { useEffect } from 'preact/hooks';
import { useSession } from '../session/context.ts';
import { signOut } from '../session/session.ts';
import { notifyTabs, onTabNotice } from '../session/tabs.ts';

export const idleMinutes = 15;
const uses = ['pointerdown', 'keydown'] as const;
/** Minimum interval between notices to other tabs. */
const noticeMs = 10_000;

/** Signs out after 15 minutes without input in any tab, if the session can write. */
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
