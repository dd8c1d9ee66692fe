// Connects commands to the streams, signals and environment of the process.

import { homedir } from 'node:os';
import { addAbortSignal } from 'node:stream';
import { isatty } from 'node:tty';
import { unblockedOutput } from '../../system/unblocked_output.ts';
import { usage } from '../words/failures.ts';
import { openBrowser } from './browser.ts';
import { secretLines } from './secret_line.ts';
import type { Terminal } from './terminal.ts';

const standardInput = 0;
const standardError = 2;

/** Returns the terminal of the process. SIGINT aborts its signal; a second SIGINT ends the process. */
export function nodeTerminal(): Terminal {
  const interrupted = new AbortController();
  process.once('SIGINT', () => {
    process.once('SIGINT', () => process.exit(130));
    interrupted.abort();
  });
  // A reader such as `head` may close the pipe early.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(0);
    throw error;
  });
  const { stdout, stderr } = process;
  // Access to process.stdin opens it, which takes time, and most commands do not read it.
  const asks = isatty(standardInput) && stderr.isTTY;
  const secrets = secretLines();
  return {
    out: (text) => stdout.write(text),
    err: (text) => stderr.write(text),
    announce: (text) => {
      try {
        unblockedOutput(standardError)(Buffer.from(text));
      } catch {
        // Ignore a closed pipe or a full disk.
      }
    },
    readInput: (maximumBytes) => readInput(maximumBytes, interrupted.signal),
    inputChunks: () => addAbortSignal(interrupted.signal, process.stdin),
    ask: asks
      ? (question) => {
          secrets.release();
          return askLine(question, interrupted.signal);
        }
      : undefined,
    askSecret: asks
      ? (question, signal) => secrets.ask(question, AbortSignal.any([signal, interrupted.signal]))
      : undefined,
    silently: asks ? secrets.silently : undefined,
    openBrowser: asks ? (url) => openBrowser(url, process.env) : undefined,
    environment: process.env,
    outIsTerminal: stdout.isTTY === true,
    errIsTerminal: stderr.isTTY === true,
    columns: stdout.columns ?? 80,
    clock: Date.now,
    signal: interrupted.signal,
    program: startCommand(process.argv[1] ?? '', process.env['npm_command']),
    workingDirectory: process.cwd(),
    get homeDirectory() {
      try {
        return homedir();
      } catch {
        throw usage(
          'this user has no home directory',
          'Set XDG_CONFIG_HOME, or give --credentials FILE.',
        );
      }
    },
  };
}

/** Returns the command that starts this program. npm sets its own command to `exec` in `npx`. */
const startCommand = (path: string, npmCommand: string | undefined): string =>
  path.endsWith('.ts') || npmCommand === 'exec' ? 'npx --no keywright' : 'keywright';

async function readInput(maximumBytes: number, signal: AbortSignal): Promise<Uint8Array> {
  addAbortSignal(signal, process.stdin);
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of process.stdin) {
    length += chunk.length;
    if (length > maximumBytes)
      throw usage(`the standard input has more than ${maximumBytes} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

async function askLine(question: string, signal: AbortSignal): Promise<string> {
  const { createInterface } = await import('node:readline/promises');
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return await lines.question(question, { signal });
  } finally {
    lines.close();
  }
}
