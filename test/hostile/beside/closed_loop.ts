// Attackers that send a request over each of their connections as soon as the last was answered.

import { setTimeout as pause } from 'node:timers/promises';
import { openConnection } from '../../../bench/load.ts';

/** After the service has refused or ended a connection. */
const againAfterMs = 200;

/** Sends requests over so many connections, opened again where the service ends them. Never settles. */
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

/** Adds the address of the source to a request, as the proxy before the service does. */
export function fromSource(request: Buffer, address: string): Buffer {
  const end = request.indexOf('\r\n') + 2;
  const header = Buffer.from(`X-Forwarded-For: ${address}\r\n`);
  return Buffer.concat([request.subarray(0, end), header, request.subarray(end)]);
}
