// Makes file operations of a running service fail: compiles `file_faults.c`, and controls it. Linux only.

import { execFileSync, spawnSync } from 'node:child_process';
import { closeSync, openSync, readSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryDirectory } from '../e2e/service.ts';

export type Operation =
  | 'open'
  | 'read'
  | 'write'
  | 'sync'
  | 'truncate'
  | 'chmod'
  | 'mmap'
  | 'rename'
  | 'link'
  | 'unlink'
  | 'lock';

export type Fault = {
  readonly operation: Operation;
  /** The end of the path of the file, or of the new name of a renamed file. */
  readonly path: string;
  /** The number of earlier calls that the fault leaves alone. */
  readonly skip?: number;
  /** The number of calls that the fault then affects; if absent, all further calls. */
  readonly times?: number;
  /** `short` and `tear` do half of a write. The process dies there with `tear`, `end` and `ended`. */
  readonly action?: 'fail' | 'short' | 'tear' | 'end' | 'ended';
  readonly error?: keyof typeof errorNumbers;
};

export type FileFaults = {
  /** The environment variables of the process. */
  readonly environment: Readonly<Record<string, string>>;
  /** Starts this fault, in place of an earlier one. */
  arm(fault: Fault): void;
  disarm(): void;
  /** The number of calls that the fault affected since the last `arm`. */
  hits(): number;
};

/** The reason why file operations cannot be made to fail here; undefined if they can. */
export const missingForFileFaults: string | undefined = missing();

// The error numbers of Linux on x64 and arm64.
const errorNumbers = { EIO: 5, ENOMEM: 12, EACCES: 13, ENOSPC: 28, EDQUOT: 122 };
const orderOffset = 16;
const hitsOffset = 1_024;
const sharedBytes = 4_096;
const always = 1_000_000;

let library: string | undefined;
let orders = 0;

/** Creates faults for one process at a time. */
export function createFileFaults(): FileFaults {
  library ??= compiled();
  const shared = join(temporaryDirectory(), 'shared');
  writeFileSync(shared, new Uint8Array(sharedBytes));
  const give = (order: string): void => {
    orders = (orders % 255) + 1;
    const bytes = new Uint8Array(hitsOffset + 4 - orderOffset);
    bytes.set(Buffer.from(order));
    const file = openSync(shared, 'r+');
    writeSync(file, bytes, 0, bytes.length, orderOffset);
    // The number is written last, so that a process that reads it finds a complete order.
    writeSync(file, Uint8Array.of(orders), 0, 1, 0);
    closeSync(file);
  };
  return {
    environment: { LD_PRELOAD: library, FILE_FAULTS: shared },
    arm: ({ operation, path, skip = 0, times = always, action = 'fail', error = 'EIO' }) =>
      give(`${operation} ${path} ${skip} ${times} ${action} ${errorNumbers[error]}`),
    disarm: () => give('none'),
    hits: () => {
      const count = Buffer.alloc(4);
      const file = openSync(shared, 'r');
      readSync(file, count, 0, 4, hitsOffset);
      closeSync(file);
      return count.readUInt32LE();
    },
  };
}

function missing(): string | undefined {
  if (process.platform !== 'linux') return 'needs Linux, whose loader takes the faults in';
  const { error } = spawnSync('cc', ['--version']);
  return error === undefined
    ? undefined
    : 'needs the C compiler cc: install it (on Debian: apt-get install gcc libc6-dev)';
}

function compiled(): string {
  const path = join(temporaryDirectory(), 'file_faults.so');
  const source = join(import.meta.dirname, 'file_faults.c');
  execFileSync('cc', ['-O1', '-shared', '-fPIC', '-o', path, source, '-ldl', '-lpthread']);
  return path;
}
