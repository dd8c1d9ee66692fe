// Timeouts of a server for its connections.

import type { Server, ServerResponse } from 'node:http';

/** The pace at which a client must take an answer: the one at which it must send a body. */
export type Pace = { readonly bodyLimitBytes: number; readonly requestTimeoutMs: number };

/**
 * Ends the connection of a client that does not take an answer of this many bytes, which would hold the place
 * and the memory of its request. A begun `bodyLimitBytes` may take `requestTimeoutMs`.
 */
export function endUnlessTaken(response: ServerResponse, lengthBytes: number, pace: Pace): void {
  const parts = Math.max(1, Math.ceil(lengthBytes / pace.bodyLimitBytes));
  const { socket } = response.req;
  // A client that disconnected gets no further answer.
  if (socket.destroyed) return;
  const deadline = setTimeout(() => socket.destroy(), parts * pace.requestTimeoutMs);
  response.once('close', () => clearTimeout(deadline));
}

/** Closes by itself what `close` waits for, once it has waited so long. */
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
