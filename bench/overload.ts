// Goodput: requests answered with 200 per second at several times the capacity of the service. Clients send
// at fixed times and drop requests that they could not send within a second. The clients use the same cores,
// so the gateway's cost of a refusal is reported separately.

import { batchRequests, createWallet, type Signer, signerOf, signRequests } from './client.ts';
import { make } from './compare.ts';
import { load, openLoop } from './load.ts';
import { newDataDirectory, removeDataDirectory, startService } from './service.ts';

const seconds = 4;
/** More than one source may have in progress, so that some are refused. */
const connections = 2_048;
const patienceMs = 1_000;
const refusalRounds = 3;
const refusalCount = 10_000;

/** Measures the gateway's processor time of a refused call, after a warm-up. */
async function measureRefusals(print: (line: string) => void): Promise<void> {
  const data = newDataDirectory();
  const bench = await startService(data, undefined, {
    KEYWRIGHT_IN_FLIGHT_MAXIMUM: '1',
    // The service does not pause connections of trusted proxies after a refusal.
    KEYWRIGHT_TRUSTED_PROXIES: '1',
  });
  try {
    const signer = signerOf(bench.credentials);
    const signRequest = signRequests(signer, await createWallet(bench.port, signer));
    for (let round = 0; round <= refusalRounds; round += 1) {
      const requests = make(refusalCount, signRequest);
      const before = bench.cpuSeconds().gateway;
      const { refused } = await load(bench.port, 64, requests);
      const microseconds = ((bench.cpuSeconds().gateway - before) * 1e6) / refusalCount;
      const share = ((refused.get(503) ?? 0) / refusalCount) * 100;
      if (round === 0) continue;
      print(
        `  a refusal: ${microseconds.toFixed(0)} µs of the gateway (${share.toFixed(1)} % of the calls)`,
      );
    }
  } finally {
    await bench.stop();
    removeDataDirectory(data);
  }
}

/**
 * The measured kinds of requests. At ten times the peak of single signatures, clients use most of the
 * shared cores. Clients of batches use little, so batches show the work of the service under such a load.
 */
const kinds = {
  signatures: { request: signRequests, warmUpCount: 10_000, peakCount: 12_000 },
  'batches of 20': {
    request: (signer: Signer, address: string) => batchRequests(signer, address, 20),
    warmUpCount: 600,
    peakCount: 1_500,
  },
} as const;

/** Measures the peak with 128 connections, then the goodput at multiples of it. */
export async function measureOverload(print: (line: string) => void): Promise<void> {
  const data = newDataDirectory();
  const bench = await startService(data);
  try {
    const signer = signerOf(bench.credentials);
    const address = await createWallet(bench.port, signer);
    for (const [name, { request, warmUpCount, peakCount }] of Object.entries(kinds)) {
      const nextRequest = request(signer, address);
      await load(bench.port, 128, make(warmUpCount, nextRequest));
      const peak = (await load(bench.port, 128, make(peakCount, nextRequest))).perSecond;
      print(`\ngoodput of ${name} over ${connections} connections, peak ${peak.toFixed(0)}/s`);
      for (const factor of [1, 2, 10]) {
        const perSecond = Math.round(peak * factor);
        const requests = make(perSecond * seconds, nextRequest);
        const cpuBefore = bench.cpuSeconds();
        const clientBefore = process.cpuUsage();
        const result = await openLoop(bench.port, perSecond, requests, { connections, patienceMs });
        const cpu = bench.cpuSeconds();
        const client = process.cpuUsage(clientBefore);
        const refused = [...result.refused.values()].reduce((sum, count) => sum + count, 0);
        const goodput = (result.requests - refused) / result.seconds;
        const ratio = (goodput / peak).toFixed(2);
        const coresOf = (cpuSeconds: number) => (cpuSeconds / result.seconds).toFixed(2);
        const cores = [
          `gateway ${coresOf(cpu.gateway - cpuBefore.gateway)}`,
          `enclave ${coresOf(cpu.enclave - cpuBefore.enclave)}`,
          `clients ${coresOf((client.user + client.system) / 1e6)}`,
        ].join(', ');
        const rest = `${refused} refused, ${result.dropped} not sent in time; cores: ${cores}`;
        print(`  ${factor} × the peak: ${goodput.toFixed(0)}/s, ${ratio} of the peak; ${rest}`);
      }
    }
  } finally {
    await bench.stop();
    removeDataDirectory(data);
  }
  await measureRefusals(print);
}
