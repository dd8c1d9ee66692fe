// Ports for servers that need their port before they start, or that restart on the same port.

import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';

/**
 * The system uses ports of this range for no outgoing connection, so a port stays free while its server is
 * down.
 */
const lowest = 20_000;
const highest = 32_767;

const runFolder = process.env['TEST_RUN_FOLDER'];

/** Returns a free port. Other files of the same test run never get this port. */
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

/** Claims a port for this process. Returns true if another process has claimed it. */
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
