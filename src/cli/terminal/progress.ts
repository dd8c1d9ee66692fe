// Progress of long work, on standard error and only for people.

import type { Terminal } from './terminal.ts';

/** A wait that is no longer than this shows nothing. */
const patienceMs = 1_000;

type Progress = { readonly show: (count: number) => void; readonly end: () => void };

/** One line that is written over; nothing where no person reads. */
export function createProgress(terminal: Terminal, what: string): Progress {
  const startMs = terminal.clock();
  let isShown = false;
  return {
    show: (count) => {
      if (!terminal.errIsTerminal || terminal.clock() - startMs < patienceMs) return;
      isShown = true;
      terminal.err(`\r${count} ${what}`);
    },
    end: () => {
      if (isShown) terminal.err('\n');
    },
  };
}
