// Signs at a fixed rate for a long time, and measures the resources of both processes of the service.

import { readdirSync, readFileSync } from 'node:fs';
import { Agent } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import {
  childrenOf,
  type RunningService,
  startService,
  temporaryDirectory,
} from '../e2e/service.ts';
import { senderOf } from './signing_load.ts';

/** The resources of a process at a time. */
export type Sample = {
  readonly atMs: number;
  /** Resident memory. */
  readonly bytes: number;
  readonly descriptors: number;
};

/** The resources of one process after the warm-up. */
export type Taken = {
  readonly firstMegabytes: number;
  readonly lastMegabytes: number;
  /** Least-squares slope of all samples, including memory that no collection has freed yet. */
  readonly megabytesPerHour: number;
  /** Slope of the memory that is left after collections, from the least sample of each window. */
  readonly floorMegabytesPerHour: number;
  readonly fewestDescriptors: number;
  readonly mostDescriptors: number;
  readonly descriptorsPerHour: number;
};

export type Soaked = {
  readonly requests: number;
  readonly outcomes: Readonly<Record<string, number>>;
  readonly perSecond: number;
  readonly gateway: Taken;
  readonly enclave: Taken;
};

const hourMs = 3_600_000;
const tickMs = 20;
const sampleEveryMs = 1_000;
/** Contains a full collection at 300 signatures a second, since each 50,000 signatures cause about one. */
const floorWindowMs = 180_000;
/** Maximum number of requests in progress; the service cannot keep up with more. */
const underWayMaximum = 512;
/** Fraction of the time during which caches fill. */
const warmUp = 1 / 3;

/** Signs on a service of its own, on the embedded database. */
export async function soak({
  perSecond,
  seconds,
}: {
  readonly perSecond: number;
  readonly seconds: number;
}): Promise<Soaked> {
  const service = await startService({
    dataDirectory: temporaryDirectory(),
    environment: { KEYWRIGHT_LOG_LEVEL: 'warn' },
  });
  try {
    return await soakOn(service, { perSecond, seconds });
  } finally {
    await service.stop();
  }
}

async function soakOn(
  service: RunningService,
  { perSecond, seconds }: { readonly perSecond: number; readonly seconds: number },
): Promise<Soaked> {
  const sendOnce = await senderOf(service);
  const [enclavePid] = childrenOf(service.pid);
  if (enclavePid === undefined) throw new Error('the service has an enclave');
  const agent = new Agent({ keepAlive: true, maxSockets: 64 });
  const outcomes: Record<string, number> = {};
  const samples = { gateway: [] as Sample[], enclave: [] as Sample[] };
  const underWay = new Set<Promise<void>>();
  const startedAt = performance.now();
  let requests = 0;
  let sampledAt = Number.NEGATIVE_INFINITY;
  for (let now = startedAt, isOver = false; !isOver; now = performance.now()) {
    // A late last turn sends only the requests that are due by the end.
    const elapsedMs = Math.min(now - startedAt, seconds * 1_000);
    isOver = elapsedMs === seconds * 1_000;
    const due = Math.floor((elapsedMs / 1_000) * perSecond);
    for (; requests < due && underWay.size < underWayMaximum; requests += 1) {
      const sent = sendOnce(service.baseUrl, agent).then(({ outcome }) => {
        outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
        underWay.delete(sent);
      });
      underWay.add(sent);
    }
    if (now - sampledAt >= sampleEveryMs) {
      sampledAt = now;
      samples.gateway.push(sampleOf(service.pid, now - startedAt));
      samples.enclave.push(sampleOf(enclavePid, now - startedAt));
    }
    await pause(tickMs);
  }
  await Promise.all(underWay);
  const tookMs = performance.now() - startedAt;
  agent.destroy();
  return {
    requests,
    outcomes,
    perSecond: requests / (tookMs / 1_000),
    gateway: takenOf(samples.gateway, seconds * 1_000 * warmUp),
    enclave: takenOf(samples.enclave, seconds * 1_000 * warmUp),
  };
}

/** Reads the resources of a process from Linux. */
export function sampleOf(pid: number, atMs: number): Sample {
  const [, kilobytes = ''] =
    /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return {
    atMs,
    bytes: Number(kilobytes) * 1_024,
    descriptors: readdirSync(`/proc/${pid}/fd`).length,
  };
}

/** Summarizes the samples of a process from a time on. */
export function takenOf(all: readonly Sample[], fromMs: number): Taken {
  const samples = all.filter(({ atMs }) => atMs >= fromMs);
  const megabytes = samples.map(({ bytes }) => bytes / 1e6);
  const descriptors = samples.map((sample) => sample.descriptors);
  const slope = (values: readonly number[]) =>
    slopeOf(values.map((value, i) => [(samples[i]?.atMs ?? 0) / hourMs, value]));
  return {
    firstMegabytes: megabytes[0] ?? 0,
    lastMegabytes: megabytes.at(-1) ?? 0,
    megabytesPerHour: slope(megabytes),
    floorMegabytesPerHour: slopeOf(
      floorsOf(samples).map(({ atMs, bytes }) => [atMs / hourMs, bytes / 1e6]),
    ),
    fewestDescriptors: Math.min(...descriptors),
    mostDescriptors: Math.max(...descriptors),
    descriptorsPerHour: slope(descriptors),
  };
}

/** Returns the least sample of each whole window. */
function floorsOf(samples: readonly Sample[]): readonly Sample[] {
  const from = samples[0]?.atMs ?? 0;
  const windows = Math.floor(((samples.at(-1)?.atMs ?? 0) - from) / floorWindowMs);
  return Array.from({ length: windows }, (_, i) =>
    samples
      .filter(({ atMs }) => Math.floor((atMs - from) / floorWindowMs) === i)
      .toSorted((a, b) => a.bytes - b.bytes),
  ).flatMap((window) => window.slice(0, 1));
}

/** Returns the slope of the least-squares line; 0 for fewer than two points. */
export function slopeOf(points: readonly (readonly [x: number, y: number])[]): number {
  if (points.length < 2) return 0;
  const mean = (values: readonly number[]) =>
    values.reduce((sum, value) => sum + value, 0) / values.length;
  const meanX = mean(points.map(([x]) => x));
  const meanY = mean(points.map(([, y]) => y));
  const above = points.reduce((sum, [x, y]) => sum + (x - meanX) * (y - meanY), 0);
  const below = points.reduce((sum, [x]) => sum + (x - meanX) ** 2, 0);
  return below === 0 ? 0 : above / below;
}
