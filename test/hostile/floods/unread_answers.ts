// One connection asks a thousand times for the same large document, in 60 kB, and takes no answer.

import type { Flood, Target } from '../beside/flood.ts';
import { besideAttack } from '../beside/neighbour.ts';
import { attackerAddress, keepConnections } from '../beside/raw_senders.ts';

const request = `GET /openapi.json HTTP/1.1\r\nX-Forwarded-For: ${attackerAddress(1)}\r\n\r\n`;

export function attack({ port }: Target): Promise<never> {
  return keepConnections(port, 4, 1_000, (socket) => socket.pause().write(request.repeat(1_000)));
}

export const flood: Flood = {
  name: 'answers that are not taken',
  run: async (bounds) => {
    // The document is made at the first request for it, once.
    await fetch(`http://127.0.0.1:${bounds.service.port}/openapi.json`).then((made) => made.text());
    return besideAttack(bounds, import.meta.url);
  },
};
