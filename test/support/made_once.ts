// Makes folders that several test files need and that are slow to make: one file makes a folder while the
// others wait.

import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

/** Longer than any of these folders takes on a busy machine. */
const longestMs = 600_000;

/**
 * Returns a folder with the content that `make` writes. The folder gets its name when it is complete. If the
 * making process ends early, a waiting process makes it.
 */
export async function madeOnce(
  folder: string,
  make: (unfinished: string) => unknown,
): Promise<string> {
  const lock = `${folder}.lock`;
  const deadline = performance.now() + longestMs;
  mkdirSync(dirname(folder), { recursive: true });
  while (!isThere(folder)) {
    if (!tryLock(lock)) {
      if (performance.now() > deadline) throw new Error(`waited in vain for ${folder}`);
      await pause(50);
      continue;
    }
    try {
      if (!isThere(folder)) await makeWhole(folder, make);
    } finally {
      rmSync(lock, { force: true });
    }
  }
  return folder;
}

async function makeWhole(folder: string, make: (unfinished: string) => unknown): Promise<void> {
  const unfinished = mkdtempSync(join(dirname(folder), `${basename(folder)}-unfinished-`));
  try {
    await make(unfinished);
    renameSync(unfinished, folder);
  } catch (error) {
    rmSync(unfinished, { recursive: true, force: true });
    // Two processes may have removed the lock of an ended process; use the folder of the first.
    if (!isThere(folder)) throw error;
  }
}

/** Takes the lock. Removes a lock whose process has ended. */
function tryLock(lock: string): boolean {
  try {
    writeFileSync(lock, String(process.pid), { flag: 'wx' });
    return true;
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
  }
  const holder = holderOf(lock);
  if (holder !== undefined && !isRunning(holder)) rmSync(lock, { force: true });
  return false;
}

/** Returns the process that holds a lock; undefined if the lock is gone or its text is not written yet. */
function holderOf(lock: string): number | undefined {
  try {
    return Number(readFileSync(lock, 'utf8')) || undefined;
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: a process of another user is running.
    return codeOf(error) === 'EPERM';
  }
}

function isThere(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false }) !== undefined;
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}
