// Tracks whether the database confirms commits. A commit whose wait for the synchronous standby was cancelled
// is visible to all readers, and a failover reverts it. The same holds for commits only on the disk of a
// crashed server. So after any failure a node neither reads nor writes until a later commit is confirmed: the
// log is ordered, so the standby then has everything before it.

import { plain } from './queries.ts';
import type { Session } from './session.ts';

/** A commit that writes to the log and leaves nothing; sessions do not wait for each other in it. */
export async function confirmDurability(session: Session): Promise<void> {
  await session.all([
    plain('BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE'),
    plain("INSERT INTO schema_version (version, name) VALUES (-pg_backend_pid(), 'confirms')"),
    plain('DELETE FROM schema_version WHERE version = -pg_backend_pid()'),
    plain('COMMIT'),
  ]);
}

/** A node that wrote nothing for so long commits, to know that the database confirms. */
const confirmEveryMs = 5_000;
/** A node without a confirmed commit for this time is not ready. */
const lateMs = 15_000;

type Durability = {
  /** Returns true if there was a failure, and no confirmed commit that began after it. */
  isInDoubt(): boolean;
  /** Returns true if a commit should be made to find out. */
  isDue(): boolean;
  /** Returns true if there was no confirmed commit for too long. */
  isLate(): boolean;
  /** Notes a failure. */
  doubt(): void;
  /** Begins a commit; returns what notes that it was confirmed. */
  begin(): () => void;
};

/** `clock` never goes back: milliseconds. A commit has just been confirmed. */
export function createDurability(clock: () => number): Durability {
  let doubts = 0;
  let cleared = 0;
  let confirmedAtMs = clock();
  const ageMs = () => clock() - confirmedAtMs;
  const isInDoubt = () => doubts > cleared;
  return {
    isInDoubt,
    isDue: () => isInDoubt() || ageMs() >= confirmEveryMs,
    isLate: () => ageMs() > lateMs,
    doubt: () => {
      doubts += 1;
    },
    begin: () => {
      const before = doubts;
      return () => {
        confirmedAtMs = clock();
        cleared = Math.max(cleared, before);
      };
    },
  };
}
