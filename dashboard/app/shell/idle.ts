// A session that writes by itself ends when nobody uses the page.

import { useEffect } from 'preact/hooks';
import { signOut } from '../session/session.ts';

export const idleMinutes = 15;
const uses = ['pointerdown', 'keydown'] as const;

/** Signs out after a quarter of an hour without input, where the session writes. */
export function useIdleEnd(writes: boolean): void {
  useEffect(() => {
    if (!writes) return;
    let timer: ReturnType<typeof setTimeout>;
    const begin = () => {
      clearTimeout(timer);
      timer = setTimeout(() => void signOut(), idleMinutes * 60_000);
    };
    begin();
    for (const use of uses) addEventListener(use, begin, { passive: true });
    return () => {
      clearTimeout(timer);
      for (const use of uses) removeEventListener(use, begin);
    };
  }, [writes]);
}
