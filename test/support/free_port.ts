// Ports for servers that must know theirs before they start, or that start again on the same.

import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';

/** The system gives these to no outgoing connection, so that a port stays free while its server is away. */
const lowest = 20_000;
const highest = 32_767;

const runFolder = process.env['TEST_RUN_FOLDER'];

/** Returns a port on which nothing listens. No other file of the same run of the tests is given it. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(lowest, highest + 1);
    if (isClaimed(port)) continue;
    const server = createServer();
    const isFree = await new Promise<boolean>((resolve) => {
      server.once('error', () => resolve(false));
      server.listen(port, '127.0.0.1', () => resolve(true));
    });
    if (!isFree) continue;
    server.close();
    await once(server, 'close');
    return port;
  }
}

/** Claims a port for this process; true if another one has it. */
function isClaimed(port: number): boolean {
  if (runFolder === undefined) return false;
  try {
    writeFileSync(join(runFolder, `port_${port}`), '', { flag: 'wx' });
    return false;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return true;
    throw error;
  }
}
