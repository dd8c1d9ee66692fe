// The page of this package that uses passkeys in a browser on this machine.

import { once } from 'node:events';
import type { PasskeyResult, PasskeyTask } from '../../holder_page/serve.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { Failure } from '../words/failures.ts';

const waitMs = 600_000;

/** Serves the page until it has a result. Throws after ten minutes, or on Ctrl-C. */
export async function usePasskey(task: PasskeyTask, terminal: Terminal): Promise<PasskeyResult> {
  const { servePasskeyPage } = await import('../../holder_page/serve.ts');
  const page = await servePasskeyPage(task);
  const ended = AbortSignal.any([terminal.signal, AbortSignal.timeout(waitMs)]);
  try {
    terminal.err(`Open ${page.url} in a browser on this machine. Code: ${page.code}\n`);
    await terminal.openBrowser?.(page.url);
    const result = ended.aborted
      ? undefined
      : await Promise.race([page.result, once(ended, 'abort').then(() => undefined)]);
    if (result !== undefined) return result;
  } finally {
    await page.stop();
  }
  throw new Failure({
    exit: terminal.signal.aborted ? 'interrupted' : 'not_confirmed',
    message: 'The page returned no result within ten minutes.',
    next: 'Nothing was sent. Run the command again.',
  });
}
