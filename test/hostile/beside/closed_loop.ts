// Attackers that send the next request on each connection once the last was answered.

import { setTimeout as pause } from 'node:timers/promises';
import { openConnection } from '../../../bench/load.ts';

/** Pause after a refusal, or after the service has closed a connection. */
const againAfterMs = 200;

/**
 * Sends requests on this number of connections, which are reopened if the service closes them. Never
 * resolves.
 */
export async function closedLoop(
  port: number,
  connections: number,
  nextOf: (connection: number) => Buffer,
): Promise<never> {
  await Promise.all(
    Array.from({ length: connections }, (_, i) => keepSending(port, () => nextOf(i))),
  );
  throw new Error('no connection is left');
}

async function keepSending(port: number, next: () => Buffer): Promise<never> {
  for (;;) {
    try {
      const connection = await openConnection(port);
      for (;;) await connection.exchange(next());
    } catch {
      await pause(againAfterMs);
    }
  }
}

/** Adds the source address to a request, like the proxy before the service. */
export function fromSource(request: Buffer, address: string): Buffer {
  const end = request.indexOf('\r\n') + 2;
  const header = Buffer.from(`X-Forwarded-For: ${address}\r\n`);
  return Buffer.concat([request.subarray(0, end), header, request.subarray(end)]);
}
