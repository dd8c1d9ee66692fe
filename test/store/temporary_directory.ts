// A temporary directory of a test, removed after it.

import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export type TemporaryDirectory = { readonly path: string; remove(): void };

export function temporaryDirectory(): TemporaryDirectory {
  const path = mkdtempSync(join(tmpdir(), 'keywright-test-'));
  // A test may run under a umask that removes its own rights.
  chmodSync(path, 0o700);
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}

export async function withTemporaryDirectory(run: (path: string) => Promise<void>): Promise<void> {
  const directory = temporaryDirectory();
  try {
    await run(directory.path);
  } finally {
    directory.remove();
  }
}
