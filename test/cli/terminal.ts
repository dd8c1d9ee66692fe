// A terminal for tests: it records the output, and answers only as the test decides.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { after } from 'node:test';
import { runProgram } from '../../src/cli/program.ts';
import type { Terminal } from '../../src/cli/terminal/terminal.ts';

export type Ran = { readonly code: number; readonly out: string; readonly err: string };

/** Creates a home and working directory, which is removed after the tests of this file. */
export function folderOfTests(): string {
  const folder = mkdtempSync(join(tmpdir(), 'keywright-cli-'));
  after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Returns a terminal with a folder as its home and working directory. It drops the output. */
export function terminalIn(folder: string, more: Partial<Terminal> = {}): Terminal {
  return {
    out: () => undefined,
    err: () => undefined,
    announce: () => undefined,
    readInput: async () => new Uint8Array(0),
    inputChunks: () => Readable.from([]),
    ask: undefined,
    environment: { XDG_CONFIG_HOME: join(folder, 'config') },
    outIsTerminal: false,
    errIsTerminal: false,
    columns: 80,
    clock: Date.now,
    signal: new AbortController().signal,
    program: 'keywright',
    workingDirectory: folder,
    homeDirectory: folder,
    ...more,
  };
}

/** Runs the words after `keywright` in a folder, and returns the end. */
export async function runIn(
  folder: string,
  words: readonly string[],
  more: Partial<Terminal> & { readonly input?: string } = {},
): Promise<Ran> {
  let out = '';
  let err = '';
  const { input = '', ...others } = more;
  const terminal = terminalIn(folder, {
    out: (text) => {
      out += text;
    },
    err: (text) => {
      err += text;
    },
    announce: (text) => {
      err += text;
    },
    readInput: async () => new TextEncoder().encode(input),
    inputChunks: () => Readable.from([new TextEncoder().encode(input)]),
    ...others,
  });
  const code = await runProgram(words, terminal);
  return { code, out, err };
}
