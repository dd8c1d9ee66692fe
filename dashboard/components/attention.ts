// Prevents clickjacking by double click. Another page can open a window that disappears at the first of two
// clicks, so the second click lands on this page. Buttons with serious consequences ignore that click.

import { useEffect, useRef, useState } from 'preact/hooks';

/** Minimum time that the button and the focused window must be visible before a click counts. */
const requiredMs = 1_000;

/** Time at which the window became visible and focused; undefined while it is not. */
let attentiveSinceMs: number | undefined;
/** True once the user moved a pointer or pressed a key since then. */
let isUsed = false;
const watchers = new Set<() => void>();

function updateAttention(): void {
  const isAttended = document.visibilityState === 'visible' && document.hasFocus();
  if (isAttended) attentiveSinceMs ??= performance.now();
  else {
    attentiveSinceMs = undefined;
    isUsed = false;
  }
  for (const watcher of watchers) watcher();
}

function noteInput({ isTrusted }: Event): void {
  if (isUsed || !isTrusted) return;
  isUsed = true;
  updateAttention();
}

for (const name of ['focus', 'blur', 'pageshow']) addEventListener(name, updateAttention);
document.addEventListener('visibilitychange', updateAttention);
for (const name of ['pointermove', 'pointerdown', 'keydown']) {
  addEventListener(name, noteInput, { capture: true, passive: true });
}
updateAttention();

/** Returns the remaining milliseconds until clicks count; infinite while the window lacks focus or input. */
const remainingMs = (mountedMs: number): number =>
  isUsed && attentiveSinceMs !== undefined
    ? Math.max(mountedMs, attentiveSinceMs) + requiredMs - performance.now()
    : Number.POSITIVE_INFINITY;

/**
 * Decides whether clicks on a button count. The button must be visible for a second, the window must be
 * focused for a second, and the user must have used a pointer or key. `wasReady` stays true when the window
 * loses the focus, because a disabled button would lose the keyboard focus. Call `isAttended` at the click.
 */
export function useAttention(): {
  readonly wasReady: boolean;
  readonly isAttended: () => boolean;
} {
  const mountedMs = useRef(performance.now());
  const [wasReady, setReady] = useState(false);
  useEffect(() => {
    if (wasReady) return undefined;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const watcher = () => {
      clearTimeout(timer);
      const left = remainingMs(mountedMs.current);
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
  return { wasReady, isAttended: () => remainingMs(mountedMs.current) <= 0 };
}
