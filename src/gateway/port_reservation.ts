import { createServer } from 'node:net';
import { portOf } from './metrics.ts';

/** A port that is known before anything listens on it. */
export type PortReservation = {
  readonly port: number;
  /** Releases the port for whoever listens on it next. */
  release(): Promise<void>;
};

/**
 * Holds a free port where any is wanted (0), so that the service knows its own address before it can
 * answer. A port that was named is held by nobody.
 */
export async function reservePort(requested: {
  readonly host: string;
  readonly port: number;
}): Promise<PortReservation> {
  if (requested.port !== 0) return { port: requested.port, release: async () => {} };
  const server = createServer((socket) => socket.destroy());
  const listening = Promise.withResolvers<void>();
  server.once('error', listening.reject);
  server.listen(requested, listening.resolve);
  await listening.promise;
  return {
    port: portOf(server.address()),
    release: async () => {
      if (!server.listening) return;
      const closed = Promise.withResolvers<void>();
      server.close(() => closed.resolve());
      await closed.promise;
    },
  };
}
