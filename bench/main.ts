// Measures the real service, and the unavoidable costs of a request, in one run: npm run bench. Numbers
// depend on the machine; read the ratios.
//
// BENCH_REQUESTS       requests of one measurement (6000)
// BENCH_ORGANIZATIONS  sub-organizations of a large database (10000)
// BENCH_ACCOUNTS       wallet accounts of the largest data set (0: left out; 1000000 takes minutes)
// BENCH_ONLY           sections to run, by name, with commas

import {
  canStartPostgres,
  newDatabase,
  startPostgresServer,
} from '../test/store/postgres_server.ts';
import { ratesOfBlocks } from './balances.ts';
import { exportRequest, importRequest } from './bundles.ts';
import {
  batchRequests,
  createWallet,
  type Signer,
  signerOf,
  signRequests,
  stamper,
  transferRequests,
} from './client.ts';
import {
  cpuMicroseconds,
  expectAllAnswered,
  type Measured,
  make,
  measured,
  measureInTurn,
  median,
  type Ratios,
  ratiosOf,
  type Side,
} from './compare.ts';
import { measureDeliveries } from './deliveries.ts';
import { type Floors, measureFloors, sumOfFloors } from './floors.ts';
import { load, openLoop } from './load.ts';
import { measureOverload } from './overload.ts';
import { measureDecisions, typicalPolicies } from './policies.ts';
import { type MadeOrganization, openPopulation } from './populate.ts';
import {
  type BenchService,
  newDataDirectory,
  removeDataDirectory,
  startService,
} from './service.ts';
import { startReceiver, subscribe } from './webhooks.ts';

const requestCount = Number(process.env['BENCH_REQUESTS'] ?? 6000);
const organizationCount = Number(process.env['BENCH_ORGANIZATIONS'] ?? 10_000);
const accountCount = Number(process.env['BENCH_ACCOUNTS'] ?? 0);
const rounds = 3;
/** The number of requests of a warm-up: after it code is compiled and caches are filled. */
const warmUpCount = 20_000;

const sections = {
  requests: measureRequests,
  policies: measurePolicies,
  bundles: measureBundles,
  keys: measureManyKeys,
  organizations: measureManyOrganizations,
  accounts: measureManyAccounts,
  webhooks: measureWebhooks,
  overload: () => measureOverload(print),
  deliveries: () => measureDeliveries(print),
  balances: async () => print(await ratesOfBlocks()),
  postgres: measurePostgres,
};

const only = process.env['BENCH_ONLY']?.split(',');
const floors = await measureFloors();
printFloors(floors);
for (const [name, measure] of Object.entries(sections)) {
  if (only === undefined || only.includes(name)) await measure();
}

async function measureRequests(): Promise<void> {
  await withService(async (bench) => {
    const idle = bench.residentMiB();
    print(`\nready after ${bench.readyMs.toFixed(0)} ms; idle ${mebibytes(idle)}\n`);
    const signer = signerOf(bench.credentials);
    const address = await createWallet(bench.port, signer);
    const signRequest = signRequests(signer, address);
    await load(bench.port, 32, make(warmUpCount, signRequest));

    print('sign_raw_payload, durable, secp256k1 with a P-256 stamp');
    print(
      'connections  per second   p50 ms   p99 ms   CPU µs/request (gateway + enclave)   of floors',
    );
    for (const connections of [1, 8, 32, 128]) {
      const count = connections === 1 ? Math.ceil(requestCount / 4) : requestCount;
      printLoad(connections, await measured(bench, connections, make(count, signRequest)));
    }

    const perSecond = 2000;
    const opened = await openLoop(bench.port, perSecond, make(perSecond * 5, signRequest));
    expectAllAnswered(opened);
    print(`\n${perSecond}/s at fixed times, latency from the time each was due`);
    print(`  p50 ${opened.p50Ms.toFixed(2)} ms, p99 ${opened.p99Ms.toFixed(2)} ms`);

    await measureBatches(bench, signer, address);
    await measureQueries(bench, signer);
    print(`\nresident after the load: ${mebibytes(bench.residentMiB())}`);
  });
}

