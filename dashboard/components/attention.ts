// The attention of a person. A page elsewhere can have someone click twice on a window of its own, which is
// gone at the second click: that lands on what lies below. Buttons of consequence do not take such a click.

import { useEffect, useRef, useState } from 'preact/hooks';

/** A button is looked at so long before it can be used. */
const neededMs = 1_000;

/** When the window began to be in sight and to have the focus; undefined while it lacks either. */
let attendedSinceMs: number | undefined;
/** A pointer moved over the page, or a key was pressed, since then. */
let isUsed = false;
const watchers = new Set<() => void>();

function look(): void {
  const isAttended = document.visibilityState === 'visible' && document.hasFocus();
  if (isAttended) attendedSinceMs ??= performance.now();
  else {
    attendedSinceMs = undefined;
    isUsed = false;
  }
  for (const watcher of watchers) watcher();
}

function use({ isTrusted }: Event): void {
  if (isUsed || !isTrusted) return;
  isUsed = true;
  look();
}

for (const name of ['focus', 'blur', 'pageshow']) addEventListener(name, look);
document.addEventListener('visibilitychange', look);
for (const name of ['pointermove', 'pointerdown', 'keydown']) {
  addEventListener(name, use, { capture: true, passive: true });
}
look();

/** Milliseconds until what came at a moment was attended to long enough; infinite without attention. */
const leftMs = (cameMs: number): number =>
  isUsed && attendedSinceMs !== undefined
    ? Math.max(cameMs, attendedSinceMs) + neededMs - performance.now()
    : Number.POSITIVE_INFINITY;

/**
 * Says of a button if a click on it counts: it was in sight for a second, the window had the focus as long,
 * and a pointer or a key was used. `wasReady` stays true when the window loses the focus: a button that was
 * disabled then would lose it too. `isAttended` asks at the moment of the click.
 */
export function useAttention(): {
  readonly wasReady: boolean;
  readonly isAttended: () => boolean;
} {
  const cameMs = useRef(performance.now());
  const [wasReady, setReady] = useState(false);
  useEffect(() => {
    if (wasReady) return undefined;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const watcher = () => {
      clearTimeout(timer);
      const left = leftMs(cameMs.current);
      if (left <= 0) setReady(true);
      else if (left < Number.POSITIVE_INFINITY) timer = setTimeout(watcher, left);
    };
    watchers.add(watcher);
    watcher();
    return () => {
      clearTimeout(timer);
      watchers.delete(watcher);
    };
  }, [wasReady]);
  return { wasReady, isAttended: () => leftMs(cameMs.current) <= 0 };
}
