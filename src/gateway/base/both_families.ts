// Listens at both addresses of the name `localhost`. Passkeys require the name, and browsers try ::1 before
// 127.0.0.1. Otherwise another user of the machine could listen at ::1 and receive the browsers that open the
// page.

import type { AddressInfo } from 'node:net';
import { createServer, type Server } from 'node:net';
import { assert } from '../../core/errors/errors.ts';

export type Ipv6Listener = {
  /** Stops accepting connections; resolves when the open connections have ended. */
  close(): Promise<void>;
};

/** The configured hosts for which a service is reachable at 127.0.0.1. */
const ipv4Hosts: readonly string[] = ['127.0.0.1', '0.0.0.0', 'localhost'];
/** The machine has no IPv6, so no program can listen at ::1. */
const withoutIpv6: readonly unknown[] = ['EADDRNOTAVAIL', 'EAFNOSUPPORT'];

/** Returns true if people open the page of a service at `localhost`, which requires both addresses. */
export const isOpenedAtLocalhost = ({
  host,
  dashboard,
}: {
  readonly host: string;
  readonly dashboard: boolean;
}): boolean => dashboard && ipv4Hosts.includes(host);

/** Returns the address of a service on this machine for browsers; passkeys require a host name. */
export const atLocalhost = (url: string): string =>
  url.replace(/^http:\/\/127\.0\.0\.1(?=[:/]|$)/, 'http://localhost');

/**
 * Forwards connections at ::1 to a server that listens at 127.0.0.1, on the same port. Returns undefined on a
 * machine without IPv6. Raises an error of `listen` if another program has that address.
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
    const message = `another program listens at [::1]:${port}, which browsers try first for http://localhost:${port}. End it, or choose another port`;
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

/** The port of a server that listens on TCP. */
export function portOf(address: string | AddressInfo | null): number {
  assert(address !== null && typeof address === 'object', 'a TCP server has an address');
  return address.port;
}
