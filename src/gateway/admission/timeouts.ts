// Timeouts of a server for its connections.

import type { Server, ServerResponse } from 'node:http';

/** The minimum pace at which a client must read an answer, the same as for sending a body. */
export type Pace = { readonly bodyLimitBytes: number; readonly requestTimeoutMs: number };

/**
 * Closes the connection of a client that does not read an answer of this length, which would hold the place
 * and the memory of its request. Each started `bodyLimitBytes` may take `requestTimeoutMs`.
 */
export function endUnlessTaken(response: ServerResponse, lengthBytes: number, pace: Pace): void {
  const parts = Math.max(1, Math.ceil(lengthBytes / pace.bodyLimitBytes));
  const { socket } = response.req;
  // A disconnected client gets no further answer.
  if (socket.destroyed) return;
  const deadline = setTimeout(() => socket.destroy(), parts * pace.requestTimeoutMs);
  response.once('close', () => clearTimeout(deadline));
}

/** Closes all connections if `close` takes longer than the timeout. */
export async function closeWithin(
  server: Server,
  close: () => Promise<unknown>,
  timeoutMs: number,
): Promise<void> {
  const deadline = setTimeout(() => server.closeAllConnections(), timeoutMs);
  try {
    await close();
  } finally {
    clearTimeout(deadline);
  }
}
