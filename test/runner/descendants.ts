// The processes that a process starts, by itself or through others, also in sessions of their own. They are
// read from /proc: on other systems than Linux none is found.

import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';

/** A process between this one and another may end sooner: then the mark tells whose it is. */
const intervalMs = 100;
type Seen = { readonly parent: number; readonly startedAt: string; readonly isGone: boolean };

/**
 * Watches the processes that this process starts. `end` waits for them, kills the rest and returns the
 * command lines of these. `kill` kills all at once. `mark` belongs in their environment: by it a process is
 * found whose parents ended too soon to be seen.
 */
export function watchDescendants({
  graceMs,
}: {
  /** Time to end by themselves: PostgreSQL writes its last state first. */
  readonly graceMs: number;
}): {
  readonly mark: Readonly<Record<string, string>>;
  end(): Promise<readonly string[]>;
  kill(): void;
} {
  const mark = { TEST_RUN_OF_KEYWRIGHT: randomUUID() };
  const entry = `TEST_RUN_OF_KEYWRIGHT=${mark.TEST_RUN_OF_KEYWRIGHT}`;
  /** When each began: numbers of processes are given again. */
  const known = new Map<number, string | undefined>([
    [process.pid, processes().get(process.pid)?.startedAt],
  ]);
  const isKnown = (pid: number, all: ReturnType<typeof processes>) =>
    known.has(pid) && known.get(pid) === all.get(pid)?.startedAt;
  const look = (isOurs: (pid: number) => boolean = () => false) => {
    const all = processes();
    for (let grew = true; grew; ) {
      grew = false;
      for (const [pid, { parent, startedAt }] of all) {
        if (isKnown(pid, all) || !(isKnown(parent, all) || isOurs(pid))) continue;
        known.set(pid, startedAt);
        grew = true;
      }
    }
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
  const timer = setInterval(() => look(), intervalMs);
  return {
    mark,
    kill: () => {
      clearInterval(timer);
      look(isMarked);
      for (const pid of living()) kill(pid);
    },
    end: async () => {
      clearInterval(timer);
      look(isMarked);
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

function processes(): ReadonlyMap<number, Seen> {
  const found = new Map<number, Seen>();
  for (const name of process.platform === 'linux' ? readdirSync('/proc') : []) {
    if (!/^\d+$/.test(name)) continue;
    // The name of the program stands in brackets and may hold anything.
    const [state = '', parent = '', ...rest] = (
      read(`/proc/${name}/stat`)?.split(') ').at(-1) ?? ''
    ).split(' ');
    const startedAt = rest[17];
    if (startedAt === undefined) continue;
    found.set(Number(name), { parent: Number(parent), startedAt, isGone: state === 'Z' });
  }
  return found;
}

function commandOf(pid: number): string {
  return read(`/proc/${pid}/cmdline`)?.replaceAll('\0', ' ').trim() ?? String(pid);
}

/** Undefined where the process has ended meanwhile, or is somebody else's. */
function read(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'ENOENT' || code === 'ESRCH' || code === 'EACCES') return undefined;
    throw error;
  }
}
