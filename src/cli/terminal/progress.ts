// Shows the progress of long work on standard error, if it is a terminal.

import type { Terminal } from './terminal.ts';

/** Progress shows only after this time. */
const delayMs = 1_000;

type Progress = { readonly show: (count: number) => void; readonly end: () => void };

/** Returns a counter on a line that is overwritten. Shows nothing if standard error is not a terminal. */
export function createProgress(terminal: Terminal, what: string): Progress {
  const startMs = terminal.clock();
  let isShown = false;
  return {
    show: (count) => {
      if (!terminal.errIsTerminal || terminal.clock() - startMs < delayMs) return;
      isShown = true;
      terminal.err(`\r${count} ${what}`);
    },
    end: () => {
      if (isShown) terminal.err('\n');
    },
  };
}

const barCells = 30;

/** Returns a bar with a sentence on a line that is overwritten. Other outputs get each sentence once. */
export function progressBar(terminal: Terminal): {
  readonly show: (sentence: string, done: number, total: number) => void;
  readonly end: () => void;
} {
  let last = '';
  return {
    show: (sentence, done, total) => {
      const share = total === 0 ? 0 : Math.min(1, done / total);
      const cells = Math.round(share * barCells);
      const bar = `[${'#'.repeat(cells)}${'.'.repeat(barCells - cells)}] ${Math.floor(share * 100)} %`;
      const line = terminal.errIsTerminal ? `${bar} ${sentence}` : sentence;
      if (line === last) return;
      terminal.err(terminal.errIsTerminal ? `\r${line.padEnd(last.length)}` : `${line}\n`);
      last = line;
    },
    end: () => {
      if (last !== '' && terminal.errIsTerminal) terminal.err('\n');
    },
  };
}
