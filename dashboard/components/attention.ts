// Tracks the attention of a person, against clickjacking by double click. Another page can open a window that
// disappears at the first of two clicks. The second click then lands on this page, where buttons of
// consequence ignore it.

import { useEffect, useRef, useState } from 'preact/hooks';

/** Milliseconds for which a button must be visible before it is enabled. */
const neededMs = 1_000;

/** Time at which the window became visible and focused. Undefined while it is not. */
let attendedSinceMs: number | undefined;
/** True once a pointer moved over the page, or a key was pressed, since then. */
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

/**
 * Returns the milliseconds until the person has attended to an element for long enough; infinite without
 * attention.
 */
const leftMs = (cameMs: number): number =>
  isUsed && attendedSinceMs !== undefined
    ? Math.max(cameMs, attendedSinceMs) + neededMs - performance.now()
    : Number.POSITIVE_INFINITY;

/**
 * Decides whether a click on a button counts. The button must have been visible for a second, the window
 * focused for as long, and a pointer or key used. `wasReady` stays true when the window loses the focus,
 * because a disabled button would lose the keyboard focus. Call `isAttended` at the click.
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
