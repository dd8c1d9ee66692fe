// Finds the processes that a process starts, directly or indirectly, even in other sessions. Reads /proc, so
// it finds none on systems other than Linux.

import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';

/**
 * The interval between two scans. If an intermediate process ends sooner, the mark identifies its children.
 */
const intervalMs = 100;

/** The maximum wait for killed processes, and the interval between two checks. */
const killMs = 1_000;
const killStepMs = 10;
const sleeper = new Int32Array(new SharedArrayBuffer(4));

type Seen = { readonly parent: number; readonly startedAt: string; readonly isGone: boolean };
type Processes = ReadonlyMap<number, Seen>;

/**
 * Watches the processes that this process starts. `end` waits for them, kills the rest and returns the
 * command lines of the killed processes. `kill` kills all at once and waits for their end. Their environment
 * must contain `mark`, which identifies processes whose parents ended early.
 */
export function watchDescendants({
  graceMs,
}: {
  /** The time to end by themselves, because PostgreSQL first writes its last state. */
  readonly graceMs: number;
}): {
  readonly mark: Readonly<Record<string, string>>;
  end(): Promise<readonly string[]>;
  kill(): void;
} {
  const mark = { TEST_RUN_OF_KEYWRIGHT: randomUUID() };
  const entry = `TEST_RUN_OF_KEYWRIGHT=${mark.TEST_RUN_OF_KEYWRIGHT}`;
  /** The start time of each process, because process ids are reused. */
  const known = new Map<number, string | undefined>([
    [process.pid, processes().get(process.pid)?.startedAt],
  ]);
  const isKnown = (pid: number, all: Processes) =>
    known.has(pid) && known.get(pid) === all.get(pid)?.startedAt;
  const look = (all: Processes, isOurs: (pid: number) => boolean = () => false) => {
    for (let grew = true; grew; ) {
      grew = false;
      for (const [pid, { parent, startedAt }] of all) {
        if (isKnown(pid, all) || !(isKnown(parent, all) || isOurs(pid))) continue;
        known.set(pid, startedAt);
        grew = true;
      }
    }
  };
  /** The processes of the last scan. A scan reads only the new ones, because it runs ten times a second. */
  let seen: Processes = new Map();
  const scan = () => {
    const all = processes(seen);
    if ([...all.keys()].some((pid) => !seen.has(pid))) look(all);
    seen = all;
  };
  const living = () => {
    const all = processes();
    return [...known].flatMap(([pid, startedAt]) => {
      const found = all.get(pid);
      const isLiving =
        pid !== process.pid && found?.startedAt === startedAt && found?.isGone === false;
      return isLiving ? [pid] : [];
    });
  };
  const isMarked = (pid: number) =>
    read(`/proc/${pid}/environ`)?.split('\0').includes(entry) === true;
  const timer = setInterval(scan, intervalMs);
  return {
    mark,
    kill: () => {
      clearInterval(timer);
      look(processes(), isMarked);
      for (const pid of living()) kill(pid);
      // On a busy machine a killed process ends late. This code runs before an exit, so it may block.
      for (let waitedMs = 0; living().length > 0 && waitedMs < killMs; waitedMs += killStepMs) {
        Atomics.wait(sleeper, 0, 0, killStepMs);
      }
    },
    end: async () => {
      clearInterval(timer);
      look(processes(), isMarked);
      for (let waitedMs = 0; living().length > 0 && waitedMs < graceMs; waitedMs += intervalMs) {
        await pause(intervalMs);
      }
      return living().map((pid) => {
        const command = commandOf(pid);
        kill(pid);
        return command;
      });
    },
  };
}

/** A process that has ended meanwhile needs no signal. */
function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
  }
}

/** Returns all processes; takes those of `earlier` from there. */
function processes(earlier: Processes = new Map()): Processes {
  const found = new Map<number, Seen>();
  for (const name of process.platform === 'linux' ? readdirSync('/proc') : []) {
    const pid = Number(name);
    if (!Number.isInteger(pid)) continue;
    const one = earlier.get(pid) ?? processOf(pid);
    if (one !== undefined) found.set(pid, one);
  }
  return found;
}

/** Undefined if the process has ended meanwhile. */
function processOf(pid: number): Seen | undefined {
  // The program name is in parentheses and may contain any character.
  const [state = '', parent = '', ...rest] = (
    read(`/proc/${pid}/stat`)?.split(') ').at(-1) ?? ''
  ).split(' ');
  const startedAt = rest[17];
  return startedAt === undefined
    ? undefined
    : { parent: Number(parent), startedAt, isGone: state === 'Z' };
}

function commandOf(pid: number): string {
  return read(`/proc/${pid}/cmdline`)?.replaceAll('\0', ' ').trim() ?? String(pid);
}

/** Undefined if the process has ended meanwhile, or belongs to another user. */
function read(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'ENOENT' || code === 'ESRCH' || code === 'EACCES') return undefined;
    throw error;
  }
}
