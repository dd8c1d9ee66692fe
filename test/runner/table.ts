// The table at the end of a run: seconds of each folder and of the slowest files.

import type { UnitResult } from './unit_process.ts';
import { sum } from './units.ts';

/** The number of files in the table. */
const slowestFiles = 30;

export type Row = {
  readonly name: string;
  readonly files: number;
  /** Seconds between start and end. */
  readonly seconds: number;
  readonly processorSeconds: number;
  readonly processes: number;
};

/** Returns the table of results: a row for each folder, then one for each of the slowest files. */
export function tableText(results: readonly UnitResult[]): string {
  const rows = results.flatMap(rowsOf);
  const folders = [...Map.groupBy(rows, ({ name }) => name.split('/').slice(0, 2).join('/'))].map(
    ([name, own]) => totalOf(name, own),
  );
  const slowest = rows.toSorted((a, b) => b.seconds - a.seconds);
  return [
    heading(''),
    ...folders.toSorted((a, b) => b.seconds - a.seconds).map(line),
    line(totalOf('all', rows)),
    heading(`the ${slowestFiles} slowest files`),
    ...slowest.slice(0, slowestFiles).map(line),
  ].join('');
}

/**
 * Returns a row for each file. Files that share a process split its processor time in proportion to their
 * seconds. None of them starts processes.
 */
export function rowsOf({
  unit,
  tests,
  seconds,
  processorSeconds,
  processes,
}: UnitResult): readonly Row[] {
  const [first = ''] = unit.files;
  if (unit.files.length === 1) {
    return [{ name: first, files: 1, seconds, processorSeconds, processes }];
  }
  const byFile = Map.groupBy(tests, ({ file }) => file);
  const secondsOf = (file: string) => sum((byFile.get(file) ?? []).map((test) => test.seconds));
  const total = sum(unit.files.map(secondsOf));
  return unit.files.map((name) => {
    const share = total === 0 ? 0 : secondsOf(name) / total;
    return {
      name,
      files: 1,
      seconds: seconds * share,
      processorSeconds: processorSeconds * share,
      processes: 0,
    };
  });
}

function totalOf(name: string, rows: readonly Row[]): Row {
  return {
    name,
    files: sum(rows.map((row) => row.files)),
    seconds: sum(rows.map((row) => row.seconds)),
    processorSeconds: sum(rows.map((row) => row.processorSeconds)),
    processes: sum(rows.map((row) => row.processes)),
  };
}

function heading(text: string): string {
  return `\n${text.padEnd(52)}  files  wall s  processor s  processes\n`;
}

function line({ name, files, seconds, processorSeconds, processes }: Row): string {
  const cells = [
    name.padEnd(52),
    String(files).padStart(5),
    seconds.toFixed(1).padStart(6),
    processorSeconds.toFixed(1).padStart(11),
    String(processes).padStart(9),
  ];
  return `${cells.join('  ')}\n`;
}
