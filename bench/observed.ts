// Measures the processor time that metrics, traces and the audit trail add to a signature: npm run observed.
// The same signatures run in turn against services that differ in one setting each. It prints the time of
// both processes relative to a service without these settings.
//
// BENCH_REQUESTS  signatures of one measurement (2000)
// BENCH_ROUNDS    measurements of each service, whose median ratio is printed (7)

import { createServer } from 'node:http';
import { join } from 'node:path';
import { portOf } from '../src/gateway/base/both_families.ts';
import { createWallet, signerOf } from './client.ts';
import { cpuMicroseconds, measureInTurn, median, ratiosOf } from './compare.ts';
import { newDataDirectory, removeDataDirectory, startService } from './service.ts';

const requests = Number(process.env['BENCH_REQUESTS'] ?? 2_000);
const rounds = Number(process.env['BENCH_ROUNDS'] ?? 7);

/** Accepts every request and ignores its contents. */
const collector = createServer((request, response) => {
  request.resume().on('end', () => response.end());
});
const listening = Promise.withResolvers<void>();
collector.listen(0, '127.0.0.1', listening.resolve);
await listening.promise;
const url = `http://127.0.0.1:${portOf(collector.address())}/v1/traces`;

const traced = (ratio: string) => ({ KEYWRIGHT_TRACES_URL: url, KEYWRIGHT_TRACES_RATIO: ratio });
const settings: readonly (readonly [string, (data: string) => Record<string, string>])[] = [
  ['nothing', () => ({})],
  ['metrics', () => ({ KEYWRIGHT_METRICS_PORT: '0' })],
  ['traces of one request of a hundred', () => traced('0.01')],
  ['traces of every request', () => traced('1')],
  ['the audit trail in a file', (data) => ({ KEYWRIGHT_AUDIT_FILE: join(data, 'audit.ndjson') })],
];

const sides = await Promise.all(
  settings.map(async ([name, environmentOf]) => {
    const data = newDataDirectory();
    const bench = await startService(data, undefined, environmentOf(data));
    const signer = signerOf(bench.credentials);
    const address = await createWallet(bench.port, signer);
    return { name, data, bench, made: { signer, address } };
  }),
);
const results = await measureInTurn(sides, { rounds, requests, warmUp: requests });
const [none = []] = results;
for (const [index, { name, data, bench }] of sides.entries()) {
  const own = results[index] ?? [];
  const { cpu, time } = ratiosOf(none, own);
  const micros = median(own.map(cpuMicroseconds)).toFixed(0);
  const gateway = median(own.map((each) => each.gateway)).toFixed(0);
  const resident = bench.residentMiB().gateway.toFixed(0);
  process.stdout.write(
    `${name}: ${micros} µs of CPU a signature (gateway ${gateway}), × ${cpu.toFixed(2)}; ` +
      `time × ${time.toFixed(2)}; gateway ${resident} MiB\n`,
  );
  await bench.stop();
  removeDataDirectory(data);
}
collector.close();
collector.closeAllConnections();
