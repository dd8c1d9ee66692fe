// Raw connections of attackers, opened repeatedly.

import { connect, type Socket } from 'node:net';

/** Returns the address of an attack's source, as the proxy before the service names it. */
export const attackerAddress = (i: number): string => `203.0.113.${i}`;

const beginWithinMs = 1_000;

/**
 * Keeps this number of connections open; `begin` writes to each new one. Each is reopened after a fixed
 * time, even if the service closed it earlier, which bounds the cost of the attack itself. The connections
 * start in turn within a second. Never resolves.
 */
export function keepConnections(
  port: number,
  count: number,
  lastsMs: number,
  begin: (socket: Socket, index: number) => void,
): Promise<never> {
  const open = (index: number): void => {
    const socket = connect({ port, host: '127.0.0.1' });
    socket.on('error', () => undefined);
    socket.once('connect', () => begin(socket, index));
    setTimeout(() => {
      socket.destroy();
      open(index);
    }, lastsMs);
  };
  for (let i = 0; i < count; i += 1) setTimeout(() => open(i), (i * beginWithinMs) / count);
  return new Promise<never>(() => undefined);
}
