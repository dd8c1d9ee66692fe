// The archive's requests to a database beyond the port: to step through organizations, and to take
// activities out and put them back row by row.

import type { StoredActivity } from '../port.ts';
import { textOf } from '../tables/rows.ts';
import type { QueryValue, Steps } from '../tables/steps.ts';

/** An activity in exactly one version. */
type ArchivedRow = Pick<StoredActivity, 'organizationId' | 'id' | 'version'>;

/** Each call is one transaction, durable when it resolves. */
export type Archive = {
  /** The first organization after this id that has activities, or undefined. */
  nextOrganization(afterId: string): Promise<string | undefined>;
  /** Deletes these rows where they are in these versions; returns how many were. At most 1,000. */
  remove(rows: readonly ArchivedRow[]): Promise<number>;
  /** Inserts activities that are not there; returns how many were not. At most 1,000. */
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
