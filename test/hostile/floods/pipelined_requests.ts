// Eight connections write requests of 19 bytes in pieces of 64 kB, half a megabyte a second together.

import type { Flood, Target } from '../beside/flood.ts';
import { besideAttack } from '../beside/neighbour.ts';
import { keepConnections } from '../beside/raw_senders.ts';

const piece = 'GET /x HTTP/1.1\r\n\r\n'.repeat(3_400);

export function attack({ port }: Target): Promise<never> {
  return keepConnections(port, 8, 1_000, (socket) => socket.resume().write(piece));
}

export const flood: Flood = {
  name: 'requests in a row',
  run: (bounds) => besideAttack(bounds, import.meta.url),
};
