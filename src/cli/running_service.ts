// What the commands share that run a service in the terminal.

import type { Terminal } from './terminal.ts';

/**
 * Listens for SIGTERM and SIGINT from now on; the result waits for one. A second SIGTERM does not wait
 * for requests in flight.
 */
export function listenForEnd({ signal }: Terminal): () => Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  process.once('SIGTERM', () => {
    resolve();
    process.once('SIGTERM', () => process.exit(1));
  });
  signal.addEventListener('abort', () => resolve(), { once: true });
  return () => promise;
}

/** The address of a service on this machine as browsers need it: passkeys belong to a named host. */
export function forBrowsers(baseUrl: string): string {
  return baseUrl.replace('http://127.0.0.1:', 'http://localhost:');
}
