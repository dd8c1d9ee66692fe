import { rmSync } from 'node:fs';
import type { Server } from 'node:net';

/**
 * Listens at a path with the permissions `mode`, such as 0o600. Replaces an existing socket, so the caller
 * must hold a lock that excludes other listeners. Raises system errors.
 */
export async function listenLocally(server: Server, path: string, mode: number): Promise<void> {
  // Removes the stale socket of a killed process.
  rmSync(path, { force: true });
  const listening = Promise.withResolvers<void>();
  server.once('error', listening.reject);
  // Set the permissions at the bind; with a later chmod another user could connect first.
  const umask = process.umask(0o777 & ~mode);
  try {
    server.listen(path, listening.resolve);
  } finally {
    process.umask(umask);
  }
  await listening.promise;
}