async function measureBatches(bench: BenchService, signer: Signer, address: string): Promise<void> {
  const batches = make(40, batchRequests(signer, address, 100));
  const batched = await load(bench.port, 8, batches);
  expectAllAnswered(batched);
  const perSecond = batched.perSecond * 100;
  const share = (perSecond * floors.signMicroseconds) / 1e6;
  print('\nsign_raw_payloads of 100');
  print(`  ${perSecond.toFixed(0)} signatures/s, ${share.toFixed(2)} of one core's signing rate`);
}

async function measureQueries(bench: BenchService, signer: Signer): Promise<void> {
  const stamp = stamper(signer);
  const queried = await load(
    bench.port,
    32,
    make(requestCount, () => stamp.query('whoami', {})),
  );
  expectAllAnswered(queried);
  const queryFloor = floors.verifyMicroseconds + floors.httpMicroseconds;
  print('\nstamped whoami');
  print(`  ${queried.perSecond.toFixed(0)} queries/s, p50 ${queried.p50Ms.toFixed(2)} ms`);
  print(`  floor of verify + HTTP: ${(1e6 / queryFloor).toFixed(0)}/s on one core`);
}

/**
 * Measures the decision alone, then whole signatures of users whom the only policy, or one of a hundred,
 * allows.
 */
async function measurePolicies(): Promise<void> {
  const policyCount = 100;
  print('\ndecisions over one signature, clauses compiled');
  for (const count of [policyCount, 10 * policyCount]) {
    for (const facts of ['new', 'known'] as const) {
      const { p50Microseconds, p99Microseconds } = measureDecisions(count, facts);
      const times = `p50 ${p50Microseconds.toFixed(1)} µs, p99 ${p99Microseconds.toFixed(1)} µs`;
      print(`  ${String(count).padStart(4)} policies, ${facts} facts: ${times}`);
    }
  }
  const data = await newDatabaseDirectory();
  const made = await populated(data, async (population) => [
    await population.organization(1),
    await population.organizationOfPolicies((userId) => typicalPolicies(1, userId)),
    await population.organizationOfPolicies((userId) => typicalPolicies(policyCount, userId)),
  ]);
  const bench = await startService(data);
  try {
    const sides: Side[] = made.map((organization) => ({ bench, made: organization }));
    const last = sides.slice(-1).map((side) => ({ ...side, requests: transferRequests }));
    sides.push(...last);
    const [root = [], one = [], many = [], transfers = []] = await measureInTurn(sides, {
      rounds: 7,
      requests: requestCount / 3,
      warmUp: warmUpCount / 2,
    });
    print(`\na user whom one of ${policyCount} policies allows`);
    printSide('root user, no policies', root);
    printSide('only policy', one);
    printSide(`one of ${policyCount} policies`, many);
    printSide('the same, transfers of type 2', transfers);
    printRatios(`${policyCount} policies against the only one`, ratiosOf(one, many));
    printRatios(`${policyCount} policies against a root user`, ratiosOf(root, many));
    printRatios('transfers against raw payloads', ratiosOf(many, transfers));
  } finally {
    await bench.stop();
    removeDataDirectory(data);
  }
}

/** Measures imports and exports, each of another sub-organization, since a user imports a key once. */
async function measureBundles(): Promise<void> {
  const connections = 32;
  const count = Math.ceil(requestCount / 6);
  const data = await newDatabaseDirectory();
  const made = await populated(data, (population) => population.importingOrganizations(4 * count));
  const bench = await startService(data);
  try {
    print(`\nimports and exports over ${connections} connections, of ${2 * count} organizations`);
    for (const [what, request] of [
      ['import_private_key', importRequest],
      ['export_wallet', exportRequest],
    ] as const) {
      await load(bench.port, connections, made.slice(0, 2 * count).map(request));
      printSide(what, [await measured(bench, connections, made.slice(2 * count).map(request))]);
    }
  } finally {
    await bench.stop();
    removeDataDirectory(data);
  }
}

