// Processor time of the packaged command before its first request, above that of an idle Node: node
// bench/cli_start.ts. The table shows the goal next to each figure. Linux only, where the kernel reports
// the time of ended processes.

import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { unknownCredentials } from '../test/cli/unknown_credentials.ts';

const { values } = parseArgs({ options: { rounds: { type: 'string', default: '9' } } });
const rounds = Number(values.rounds);

/** Runs of each command in a round, since the kernel counts in hundredths of a second. */
const runsInRound = 10;

const root = join(import.meta.dirname, '..');
const folder = mkdtempSync(join(tmpdir(), 'keywright-start-'));
process.once('exit', () => rmSync(folder, { recursive: true }));

const build = ['--disable-warning=ExperimentalWarning', join(root, 'tools', 'build.ts')];
execFileSync(process.execPath, [...build, '--to', join(folder, 'dist')]);
const launcher = join(folder, 'dist', 'keywright', 'bin', 'keywright.cjs');

const nothing = join(folder, 'nothing.cjs');
writeFileSync(nothing, '');
const asked = unknownCredentials(folder);
/** A command ends at its first request, with a code that no command uses. */
const preload = join(folder, 'preload.cjs');
const atRequest = 77;
writeFileSync(preload, `globalThis.fetch = () => process.exit(${atRequest});`);

type Row = { readonly words: readonly string[]; readonly aimMs: number; readonly code: number };

const rows: readonly Row[] = [
  { words: ['version'], aimMs: 20, code: 0 },
  // This loads every command, a millisecond each, and sends nothing.
  { words: ['help'], aimMs: 200, code: 0 },
  { words: ['wallet', 'create', '--help'], aimMs: 60, code: 0 },
  { words: ['whoami', ...asked], aimMs: 60, code: atRequest },
  { words: ['wallet', 'list', ...asked], aimMs: 60, code: atRequest },
  { words: ['wallet', 'create', 'shop', ...asked], aimMs: 60, code: atRequest },
  { words: ['api', 'list_users', ...asked], aimMs: 60, code: atRequest },
];

const taken = new Map<Row | undefined, number[]>();
for (let round = 0; round < rounds; round++) {
  for (const row of [undefined, ...rows]) {
    const before = endedMs();
    for (let run = 0; run < runsInRound; run++) start(row);
    taken.set(row, [...(taken.get(row) ?? []), (endedMs() - before) / runsInRound]);
  }
}

const bareMs = median(taken.get(undefined) ?? []);
process.stdout.write(`${bareMs.toFixed(0).padStart(4)} ms  Node ${process.version} alone\n`);
for (const row of rows) {
  const moreMs = median(taken.get(row) ?? []) - bareMs;
  const name = row.words.slice(0, 2).filter((word) => !word.startsWith('--'));
  const times = (moreMs / bareMs).toFixed(1);
  const figures = `${moreMs.toFixed(0).padStart(3)} ms, ${times} times as much again`;
  process.stdout.write(`+${figures} for ${name.join(' ')}, aim ${row.aimMs} ms\n`);
}

function start(row: Row | undefined): void {
  const words = row === undefined ? [nothing] : [launcher, ...row.words];
  const { status, stderr } = spawnSync(process.execPath, ['--require', preload, ...words], {
    env: { HOME: folder },
  });
  if (status !== (row?.code ?? 0)) throw new Error(`${words.join(' ')} ended: ${status} ${stderr}`);
}

/** Returns the processor time of all ended children, in milliseconds: proc(5), fields 16 and 17 of stat. */
function endedMs(): number {
  const [, fields = ''] = readFileSync('/proc/self/stat', 'utf8').split(') ');
  const [user, system] = fields.split(' ').slice(13, 15);
  // USER_HZ is 100 on every Linux that Node supports.
  return (Number(user) + Number(system)) * 10;
}

function median(numbers: readonly number[]): number {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0;
}
