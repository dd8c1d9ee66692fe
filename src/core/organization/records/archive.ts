// Location of archived activities, which lists omit.

import type { Row } from './row.ts';

/** Activities of an organization in one archive segment, under the ID of the last one. */
export type ArchivedActivities = Row & {
  readonly firstActivityId: string;
  readonly activities: number;
  /** Number of the segment, six digits. */
  readonly segment: string;
  /** SHA-256 of the manifest of the segment, hex. */
  readonly manifestDigest: string;
};
