// Confirms irreversible actions.

import type { Terminal } from '../terminal/terminal.ts';
import type { CommonValues } from '../words/common_values.ts';
import { Failure } from '../words/failures.ts';
import { visible } from './output.ts';

type Question = {
  /** The consequence, as a sentence. */
  readonly warning: string;
  /** The text to type, usually the name of the thing. */
  readonly type: string;
};

/**
 * Prints the consequence, and asks for a text as confirmation. Throws with exit code 10 for another text, or
 * if there is neither a terminal nor `--yes`.
 */
export async function confirm(
  terminal: Terminal,
  { yes, 'no-input': noInput, 'dry-run': dryRun, curl }: CommonValues,
  { warning, type }: Question,
): Promise<void> {
  if (yes || dryRun || curl) return;
  const name = visible(type);
  if (noInput || terminal.ask === undefined) {
    throw new Failure({
      exit: 'not_confirmed',
      message: `${warning} ${noInput ? '--no-input forbids prompts.' : 'There is no terminal for a prompt.'}`,
      next: 'Give --yes to continue without a prompt.',
    });
  }
  const typed = await terminal.ask(`${visible(warning)}\nType ${name} to confirm: `);
  if (typed.trim() !== name) {
    throw new Failure({ exit: 'not_confirmed', message: 'Not confirmed: nothing was done.' });
  }
}
