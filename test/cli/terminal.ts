// A terminal of tests: what is written is kept, and nobody answers unless the test says what.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import { runProgram } from '../../src/cli/program.ts';
import type { Terminal } from '../../src/cli/terminal.ts';

export type Ran = { readonly code: number; readonly out: string; readonly err: string };

/** A folder that is removed after the tests of this file: home and working directory at once. */
export function folderOfTests(): string {
  const folder = mkdtempSync(join(tmpdir(), 'keywright-cli-'));
  after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Runs words as typed after `keywright`, in a folder, and gives how it ended. */
export async function runIn(
  folder: string,
  words: readonly string[],
  more: Partial<Terminal> & { readonly input?: string } = {},
): Promise<Ran> {
  let out = '';
  let err = '';
  const { input = '', ...others } = more;
  const terminal: Terminal = {
    out: (text) => {
      out += text;
    },
    err: (text) => {
      err += text;
    },
    readInput: async () => new TextEncoder().encode(input),
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
    ...others,
  };
  const code = await runProgram(words, terminal);
  return { code, out, err };
}
