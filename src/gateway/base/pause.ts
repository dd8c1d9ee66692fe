/** Resolves after a time (milliseconds), or as soon as the signal is aborted. */
export function pause(forMs: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(end, forMs);
    function end(): void {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      resolve();
    }
    signal.addEventListener('abort', end, { once: true });
  });
}

/** Returns the pause after this many failures (at least one), which each doubles up to `lastMs`. */
export const backoffMs = (failures: number, firstMs: number, lastMs: number): number =>
  Math.min(firstMs * 2 ** (failures - 1), lastMs);
