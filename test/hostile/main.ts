// `npm run hostile -- --seconds 4` floods a real service in each way of the folder floods/. It prints the
// results of a neighbour alone and during each flood, and the memory before and after the flood.
// `--minutes 10` floods longer, at most 15 minutes in each way; `--only probes` runs one flood. It fails if a
// request of the neighbour is refused, if the 99th percentile is too long, or if a process exceeds a bound of
// memory.

import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { signerOf } from '../../bench/client.ts';
import type * as ServiceModule from '../../bench/service.ts';
import { freePort } from '../support/free_port.ts';
import type { Fared, Flood, FloodedService } from './beside/flood.ts';

const { values } = parseArgs({
  args: process.argv.slice(2).filter((argument) => argument !== '--'),
  options: {
    seconds: { type: 'string', default: '4' },
    minutes: { type: 'string' },
    /** The time alone is only printed for comparison. */
    'alone-seconds': { type: 'string', default: '2' },
    only: { type: 'string' },
    /** The root of the checkout whose service is flooded. */
    service: { type: 'string', default: join(import.meta.dirname, '..', '..') },
    /** Bound on the 99th percentile during a flood, with room for a busy machine. */
    'p99-ms': { type: 'string', default: '1000' },
  },
});
const seconds = values.minutes === undefined ? Number(values.seconds) : Number(values.minutes) * 60;
/** Maximum duration of one flood. */
const maximumSeconds = 15 * 60;
if (!(seconds > 0 && seconds <= maximumSeconds)) {
  throw new Error(`a flood takes at most ${maximumSeconds} seconds`);
}
const aloneSeconds = Number(values['alone-seconds']);
const longestMs = Number(values['p99-ms']);
const folder = join(import.meta.dirname, 'floods');

const { newDataDirectory, removeDataDirectory, startService }: typeof ServiceModule = await import(
  join(values.service, 'bench', 'service.ts')
);

/** Bound on the memory of each of the two processes after a flood. */
const maximumMiB = 512;

const floods: Flood[] = [];
for (const file of readdirSync(folder).toSorted()) {
  const { flood } = (await import(join(folder, file))) as { flood: Flood };
  if (values.only === undefined || file.startsWith(values.only)) floods.push(flood);
}
if (floods.length === 0) throw new Error(`no flood is named ${values.only}`);

const data = newDataDirectory();
const metricsPort = await freePort();
const service = await startService(data, undefined, {
  KEYWRIGHT_TRUSTED_PROXIES: '1',
  KEYWRIGHT_LAME_DUCK_MS: '0',
  // The flood of slow issuers runs its issuers on this machine.
  KEYWRIGHT_ALLOW_PRIVATE_TARGETS: 'true',
  KEYWRIGHT_METRICS_PORT: String(metricsPort),
});
const flooded: FloodedService = {
  port: service.port,
  metricsPort,
  root: signerOf(service.credentials),
  authProxyConfigId: service.credentials.authProxyConfigId,
};
let vulnerable = 0;
try {
  for (const flood of floods) {
    const before = service.cpuSeconds();
    const memoryBefore = service.residentMiB();
    const { alone, beside } = await flood.run({ service: flooded, seconds, aloneSeconds });
    const after = service.cpuSeconds();
    const { gateway, enclave } = service.residentMiB();
    const isSlow = beside.p99Ms > Math.min(longestMs, flood.longestMs ?? longestMs);
    const isLarge = Math.max(gateway, enclave) > maximumMiB;
    const isVulnerable = beside.refused > 0 || isSlow || isLarge;
    if (isVulnerable) vulnerable += 1;
    print(
      `${isVulnerable ? 'VULNERABLE' : 'ok'}  ${flood.name}: alone ${faredText(alone)}; beside ${faredText(beside)};` +
        ` gateway ${(after.gateway - before.gateway).toFixed(1)} s ${grown(memoryBefore.gateway, gateway)},` +
        ` enclave ${(after.enclave - before.enclave).toFixed(1)} s ${grown(memoryBefore.enclave, enclave)}`,
    );
  }
} finally {
  await service.stop();
  removeDataDirectory(data);
}
print(
  `${floods.length} floods, ${vulnerable} vulnerable (p99 above ${longestMs} ms or the flood's own bound, ${maximumMiB} MiB, or a refusal)`,
);
if (vulnerable > 0) process.exitCode = 1;

function faredText({ requests, p50Ms, p99Ms, refused }: Fared): string {
  return `p50 ${p50Ms.toFixed(1)} p99 ${p99Ms.toFixed(1)} ms, ${refused} of ${requests} refused`;
}

/** Returns the memory before and after a flood. */
function grown(before: number, after: number): string {
  return `${before.toFixed(0)} → ${after.toFixed(0)} MiB`;
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
