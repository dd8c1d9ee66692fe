import { createServer } from 'node:net';
import { listenAtIpv6, portOf } from '../base/both_families.ts';

/** A known port that is reserved until its server listens. */
export type PortReservation = {
  readonly port: number;
  /** Releases the port for its next listener. */
  release(): Promise<void>;
};

/** The number of attempts to find a port that is free at both addresses of `localhost`. */
const maximumTries = 10;

/**
 * Reserves a free port if the port is arbitrary (0), so that the service knows its own address before it
 * serves. With `asLocalhost` the port is free at ::1 too. A configured port is not reserved.
 */
export async function reservePort(requested: {
  readonly host: string;
  readonly port: number;
  readonly asLocalhost?: boolean;
}): Promise<PortReservation> {
  const { host, port, asLocalhost = false } = requested;
  if (port !== 0) return { port, release: async () => {} };
  for (let tries = 1; ; tries += 1) {
    const held = await holdFreePort(host);
    if (!asLocalhost) return held;
    try {
      const beside = await listenAtIpv6(held.server, held.port);
      return {
        port: held.port,
        release: async () => {
          await Promise.all([beside?.close(), held.release()]);
        },
      };
    } catch (error) {
      await held.release();
      if (tries === maximumTries) throw error;
    }
  }
}

async function holdFreePort(host: string) {
  const server = createServer((socket) => socket.destroy());
  const listening = Promise.withResolvers<void>();
  server.once('error', listening.reject);
  server.listen({ host, port: 0 }, listening.resolve);
  await listening.promise;
  return {
    server,
    port: portOf(server.address()),
    release: async () => {
      if (!server.listening) return;
      const closed = Promise.withResolvers<void>();
      server.close(() => closed.resolve());
      await closed.promise;
    },
  };
}
