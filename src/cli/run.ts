// Runs commands in the terminal of the process. Loaded only after the check of the Node version.

import { runProgram } from './program.ts';
import { nodeTerminal } from './terminal/node_terminal.ts';

/** Runs the words after `keywright` in this process's terminal, and returns the exit code. */
export const run = (words: readonly string[]): Promise<number> => runProgram(words, nodeTerminal());
