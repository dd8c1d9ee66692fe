// The entry of the enclave process, whose only channel is standard input and output.

import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { holdsKeyFlag } from '../ipc/held_key.ts';
import { handlersOf } from '../ipc/message_table.ts';
import { enclaveMessages, type GatewayMessages, gatewayMessages } from '../ipc/messages.ts';
import { createLink } from '../ipc/rpc.ts';
import { streamChannel } from '../ipc/stream_channel.ts';
import { openKernelRandom } from '../system/kernel_random.ts';
import { createEnclave } from './enclave.ts';
import { returnMemoryOnceIdle } from './measurements/return_memory.ts';
import { createBusyTime, createVitals } from './measurements/vitals.ts';
import { readProgram } from './program.ts';
import { createLargeReads } from './records/large_reads.ts';
import { anchorOverLink, storeOverLink } from './records/store_over_link.ts';
import { externalServicesOverLink } from './services/external_services_over_link.ts';
import { readHeldKey, withHeldKey } from './services/held_key.ts';
import { createFairTurns, eventLoop } from './turns/fair_turns.ts';

const link = createLink<GatewayMessages, typeof enclaveMessages>({
  channel: streamChannel(process.stdin, process.stdout),
  calls: gatewayMessages,
  serves: enclaveMessages,
  handlers: handlersOf(enclaveMessages, () => enclave),
  closedCode: 'store_unavailable',
  log,
  hold: { mayHold: () => turns.mayHold(), clock: () => performance.now() },
});

const turns = createFairTurns({
  ...eventLoop,
  clock: () => performance.now(),
  outgoing: link.outgoing,
});

// A blocking read before the first message is safe, because nothing else runs in the process yet.
const heldKey = process.argv.includes(holdsKeyFlag) ? readHeldKey() : undefined;

const created = createEnclave({
  store: storeOverLink(link),
  anchor: anchorOverLink(link),
  logAnchor: async () => (await link.call('logAnchor', undefined)).note,
  witnessed: async (origins) =>
    (await link.call('witnessed', { origins: [...origins] })).checkpoints,
  external: externalServicesOverLink(link),
  clock: Date.now,
  turns,
  large: createLargeReads(),
  stageClock: () => performance.now(),
  after: (ms, run) => {
    const timer = setTimeout(run, ms);
    return () => clearTimeout(timer);
  },
  vitals: createVitals(),
  busyMs: createBusyTime(() => performance.now()),
  random: openKernelRandom(),
  log,
  program: readProgram(
    `src/enclave/${basename(import.meta.filename)}`,
    ownFile,
    `node ${process.version} ${process.platform} ${process.arch}`,
  ),
});

const enclave = heldKey === undefined ? created : withHeldKey(created, heldKey);

// The start leaves megabytes of garbage, and an idle enclave would never collect them. Other collections keep
// the free pages for later use.
const { gc } = globalThis;
globalThis.gc = undefined;
returnMemoryOnceIdle({
  collect: () => void gc?.({ type: 'major', execution: 'sync', flavor: 'last-resort' }),
});

// A signal to the whole process group is meant for the gateway, which finishes requests first.
for (const signal of ['SIGTERM', 'SIGINT']) process.on(signal, () => undefined);

// Without its gateway the enclave exits, so that no key outlives its use.
void link.closed.then(() => process.exit(0));

function log(
  level: 'info' | 'warn' | 'error',
  message: string,
  fields: Readonly<Record<string, string | number>>,
): void {
  // An undeliverable log line is lost; the closing of the link is reported separately.
  link.call('log', { level, message, fields: JSON.stringify(fields) }).catch(() => undefined);
}

/** Reads a file of the project that the sandbox lets the enclave read. */
function ownFile(path: string): Uint8Array | undefined {
  try {
    return readFileSync(join(import.meta.dirname, '..', '..', path));
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}
