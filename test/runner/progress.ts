// Prints the progress of a run: one line for each finished folder, and the first failure at once.

import type { TestReport, UnitResult } from './unit_process.ts';
import { sum, type Unit } from './units.ts';

/** Lines of a log that are shown below the failures of its file. */
const logLines = 40;

export type Progress = {
  /** Prints each failure as it comes: the first one with its reason, further ones on one line. */
  testEnded(test: TestReport): void;
  /** Counts a unit, and prints the line of its folder once all units of the folder have ended. */
  unitEnded(result: UnitResult): void;
};

/** Creates the progress of a run of these units. */
export function createProgress(units: readonly Unit[], print: (text: string) => void): Progress {
  const left = new Map<string, number>();
  for (const { folder } of units) left.set(folder, (left.get(folder) ?? 0) + 1);
  const ended: UnitResult[] = [];
  let hasFailed = false;
  return {
    testEnded: (test) => {
      if (test.outcome !== 'failed' || test.reason === '') return;
      if (hasFailed) {
        print(`✖ ${test.file}:${test.line}  ${test.name}\n`);
        return;
      }
      hasFailed = true;
      print(`\nthe first failure, the run goes on:\n${failureText(test)}\n`);
    },
    unitEnded: (result) => {
      ended.push(result);
      const { folder } = result.unit;
      left.set(folder, (left.get(folder) ?? 0) - 1);
      if (left.get(folder) === 0) print(folderLine(folder, ended));
    },
  };
}

function folderLine(folder: string, all: readonly UnitResult[]): string {
  const results = all.filter(({ unit }) => unit.folder === folder);
  const count = countOf(results);
  const mark = count.failed > 0 ? '✖' : '✔';
  const parts = [
    `${mark} ${folder.padEnd(18)}`,
    `${String(sum(results.map(({ unit }) => unit.files.length))).padStart(4)} files`,
    `${String(count.passed).padStart(5)} passed`,
    ...(count.failed > 0 ? [`${count.failed} failed`] : []),
    ...(count.skipped > 0 ? [`${count.skipped} skipped`] : []),
  ];
  return `${parts.join('  ')}\n`;
}

/** Tests by outcome; a process that ended early counts as one more that failed. */
export function countOf(results: readonly UnitResult[]): {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
} {
  // A suite fails by itself if its hooks do, and otherwise for its tests.
  const counts = ({ isSuite, outcome, reason }: TestReport) =>
    !isSuite || (outcome === 'failed' && reason !== '');
  const tests = results.flatMap((result) => result.tests).filter(counts);
  const count = (outcome: TestReport['outcome']) =>
    tests.filter((test) => test.outcome === outcome).length;
  const early = results.filter(({ failure }) => failure !== undefined).length;
  return { passed: count('passed'), failed: count('failed') + early, skipped: count('skipped') };
}

/** Returns the text of all failures: place, reason, log, and the command that repeats it. */
export function failuresText(results: readonly UnitResult[], shuffle: string | undefined): string {
  return results
    .filter((result) => result.failure !== undefined || failuresOf(result).length > 0)
    .map((result) => {
      const { unit, failure, output } = result;
      const again = [
        ...(shuffle !== undefined && unit.files.length > 1 ? ['--shuffle', shuffle] : []),
        ...(unit.files.length > 1 ? [`test/${unit.folder}`] : unit.files),
      ];
      const log = output.trimEnd().split('\n').slice(-logLines);
      return [
        ...failuresOf(result).map(failureText),
        ...(failure === undefined ? [] : [`✖ ${again.at(-1)}: ${failure}`]),
        ...(output.trim() === ''
          ? []
          : ['  the end of its log:', ...log.map((line) => `  ${line}`)]),
        `  repeat it: npm test -- ${again.join(' ')}\n`,
      ].join('\n');
    })
    .join('\n');
}

/** Returns the text of all skipped tests with their reasons. */
export function skipsText(results: readonly UnitResult[]): string {
  return results
    .flatMap(({ tests }) => tests)
    .filter(({ outcome }) => outcome === 'skipped')
    .map(({ file, name, reason }) => `﹣ ${file}: ${name} # ${reason}\n`)
    .join('');
}

function failuresOf({ tests }: UnitResult): readonly TestReport[] {
  return tests.filter(({ outcome, reason }) => outcome === 'failed' && reason !== '');
}

function failureText({ name, file, line, reason }: TestReport): string {
  return `✖ ${name}\n  ${file}:${line}\n${reason.replaceAll(/^/gm, '  ')}`;
}
