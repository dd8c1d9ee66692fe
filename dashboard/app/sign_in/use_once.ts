import { useEffect } from 'preact/hooks';

/** Calls `read` at the first render. A failure leaves the screen unchanged. */
export function useOnce(read: () => Promise<void>): void {
  useEffect(() => {
    void read().catch(() => undefined);
  }, []);
}
