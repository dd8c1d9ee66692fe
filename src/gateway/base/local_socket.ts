import { rmSync } from 'node:fs';
import type { Server } from 'node:net';

/**
 * Listens at a path with the permissions `mode`, such as 0o600. Replaces a socket at that path, so the caller
 * holds a lock that excludes other listeners. Raises the error of the system.
 */
export async function listenLocally(server: Server, path: string, mode: number): Promise<void> {
  // Removes the stale socket of a killed process.
  rmSync(path, { force: true });
  const listening = Promise.withResolvers<void>();
  server.once('error', listening.reject);
  // A socket gets its permissions when it is bound, so that no other user connects before a chmod.
  const umask = process.umask(0o777 & ~mode);
  try {
    server.listen(path, listening.resolve);
  } finally {
    process.umask(umask);
  }
  await listening.promise;
}