/** Compares one key with a thousand, in two organizations of one service. */
async function measureManyKeys(): Promise<void> {
  // The number of keys that 100 users can hold if one user has a single key.
  const keyCount = 991;
  const data = await newDatabaseDirectory();
  const { one, many } = await populated(data, async (population) => ({
    one: await population.organization(1),
    many: await population.organization(keyCount),
  }));
  const bench = await startService(data);
  try {
    print(`\nan organization of ${keyCount} API keys, against one key`);
    await compare({ bench, made: one }, { bench, made: many });
  } finally {
    await bench.stop();
    removeDataDirectory(data);
  }
}

/** Compares one sub-organization with very many. */
async function measureManyOrganizations(): Promise<void> {
  print(`\n${organizationCount} sub-organizations, against one`);
  await compareData(
    (population) => population.organization(1),
    async (population) => {
      await population.emptyOrganizations(organizationCount / 2);
      const made = await population.organization(1);
      await population.emptyOrganizations(organizationCount / 2 - 1);
      return made;
    },
  );
}

async function measureManyAccounts(): Promise<void> {
  if (accountCount === 0) return;
  print(`\n${accountCount} wallet accounts, against one`);
  await compareData(
    (population) => population.organization(1),
    (population) => population.organizationOfAccounts(accountCount),
  );
}

type Population = ReturnType<typeof openPopulation>;
type Fill = (population: Population) => Promise<MadeOrganization>;

/** Compares two services, one with little data and one with much. */
async function compareData(little: Fill, much: Fill): Promise<void> {
  const littleData = await newDatabaseDirectory();
  const muchData = await newDatabaseDirectory();
  const few = await populated(littleData, little);
  const startedAtMs = performance.now();
  const many = await populated(muchData, much);
  print(`  written in ${((performance.now() - startedAtMs) / 1000).toFixed(0)} s`);
  const small = await startService(littleData);
  const large = await startService(muchData);
  try {
    print(`  ready after ${large.readyMs.toFixed(0)} ms, against ${small.readyMs.toFixed(0)} ms`);
    print(`  idle: ${mebibytes(large.residentMiB())}`);
    await compare({ bench: small, made: few }, { bench: large, made: many });
    print(`  resident after the load: ${mebibytes(large.residentMiB())}`);
  } finally {
    await small.stop();
    await large.stop();
    removeDataDirectory(littleData);
    removeDataDirectory(muchData);
  }
}

/** Signs on both sides in turn, and prints the second relative to the first. */
async function compare(first: Side, second: Side): Promise<void> {
  const [before = [], after = []] = await measureInTurn([first, second], {
    rounds,
    requests: requestCount / 2,
    warmUp: warmUpCount / 2,
  });
  printRatios('signing', ratiosOf(before, after));
}

/** Compares signing with a subscribed endpoint to signing without endpoints. */
async function measureWebhooks(): Promise<void> {
  print('\none webhook endpoint that hears of every activity, against none');
  const receiver = await startReceiver();
  const data = [newDataDirectory(), newDataDirectory()] as const;
  const environment = { KEYWRIGHT_ALLOW_PRIVATE_TARGETS: 'true' };
  const services = [
    await startService(data[0], undefined, environment),
    await startService(data[1], undefined, environment),
  ];
  try {
    const sides: Side[] = [];
    for (const bench of services) {
      const signer = signerOf(bench.credentials);
      sides.push({ bench, made: { signer, address: await createWallet(bench.port, signer) } });
    }
    const [without, heard] = sides;
    if (without === undefined || heard === undefined) return;
    await subscribe(heard.bench.port, heard.made.signer, receiver.url);
    await compare(without, heard);
    print(`  ${receiver.count()} deliveries meanwhile`);
  } finally {
    for (const service of services) await service.stop();
    for (const path of data) removeDataDirectory(path);
    receiver.close();
  }
}

