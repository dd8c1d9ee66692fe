// Compares versions of the service: npm run versions -- REF [REF …]. Installs each, starts all side by
// side and loads them in turn. Prints medians of the rounds, and their ratios to the first version.
//
// A REF is a commit, a branch or a tag; `.` is this folder as it is.
//
// --rows 1,32,votes  loads to run (1, 8, 32, 128, batches, queries, transactions, votes)
// --rounds 5         rounds, at most 50
// --scale 1          length of a round against the usual one, at most 20
// --garbage          also counts the bytes that each process allocates
// --receipts         starts the last version with the log of receipts
// --peers            loads SoftHSM2 and clef after each row of signatures, if they are installed
// --line             prints the line for bench/baselines.md as well

import { parseArgs } from 'node:util';
import { checkoutOf } from './checkouts.ts';
import { createWallet, signerOf, signRequests } from './client.ts';
import { expectAllAnswered, type Measured, make, measured, median } from './compare.ts';
import { load } from './load.ts';
import { openClef } from './peers/clef.ts';
import type { Peer, PeerFigures } from './peers/peer.ts';
import { openSoftHsm } from './peers/softhsm.ts';
import {
  type BenchService,
  heapProbe,
  newDataDirectory,
  removeDataDirectory,
  startService,
} from './service.ts';
import { type Row, rows, type Target } from './version_rows.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    rows: { type: 'string', default: Object.keys(rows).join(',') },
    rounds: { type: 'string', default: '5' },
    scale: { type: 'string', default: '1' },
    garbage: { type: 'boolean', default: false },
    receipts: { type: 'boolean', default: false },
    peers: { type: 'boolean', default: false },
    line: { type: 'boolean', default: false },
  },
});
const rounds = bounded('rounds', values.rounds, 50);
const scale = bounded('scale', values.scale, 20);
/**
 * The number of requests after which the code of a service is compiled. After 10,000, the compiler still
 * took a sixth of the processor time of both processes, and more in the version with more code.
 */
const warmUpCount = 40_000;

type Version = {
  readonly ref: string;
  readonly commit: string;
  readonly bench: BenchService;
  readonly target: Target;
};

/** The figures of one load of one version, as medians of the rounds. */
type Figures = {
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly cpu: number;
  readonly gateway: number;
  readonly enclave: number;
  readonly gatewayBytes: number;
  readonly enclaveBytes: number;
};

const figures: Readonly<
  Record<keyof Figures, { readonly title: string; readonly digits: number }>
> = {
  perSecond: { title: 'per second', digits: 0 },
  p50Ms: { title: 'p50 ms', digits: 2 },
  cpu: { title: 'CPU µs', digits: 0 },
  gateway: { title: 'gateway', digits: 0 },
  enclave: { title: 'enclave', digits: 0 },
  gatewayBytes: { title: 'gateway B', digits: 0 },
  enclaveBytes: { title: 'enclave B', digits: 0 },
};

const names = (Object.keys(figures) as readonly (keyof Figures)[]).filter(
  (name) => values.garbage || !name.endsWith('Bytes'),
);

if (positionals.length === 0) throw new Error('usage: npm run versions -- REF [REF …]');
const selected = values.rows.split(',').map((name): [string, Row] => {
  const row = rows[name];
  if (row === undefined) throw new Error(`rows are ${Object.keys(rows).join(', ')}`);
  return [name, row];
});

const versions: Version[] = [];
const peers: Peer[] = [];
try {
  for (const peer of values.peers ? [openSoftHsm(), await openClef()] : []) {
    if (typeof peer === 'string') print(peer);
    else peers.push(peer);
  }
  for (const [i, ref] of positionals.entries()) {
    const hasLog = values.receipts && i === positionals.length - 1;
    versions.push(await started(ref, hasLog ? { KEYWRIGHT_RECEIPTS: 'true' } : {}));
  }
  for (const { bench, target } of versions) {
    const sign = signRequests(target.signer, target.address);
    expectAllAnswered(await load(bench.port, 32, make(warmUpCount, sign)));
  }
  printHead();
  const ratios: string[] = [];
  for (const [name, row] of selected) {
    const taken = await measureRow(row);
    if (typeof taken === 'string') {
      print(`${name.padEnd(13)}skipped: ${taken} does not serve this operation`);
      continue;
    }
    printRow(name, taken);
    for (const peer of row.isSigning ? peers : []) await measurePeer(name, peer, row);
    ratios.push(ratioText(name, taken));
  }
  if (values.line) print(`\n${lineOf(ratios)}`);
} finally {
  for (const peer of peers) await peer.remove();
  for (const { bench } of versions) {
    await bench.stop();
    removeDataDirectory(bench.dataDirectory);
  }
}

