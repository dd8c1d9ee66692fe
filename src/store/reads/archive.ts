// Database calls of the archive beyond the port: iterate over organizations, and remove and restore single
// activities.

import type { StoredActivity } from '../port.ts';
import { textOf } from '../tables/rows.ts';
import type { QueryValue, Steps } from '../tables/steps.ts';

/** An activity in exactly one version. */
type ArchivedRow = Pick<StoredActivity, 'organizationId' | 'id' | 'version'>;

/** Each call is one transaction, durable when it resolves. */
export type Archive = {
  /** Returns the first organization after this id with activities, or undefined. */
  nextOrganization(afterId: string): Promise<string | undefined>;
  /** Deletes rows that still have these versions, at most 1,000; returns their number. */
  remove(rows: readonly ArchivedRow[]): Promise<number>;
  /** Inserts missing activities, at most 1,000; returns their number. */
  restore(activities: readonly StoredActivity[]): Promise<number>;
};

export const archiveSteps = {
  *nextOrganization(afterId: string): Steps<string | undefined> {
    const [row] = yield { query: 'nextOrganizationOfActivities', values: [afterId] };
    return row === undefined ? undefined : textOf(row['organization_id']);
  },

  *remove(rows: readonly ArchivedRow[]): Steps<number> {
    if (rows.length === 0) return 0;
    const deleted = yield rows.map(({ organizationId, id, version }) => ({
      query: 'deleteActivity' as const,
      values: [organizationId, id, version],
    }));
    return deleted.length;
  },

  *restore(activities: readonly StoredActivity[]): Steps<number> {
    if (activities.length === 0) return 0;
    const restored = yield activities.map((activity) => ({
      query: 'restoreActivity' as const,
      values: valuesOf(activity),
    }));
    return restored.length;
  },
};

/** In the order of the columns. */
function valuesOf(activity: StoredActivity): QueryValue[] {
  const { organizationId, id, type, status, bucket, fingerprint } = activity;
  const { createdAtMs, updatedAtMs, version, body } = activity;
  return [
    ...[organizationId, id, type, status, bucket, fingerprint],
    ...[createdAtMs, updatedAtMs, version, body],
  ];
}
