import { useEffect } from 'preact/hooks';

/** Calls `read` after the first render. Ignores its failure. */
export function useOnce(read: () => Promise<void>): void {
  useEffect(() => {
    void read().catch(() => undefined);
  }, []);
}