async function started(ref: string, settings: Readonly<Record<string, string>>): Promise<Version> {
  const { commit, directory } = checkoutOf(ref);
  const environment = values.garbage ? { ...settings, ...heapProbe } : settings;
  const bench = await startService(newDataDirectory(), undefined, environment, directory);
  const signer = signerOf(bench.credentials);
  const address = await createWallet(bench.port, signer);
  return { ref, commit, bench, target: { port: bench.port, signer, address } };
}

/**
 * Loads all versions in turn, in an order that alternates between rounds. Returns the rounds of each
 * version, or the first version that does not serve the operation.
 */
async function measureRow(row: Row): Promise<readonly (readonly Figures[])[] | string> {
  const running = [];
  for (const { ref, bench, target } of versions) {
    running.push({ ref, bench, make: await row.prepare(target), taken: [] as Figures[] });
  }
  const count = Math.ceil(row.requests * scale);
  for (const { ref, bench, make: requests } of running) {
    const warmUp = await load(bench.port, row.connections, await requests(Math.ceil(count / 4)));
    if (warmUp.refused.get(404) === warmUp.requests) return ref;
    expectAllAnswered(warmUp);
  }
  for (let round = 0; round < rounds; round += 1) {
    for (const { bench, make: requests, taken } of round % 2 ? running.toReversed() : running) {
      taken.push(figuresOf(await measured(bench, row.connections, await requests(count)), row));
    }
  }
  return running.map(({ taken }) => taken);
}

function figuresOf(
  { load: { perSecond, p50Ms }, gateway, enclave, gatewayBytes, enclaveBytes }: Measured,
  row: Row,
): Figures {
  const cpu = (gateway + enclave) / row.operations;
  return {
    perSecond: perSecond * row.operations,
    p50Ms,
    cpu,
    gateway: gateway / row.operations,
    enclave: enclave / row.operations,
    gatewayBytes: gatewayBytes / row.operations,
    enclaveBytes: enclaveBytes / row.operations,
  };
}

function printHead(): void {
  const titles = names.map((name) => figures[name].title.padStart(19));
  print(`${''.padEnd(28)}${titles.join('')}`);
}

function printRow(name: string, taken: readonly (readonly Figures[])[]): void {
  for (const [i, { ref, commit }] of versions.entries()) {
    const own = taken[i] ?? [];
    const cells = names.map((figure) => {
      const middle = median(own.map((round) => round[figure])).toFixed(figures[figure].digits);
      return `${middle} (${ratioOf(taken, i, figure).toFixed(2)} ×)`.padStart(19);
    });
    print(
      `${name.padEnd(13)}${`${ref.slice(0, 12)} ${commit.slice(0, 9)}`.slice(0, 15).padEnd(15)}${cells.join('')}`,
    );
  }
}

/** Loads a peer with the connections of a row as callers, and prints its row. */
async function measurePeer(name: string, peer: Peer, row: Row): Promise<void> {
  const count = Math.ceil(row.requests * scale);
  const taken: PeerFigures[] = [];
  for (let i = 0; i < rounds; i += 1) taken.push(await peer.sign(row.connections, count));
  const cells = (['perSecond', 'p50Ms', 'cpu'] as const).map((figure) =>
    median(taken.map((round) => round[figure]))
      .toFixed(figures[figure].digits)
      .padStart(19),
  );
  print(`${name.padEnd(13)}${peer.name.padEnd(15)}${cells.join('')}`);
}

/** Returns the ratio to the first version: the median of the ratios within each round. */
function ratioOf(
  taken: readonly (readonly Figures[])[],
  version: number,
  figure: keyof Figures,
): number {
  const [first = []] = taken;
  const own = taken[version] ?? [];
  return median(own.map((round, i) => round[figure] / (first[i]?.[figure] ?? Number.NaN)));
}

function ratioText(name: string, taken: readonly (readonly Figures[])[]): string {
  const last = versions.length - 1;
  const ratio = (figure: keyof Figures) => ratioOf(taken, last, figure).toFixed(2);
  return `${name}: ${ratio('perSecond')} / ${ratio('cpu')} / ${ratio('p50Ms')}`;
}

/** Formats the ratios of the last version to the first as a line of bench/baselines.md. */
function lineOf(ratios: readonly string[]): string {
  const last = versions.at(-1);
  const day = new Date().toISOString().slice(0, 10);
  return `| ${day} | ${last?.commit} | ${rounds} | ${ratios.join('; ')} |`;
}

function bounded(name: string, text: string, most: number): number {
  const value = Number(text);
  if (!(value > 0 && value <= most)) throw new Error(`--${name} is more than 0, at most ${most}`);
  return value;
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
