// Raw connections of attackers, opened again and again.

import { connect, type Socket } from 'node:net';

/** A source of an attack, as the proxy before the service names it. */
export const attackerAddress = (i: number): string => `203.0.113.${i}`;

const beginWithinMs = 1_000;

/**
 * Keeps so many connections open; `begin` writes to each new one. Each lasts so long and is then opened
 * again, also where the service has ended it before: that bounds what the attack costs itself. The
 * connections begin one after the other within a second. Never settles.
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
