// Measures the latency of signatures beside changes of the same organization: npm run mixed. Requests are
// sent at fixed times, and a share of them stores further accounts of a wallet. Runs with and without such
// changes alternate. Read the ratios.
//
// BENCH_PER_SECOND  requests a second of the organization, on all nodes together (100)
// BENCH_SECONDS     length of one measurement (10)
// BENCH_ROUNDS      measurements of each share, whose medians are printed (3)
// BENCH_ONLY        stores, by name, with commas: sqlite, postgres, nodes

import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  canStartPostgres,
  newDatabase,
  startPostgresServer,
} from '../test/store/postgres_server.ts';
import {
  createWalletWithId,
  ethereumAccount,
  type Signer,
  signerOf,
  signRequests,
  stamper,
} from './client.ts';
import { make, median } from './compare.ts';
import { type LoadResult, load, openLoop } from './load.ts';
import {
  type BenchService,
  newDataDirectory,
  removeDataDirectory,
  startService,
} from './service.ts';

const perSecond = Number(process.env['BENCH_PER_SECOND'] ?? 100);
const seconds = Number(process.env['BENCH_SECONDS'] ?? 10);
const rounds = Number(process.env['BENCH_ROUNDS'] ?? 3);
const shares = [0, 0.1, 0.3] as const;
/** The number of signatures of a warm-up. */
const warmUpCount = 4_000;
const connections = 128;

/** Signatures and changes of one measurement. */
type Mixed = { readonly signatures: LoadResult; readonly changes: LoadResult };

/** The nodes of one deployment, and the function that stops it. */
type Deployment = {
  readonly nodes: readonly BenchService[];
  readonly remove: () => Promise<void>;
};

const deployments = {
  sqlite: async () => ({ name: 'embedded store', ...(await started(1, undefined)) }),
  postgres: async () => ({ name: 'PostgreSQL, one node', ...(await onPostgres(1)) }),
  nodes: async () => ({ name: 'PostgreSQL, two nodes', ...(await onPostgres(2)) }),
};

const only = process.env['BENCH_ONLY']?.split(',');
for (const [name, start] of Object.entries(deployments)) {
  if (only !== undefined && !only.includes(name)) continue;
  if (name !== 'sqlite' && !canStartPostgres) continue;
  const deployment = await start();
  try {
    await measure(deployment.name, deployment.nodes);
  } finally {
    await deployment.remove();
  }
}

async function started(count: number, databaseUrl: string | undefined): Promise<Deployment> {
  const directories: string[] = [];
  const nodes: BenchService[] = [];
  for (let i = 0; i < count; i += 1) {
    const data = newDataDirectory();
    directories.push(data);
    // Further nodes get the root key of the first, and its credentials, which all nodes share.
    const [first = data] = directories;
    for (const file of first === data ? [] : ['root.key', 'root-credentials.json']) {
      copyFileSync(join(first, file), join(data, file));
    }
    nodes.push(await startService(data, databaseUrl));
  }
  return {
    nodes,
    remove: async () => {
      for (const node of nodes) await node.stop();
      for (const data of directories) removeDataDirectory(data);
    },
  };
}

async function onPostgres(count: number): Promise<Deployment> {
  const server = await startPostgresServer();
  const { nodes, remove } = await started(count, await newDatabase(server.url));
  return {
    nodes,
    remove: async () => {
      await remove();
      await server.remove();
    },
  };
}

async function measure(name: string, nodes: readonly BenchService[]): Promise<void> {
  const [first] = nodes;
  if (first === undefined) return;
  const signer = signerOf(first.credentials);
  const { walletId, address } = await createWalletWithId(first.port, signer);
  const signRequest = signRequests(signer, address);
  const changeRequest = accountRequests(signer, walletId);
  for (const { port } of nodes) await load(port, 16, make(warmUpCount, signRequest));

  const measured = shares.map(() => [] as Mixed[]);
  for (let round = 0; round < rounds; round += 1) {
    const order = shares.map((share, i) => ({ share, results: measured[i] ?? [] }));
    for (const { share, results } of round % 2 ? order.toReversed() : order) {
      results.push(await mixed(nodes, share, signRequest, changeRequest));
    }
  }

  print(`\n${name}: ${perSecond} requests/s of one organization, ${rounds} × ${seconds} s each`);
  print(
    '  changes   signatures: p50 ms   p99 ms   max ms   p99 of none   refused   changes: p99 ms',
  );
  const p99Of = (results: readonly Mixed[]) => median(results.map((each) => each.signatures.p99Ms));
  for (const [i, share] of shares.entries()) {
    const results = measured[i] ?? [];
    const middle = (of: (each: Mixed) => number) => median(results.map(of)).toFixed(1);
    print(
      [
        `${(share * 100).toFixed(0)} %`.padStart(9),
        middle(({ signatures }) => signatures.p50Ms).padStart(21),
        middle(({ signatures }) => signatures.p99Ms).padStart(9),
        middle(({ signatures }) => signatures.maximumMs).padStart(9),
        `${(p99Of(results) / p99Of(measured[0] ?? [])).toFixed(2)} ×`.padStart(14),
        String(sum(results.map(({ signatures }) => refusals(signatures)))).padStart(10),
        middle(({ changes }) => changes.p99Ms).padStart(18),
      ].join(''),
    );
    const refused = sum(results.map(({ changes }) => refusals(changes)));
    if (refused > 0) print(`    ${refused} changes were refused`);
  }
}

/** Sends signatures and changes at their fixed times, equally to all nodes. */
async function mixed(
  nodes: readonly BenchService[],
  share: number,
  signRequest: () => Buffer,
  changeRequest: () => Buffer,
): Promise<Mixed> {
  const run = async (part: number, request: () => Buffer) => {
    const rate = (perSecond * part) / nodes.length;
    return merged(
      await Promise.all(
        nodes.map(({ port }) =>
          openLoop(port, rate, make(Math.round(rate * seconds), request), {
            connections: connections / nodes.length,
          }),
        ),
      ),
    );
  };
  const [signatures, changes] = await Promise.all([
    run(1 - share, signRequest),
    run(share, changeRequest),
  ]);
  return { signatures, changes };
}

/** Reports the slowest node, since a client does not choose its node. */
function merged(results: readonly LoadResult[]): LoadResult {
  const [first] = results;
  if (first === undefined) throw new Error('there is a node');
  const greatest = (of: (result: LoadResult) => number) => Math.max(...results.map(of));
  return {
    ...first,
    p50Ms: greatest(({ p50Ms }) => p50Ms),
    p99Ms: greatest(({ p99Ms }) => p99Ms),
    maximumMs: greatest(({ maximumMs }) => maximumMs),
    refused: new Map([[0, sum(results.map(refusals))]]),
  };
}

function refusals({ refused }: LoadResult): number {
  return sum([...refused.values()]);
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

/** Returns a function that returns requests, each of which stores one more account of the wallet. */
function accountRequests(signer: Signer, walletId: string): () => Buffer {
  const stamp = stamper(signer);
  let index = 0;
  return () => {
    index += 1;
    return stamp.submit('create_wallet_accounts', 'ACTIVITY_TYPE_CREATE_WALLET_ACCOUNTS', {
      walletId,
      accounts: [{ ...ethereumAccount, path: `m/44'/60'/0'/0/${index}` }],
    });
  };
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
