// Decides whether a change may be committed, with the same code for every database. It reads everything
// before the first write, so a refused change leaves no trace in its batch.

import { equalBytes } from '../../core/base/bytes.ts';
import { assert } from '../../core/errors/errors.ts';
import type {
  CommitOutcome,
  Condition,
  StoreChange,
  StoredActivity,
  StoredOrganization,
} from '../port.ts';

/** Maximum rows of one change, over all tables. */
export const maximumChangeRows = 100_000;

/** The members of an activity that never change. */
export type ActivityIdentity = Pick<
  StoredActivity,
  'version' | 'type' | 'bucket' | 'fingerprint' | 'createdAtMs'
>;

/** The columns of an organization that affect the decision. */
export type PresentOrganization = Pick<StoredOrganization, 'version' | 'guard' | 'parentId'>;

/** Access to the current rows. */
export type Present = {
  organization(id: string): PresentOrganization | undefined;
  activity(organizationId: string, id: string): ActivityIdentity | undefined;
  hasFingerprint(activity: StoredActivity): boolean;
  hasDeployment(): boolean;
};

/**
 * Returns undefined if the change may be written. A duplicate takes precedence: its client gets the existing
 * activity, even if other rows have changed. Throws only for faults of the service.
 */
export function refusalOf(present: Present, change: StoreChange): CommitOutcome | undefined {
  assert(rowsOf(change) <= maximumChangeRows, `a change has at most ${maximumChangeRows} rows`);
  const { conditions, organizations, activities, deployment } = change;
  if (activities.some((each) => each.version === 1 && present.hasFingerprint(each))) {
    return 'duplicate';
  }
  const allHold =
    conditions.every((condition) =>
      holds(condition, present.organization(condition.organizationId)),
    ) &&
    organizations.every((organization) => isNextOrganization(present, organization)) &&
    activities.every((activity) => isNextActivity(present, activity)) &&
    (deployment === undefined || !present.hasDeployment());
  return allHold ? undefined : 'conflict';
}

/** Returns true if a decision still holds on the stored rows. */
export function holds(
  { version, orLater }: Condition,
  found: Pick<PresentOrganization, 'version' | 'guard'> | undefined,
): boolean {
  if (!orLater) return (found?.version ?? 0) === version;
  return found !== undefined && found.guard <= version && version <= found.version;
}

function isNextOrganization(present: Present, organization: StoredOrganization): boolean {
  const found = present.organization(organization.organizationId);
  if (!isNextVersion(organization.version, found?.version)) return false;
  assert(
    found === undefined || found.parentId === organization.parentId,
    'an organization keeps its parent',
  );
  assert(
    organization.guard === organization.version || organization.guard === found?.guard,
    'a guard is raised to the version that raises it, or stays',
  );
  return true;
}

function isNextActivity(present: Present, activity: StoredActivity): boolean {
  const found = present.activity(activity.organizationId, activity.id);
  if (!isNextVersion(activity.version, found?.version)) return false;
  assert(
    found === undefined ||
      (found.type === activity.type &&
        found.bucket === activity.bucket &&
        found.createdAtMs === activity.createdAtMs &&
        equalBytes(found.fingerprint, activity.fingerprint)),
    'an activity keeps its type, bucket, fingerprint and time of creation',
  );
  return true;
}

function isNextVersion(version: number, current: number | undefined): boolean {
  assert(Number.isSafeInteger(version) && version >= 1, 'versions start at 1');
  return version === (current ?? 0) + 1;
}

function rowsOf(change: StoreChange): number {
  const { conditions, organizations, records, deletedRecords, lookups, deletedLookups } = change;
  return [
    ...[conditions, organizations, records, deletedRecords],
    ...[lookups, deletedLookups, change.activities, change.events, change.redeliveries],
  ].reduce((rows, list) => rows + list.length, 0);
}
