// Tracks whether the database confirms commits. A commit whose wait for the synchronous standby was cancelled
// is visible to all readers, and a failover reverts it. The same holds for commits only on the disk of a
// crashed server. So after any failure a node neither reads nor writes until a later commit is confirmed: the
// log is ordered, so the standby then has everything before it.

import { plain } from './queries.ts';
import type { Session } from './session.ts';

/**
 * Commits a row that the same transaction deletes. The commit is written to the log, so it succeeds only if
 * the database makes commits durable. Sessions do not block each other.
 */
export async function confirmDurability(session: Session): Promise<void> {
  await session.all([
    plain('BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE'),
    plain("INSERT INTO schema_version (version, name) VALUES (-pg_backend_pid(), 'confirms')"),
    plain('DELETE FROM schema_version WHERE version = -pg_backend_pid()'),
    plain('COMMIT'),
  ]);
}

/** A node without commits for this time makes one, to check that the database confirms it. */
const confirmEveryMs = 5_000;
/** A node without a confirmed commit for this time is not ready. */
const lateMs = 15_000;

type Durability = {
  /** Returns true after a failure, until a commit that began later is confirmed. */
  isInDoubt(): boolean;
  /** Returns true if a commit is needed for a check. */
  isDue(): boolean;
  /** Returns true if the last confirmed commit is too old. */
  isLate(): boolean;
  /** Records a failure. */
  doubt(): void;
  /** Begins a commit. The returned function records its confirmation. */
  begin(): () => void;
};

/** Starts with a confirmed commit. `clock` is monotonic, in milliseconds. */
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
