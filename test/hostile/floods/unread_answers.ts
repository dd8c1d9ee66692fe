// One connection requests the same large document a thousand times, with 60 kB of requests, and reads no
// answer.

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
    // The service generates the document at the first request.
    await fetch(`http://127.0.0.1:${bounds.service.port}/openapi.json`).then((made) => made.text());
    return besideAttack(bounds, import.meta.url);
  },
};