async function measurePostgres(): Promise<void> {
  if (!canStartPostgres) return;
  const server = await startPostgresServer();
  const data = [newDataDirectory(), newDataDirectory()] as const;
  const embedded = await startService(data[0]);
  const shared = await startService(data[1], await newDatabase(server.url));
  try {
    print('\nPostgreSQL on the same cores, against the embedded store');
    const sides = [];
    for (const bench of [embedded, shared]) {
      const signer = signerOf(bench.credentials);
      const signRequest = signRequests(signer, await createWallet(bench.port, signer));
      await load(bench.port, 32, make(warmUpCount / 2, signRequest));
      sides.push({ bench, signRequest });
    }
    for (const connections of [32, 128]) {
      const rates: number[][] = [[], []];
      for (let round = 0; round < rounds; round += 1) {
        for (const [i, { bench, signRequest }] of sides.entries()) {
          const result = await measured(bench, connections, make(requestCount / 2, signRequest));
          rates[i]?.push(result.load.perSecond);
        }
      }
      const [ofEmbedded = 0, ofShared = 0] = rates.map(median);
      const ratio = (ofShared / ofEmbedded).toFixed(2);
      print(
        `  ${connections} connections: ${ofShared.toFixed(0)}/s of ${ofEmbedded.toFixed(0)}/s, ${ratio} ×`,
      );
    }
  } finally {
    await embedded.stop();
    await shared.stop();
    for (const path of data) removeDataDirectory(path);
    await server.remove();
  }
}

async function withService(run: (bench: BenchService) => Promise<void>): Promise<void> {
  const data = newDataDirectory();
  const bench = await startService(data);
  try {
    await run(bench);
  } finally {
    await bench.stop();
    removeDataDirectory(data);
  }
}

/** Returns a folder with the database of a service that has run once. */
async function newDatabaseDirectory(): Promise<string> {
  const data = newDataDirectory();
  await (await startService(data)).stop();
  return data;
}

async function populated<Made>(
  data: string,
  fill: (population: Population) => Promise<Made>,
): Promise<Made> {
  const population = openPopulation(data);
  try {
    return await fill(population);
  } finally {
    await population.close();
  }
}

function printLoad(connections: number, result: Measured): void {
  const { gateway, enclave } = result;
  const cpu = cpuMicroseconds(result);
  print(
    [
      String(connections).padStart(11),
      result.load.perSecond.toFixed(0).padStart(12),
      result.load.p50Ms.toFixed(2).padStart(9),
      result.load.p99Ms.toFixed(2).padStart(9),
      `${gateway.toFixed(0)} + ${enclave.toFixed(0)} = ${cpu.toFixed(0)}`.padStart(37),
      `${(cpu / sumOfFloors(floors)).toFixed(2)} ×`.padStart(11),
    ].join(''),
  );
}

function printSide(name: string, results: readonly Measured[]): void {
  const middle = (of: (result: Measured) => number) => median(results.map(of)).toFixed(0);
  const rate = middle((result) => result.load.perSecond);
  const cpu = `${middle(({ gateway }) => gateway)} + ${middle(({ enclave }) => enclave)}`;
  print(`  ${name.padEnd(22)} ${rate.padStart(6)}/s, CPU ${cpu} µs (gateway + enclave)`);
}

function printRatios(name: string, { time, cpu }: Ratios): void {
  const rate = (1 / time).toFixed(2);
  print(
    `  ${name}: rate ${rate} ×, time per request ${time.toFixed(2)} ×, CPU ${cpu.toFixed(2)} ×`,
  );
}

function printFloors(floor: Floors): void {
  print('floors, one core, µs');
  print(`  P-256 verify          ${floor.verifyMicroseconds.toFixed(1)}`);
  print(`  secp256k1 sign        ${floor.signMicroseconds.toFixed(1)}`);
  print(`  AES-256-GCM unwrap    ${floor.unwrapMicroseconds.toFixed(1)}`);
  print(`  HTTP round trip       ${floor.httpMicroseconds.toFixed(1)}  (server side)`);
  print(`  stored row            ${floor.rowMicroseconds.toFixed(1)}  (3 kB, 32 a transaction)`);
  print(`  fsync                 ${floor.fsyncMicroseconds.toFixed(1)}  (8 kB, waiting, not CPU)`);
  print(`  sum without fsync     ${sumOfFloors(floor).toFixed(1)}`);
}

function mebibytes({ gateway, enclave }: { gateway: number; enclave: number }): string {
  const sum = (gateway + enclave).toFixed(0);
  return `${sum} MiB resident (gateway ${gateway.toFixed(0)}, enclave ${enclave.toFixed(0)})`;
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
