// Runs commands in the terminal of the process. The program loads it once the version of Node suffices.

import { runProgram } from './program.ts';
import { nodeTerminal } from './terminal/node_terminal.ts';

/** Runs what was typed after `keywright`, in the terminal that it was typed in, and gives the exit code. */
export const run = (words: readonly string[]): Promise<number> => runProgram(words, nodeTerminal());
