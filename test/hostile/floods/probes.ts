// Probes over many connections, each sent as soon as the last is answered.

import type { Flood, Target } from '../beside/flood.ts';
import { besideAttack } from '../beside/neighbour.ts';
import { attackerAddress, keepConnections } from '../beside/raw_senders.ts';

const probe = `GET /health/live HTTP/1.1\r\nX-Forwarded-For: ${attackerAddress(2)}\r\n\r\n`;
/** Without a pause the sender would use the core of the service. */
const againAfterMs = 10;

export function attack({ port }: Target): Promise<never> {
  return keepConnections(port, 64, 2_000, (socket) => {
    socket.on('data', () => setTimeout(() => socket.write(probe), againAfterMs));
    socket.write(probe);
  });
}

export const flood: Flood = {
  name: 'probes',
  run: (bounds) => besideAttack(bounds, import.meta.url),
};
