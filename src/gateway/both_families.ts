// The two addresses of the name `localhost`. Passkeys need the name, and browsers ask ::1 before 127.0.0.1:
// another user of the machine who listens at ::1 would get the people who open the page.

import { createServer, type Server } from 'node:net';

/** A listener at ::1. */
export type Ipv6Listener = {
  /** Stops accepting; resolves once its connections are over. */
  close(): Promise<void>;
};

/** The hosts of settings under which a service is reached at 127.0.0.1. */
const ipv4Hosts: readonly string[] = ['127.0.0.1', '0.0.0.0', 'localhost'];
/** The machine has no IPv6: nobody can listen at ::1 either. */
const withoutIpv6: readonly unknown[] = ['EADDRNOTAVAIL', 'EAFNOSUPPORT'];

/** Returns true if people open the page of a service at `localhost`, and so need both addresses. */
export const isOpenedAtLocalhost = ({
  host,
  dashboard,
}: {
  readonly host: string;
  readonly dashboard: boolean;
}): boolean => dashboard && ipv4Hosts.includes(host);

/** The address of a service on this machine as browsers need it: passkeys belong to a named host. */
export const atLocalhost = (url: string): string =>
  url.replace(/^http:\/\/127\.0\.0\.1(?=[:/]|$)/, 'http://localhost');

/**
 * Hands connections at ::1 to a server that listens at 127.0.0.1, at the same port. Returns undefined on a
 * machine without IPv6. Raises an error of `listen` where another program has that address.
 */
export async function listenAtIpv6(
  server: Pick<Server, 'emit'>,
  port: number,
): Promise<Ipv6Listener | undefined> {
  const beside = createServer({ noDelay: true }, (socket) => server.emit('connection', socket));
  const listening = Promise.withResolvers<void>();
  beside.once('error', listening.reject);
  beside.listen({ host: '::1', port, exclusive: true }, listening.resolve);
  try {
    await listening.promise;
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (withoutIpv6.includes(code)) return undefined;
    if (code !== 'EADDRINUSE') throw error;
    const message = `another program listens at [::1]:${port}, which browsers ask first for http://localhost:${port}. End it, or choose another port`;
    throw Object.assign(new Error(message, { cause: error }), { code, syscall: 'listen' });
  }
  return {
    close: () => {
      const closed = Promise.withResolvers<void>();
      beside.close(() => closed.resolve());
      return closed.promise;
    },
  };
}
