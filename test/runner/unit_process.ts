// The process that tests the files of a unit.

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { pathToFileURL } from 'node:url';
import type { Report } from './report.ts';
import type { Unit } from './units.ts';

export type TestReport = Extract<Report, { kind: 'test' }>;

export type UnitResult = {
  readonly unit: Unit;
  readonly tests: readonly TestReport[];
  /** From the start of the process to its end. */
  readonly seconds: number;
  /** The processor seconds of the process and of its ended children. */
  readonly processorSeconds: number;
  /** The processes that the tests started. */
  readonly processes: number;
  /** The last output of the process and its services. */
  readonly output: string;
  /** The reason why the process itself failed; undefined if it ended after its last test. */
  readonly failure: string | undefined;
};

/** The time after which a unit is killed, because one of its tests hangs. */
const longestUnitMs = 900_000;

/** A test that takes longer fails. */
const longestTestMs = 300_000;

/** Characters of the output of a unit, from its end: the log of its service. */
const outputLength = 20_000;

/** Runs the files of a unit in one process; `onTest` gets each outcome as it comes. */
export async function runUnit(
  unit: Unit,
  {
    scratch,
    environment,
    onTest,
  }: {
    /** The folder for temporary files of the runner. */
    readonly scratch: string;
    readonly environment: Readonly<Record<string, string | undefined>>;
    readonly onTest: (test: TestReport) => void;
  },
): Promise<UnitResult> {
  const startedAt = performance.now();
  const tests: TestReport[] = [];
  let usage = { own: 0, children: 0, processes: 0 };
  let hasLoaded = false;
  let hasEnded = false;
  const child = start(entryOf(unit, scratch), environment);
  const output = keepEnd([child.stdout, child.stderr]);
  const lines = createInterface({ input: child.stdio[3] as Readable });
  lines.on('line', (line) => {
    const report: Report = JSON.parse(line);
    if (report.kind === 'usage') usage = report;
    if (report.kind === 'loaded') hasLoaded = true;
    if (report.kind === 'end') hasEnded = hasLoaded && tests.length > 0;
    if (report.kind !== 'test') return;
    const test = placed(report, unit);
    tests.push(test);
    onTest(test);
  });
  const read = once(lines, 'close');
  const limit = setTimeout(() => child.kill('SIGKILL'), longestUnitMs);
  const [code, signal] = await once(child, 'exit');
  clearTimeout(limit);
  // A process that the tests left behind holds the pipes open; the runner stops reading after this time.
  await Promise.race([read, afterMs(1_000)]);
  const isExpected =
    code === 0 || (code === 1 && tests.some(({ outcome }) => outcome === 'failed'));
  return {
    unit,
    tests,
    seconds: (performance.now() - startedAt) / 1000,
    processorSeconds: usage.own + usage.children,
    processes: usage.processes,
    output: output(),
    failure: hasEnded && isExpected ? undefined : `its process ended early (${signal ?? code})`,
  };
}

/** A skip names the file that needs what is missing, even if another file defines the test. */
function placed(report: TestReport, { files }: Unit): TestReport {
  const [file] = files;
  return report.outcome === 'skipped' && file !== undefined && files.length === 1
    ? { ...report, file }
    : report;
}

function start(
  entry: string,
  environment: Readonly<Record<string, string | undefined>>,
): ChildProcess {
  const file = (name: string) => pathToFileURL(join(import.meta.dirname, name)).href;
  return spawn(
    process.execPath,
    [
      ...['--import', file('preload.ts')],
      join(import.meta.dirname, 'unit_main.ts'),
      entry,
      String(process.env['SOAK'] === undefined ? longestTestMs : longestUnitMs),
    ],
    {
      stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
      env: {
        ...process.env,
        ...environment,
        REPORTS_TO_TEST_RUN: 'true',
        // Hundreds of processes read the same sources.
        NODE_COMPILE_CACHE: join(import.meta.dirname, '../../node_modules/.cache/compiled_tests'),
      },
    },
  );
}

/**
 * Writes the file that loads those of a unit in their order, and returns its path. A file in TypeScript would
 * load the compiler of types, because the compile cache has no entry for a new path.
 */
function entryOf({ folder, files }: Unit, scratch: string): string {
  const name = files.length === 1 ? files[0]?.replaceAll(/\W/g, '_') : folder;
  const path = join(scratch, `${name}.test.mjs`);
  const loader = pathToFileURL(join(import.meta.dirname, 'load.ts')).href;
  const loads = files.map((file) => {
    const isAlone = files.length === 1;
    const words = [file, pathToFileURL(resolve(file)).href, isAlone].map((word) =>
      JSON.stringify(word),
    );
    return `await load(${words.join(', ')});\n`;
  });
  writeFileSync(path, `import { load, loaded } from '${loader}';\n${loads.join('')}loaded();\n`);
  return path;
}

/** Reads streams, and returns the last characters that came. */
function keepEnd(streams: readonly (Readable | null)[]): () => string {
  let kept = '';
  for (const stream of streams) {
    stream?.setEncoding('utf8').on('data', (text: string) => {
      kept = (kept + text).slice(-outputLength);
    });
  }
  return () => kept;
}

function afterMs(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds).unref());
}
