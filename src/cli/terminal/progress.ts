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
