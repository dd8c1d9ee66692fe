// Shows the progress of a backup or of its check.

import { createProgress } from '../terminal/progress.ts';
import type { Terminal } from '../terminal/terminal.ts';

/** Shows two counters, one after the other: copied rows and opened rows. */
export function custodySteps(terminal: Terminal) {
  const copying = createProgress(terminal, 'rows copied');
  let opening: ReturnType<typeof createProgress> | undefined;
  return {
    copied: (rows: number) => copying.show(rows),
    opened: (rows: number, of: number) => {
      if (opening === undefined) copying.end();
      opening ??= createProgress(terminal, `of ${of} rows opened`);
      opening.show(rows);
    },
    end: () => (opening ?? copying).end(),
  };
}
