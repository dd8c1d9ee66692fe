import { useEffect } from 'preact/hooks';

/** Reads something once, when it is first shown. What fails leaves the screen as it is. */
export function useOnce(read: () => Promise<void>): void {
  useEffect(() => {
    void read().catch(() => undefined);
  }, []);
}
