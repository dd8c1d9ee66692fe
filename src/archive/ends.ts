// The end of the archive in the sealed custody record of the database. A chain of files cannot prove that its
// last file is present.

import { type ArchiveEnd, withArchiveEnd } from '../core/custody/record.ts';
import type { CustodyReader } from '../enclave/records/custody_reader.ts';

export type ArchiveEnds = {
  /** Undefined before the first segment. */
  read(): Promise<ArchiveEnd | undefined>;
  /** Resolves once the change is durable; resolves with false if the recorded end is not `from`. */
  move(from: ArchiveEnd | undefined, to: ArchiveEnd): Promise<boolean>;
};

export function archiveEnds(reader: Pick<CustodyReader, 'recent' | 'update'>): ArchiveEnds {
  return {
    read: async () => (await reader.recent()).record.archive,
    move: async (from, to) => {
      let isMoved = false;
      await reader.update(async ({ record }) => {
        const after = withArchiveEnd(record, { from, to });
        isMoved = after !== undefined;
        return after;
      });
      return isMoved;
    },
  };
}
