/** Resolves after a time (milliseconds), or at once when the signal is aborted. */
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

/** Milliseconds before the next attempt, after at least one failure: doubled by each, up to the last. */
export const backoffMs = (failures: number, firstMs: number, lastMs: number): number =>
  Math.min(firstMs * 2 ** (failures - 1), lastMs);
