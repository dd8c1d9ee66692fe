// The writing half: one change inside the transaction of its batch. All reads that decide come
// before the first write, so a change that is refused leaves no trace in the batch.

import { equalBytes } from '../core/bytes.ts';
import { assert } from '../core/errors.ts';
import type { CommitOutcome, StoreChange, StoredActivity, StoredOrganization } from './port.ts';
import { bytesOf, integerOf, optionalTextOf } from './rows.ts';
import type { SqliteStatement, SqliteValue, Statements } from './sqlite_database.ts';

/** All rows of one change, of every table. */
export const maximumChangeRows = 100_000;

/** Decides about one change and, if it holds, writes it. Throws on what only our own fault causes. */
export function applyChange(statements: Statements, change: StoreChange): CommitOutcome {
  assert(rowsOf(change) <= maximumChangeRows, `a change has at most ${maximumChangeRows} rows`);
  const refusal = refusalOf(statements, change);
  if (refusal !== undefined) return refusal;
  write(statements, change);
  return 'committed';
}

/** A duplicate comes first: its sender gets the activity that exists, whatever else has changed. */
function refusalOf(statements: Statements, change: StoreChange): CommitOutcome | undefined {
  if (change.activities.some((activity) => isDuplicate(statements, activity))) return 'duplicate';
  const holds =
    change.conditions.every(
      ({ organizationId, version }) => versionOf(statements, organizationId) === version,
    ) &&
    change.organizations.every((organization) => isNextOrganization(statements, organization)) &&
    change.activities.every((activity) => isNextActivity(statements, activity)) &&
    (change.deployment === undefined || statements.deployment.get() === undefined);
  return holds ? undefined : 'conflict';
}

function isDuplicate(statements: Statements, activity: StoredActivity): boolean {
  if (activity.version !== 1) return false;
  const { bucket, fingerprint, organizationId } = activity;
  return statements.activityExists.get(bucket, fingerprint, organizationId) !== undefined;
}

/** 0 where there is no such organization. */
function versionOf(statements: Statements, organizationId: string): number {
  const row = statements.organizationVersion.get(organizationId);
  return row === undefined ? 0 : integerOf(row['version']);
}

function isNextOrganization(statements: Statements, organization: StoredOrganization): boolean {
  const row = statements.organizationParent.get(organization.organizationId);
  if (!isNextVersion(organization.version, row?.['version'])) return false;
  assert(
    row === undefined || optionalTextOf(row['parent_id']) === organization.parentId,
    'an organization keeps its parent',
  );
  return true;
}

function isNextActivity(statements: Statements, activity: StoredActivity): boolean {
  const row = statements.activityIdentity.get(activity.organizationId, activity.id);
  if (!isNextVersion(activity.version, row?.['version'])) return false;
  assert(
    row === undefined ||
      (row['type'] === activity.type &&
        row['bucket'] === activity.bucket &&
        row['created_at_ms'] === activity.createdAtMs &&
        equalBytes(bytesOf(row['fingerprint']), activity.fingerprint)),
    'an activity keeps its type, bucket, fingerprint and time of creation',
  );
  return true;
}

function isNextVersion(version: number, current: unknown): boolean {
  assert(Number.isSafeInteger(version) && version >= 1, 'versions start at 1');
  return version === (current === undefined ? 0 : integerOf(current)) + 1;
}

/** Deletions come first, so that what is both deleted and put is there afterwards. */
function write(statements: Statements, change: StoreChange): void {
  if (change.deployment !== undefined) once(statements.insertDeployment, change.deployment);
  for (const organization of change.organizations) writeOrganization(statements, organization);
  for (const { organizationId, kind, id } of change.deletedRecords) {
    statements.deleteRecord.run(organizationId, kind, id);
  }
  for (const { organizationId, kind, id, groupId, version, body } of change.records) {
    once(statements.putRecord, organizationId, kind, id, groupId ?? null, version, body);
  }
  for (const { index, blind, organizationId, recordId } of change.deletedLookups) {
    statements.deleteLookup.run(index, blind, organizationId, recordId);
  }
  for (const { index, blind, organizationId, recordId } of change.lookups) {
    statements.putLookup.run(index, blind, organizationId, recordId);
  }
  for (const activity of change.activities) writeActivity(statements, activity);
}

function writeOrganization(statements: Statements, organization: StoredOrganization): void {
  const { organizationId, parentId, version, head } = organization;
  if (version === 1) {
    once(statements.insertOrganization, organizationId, parentId ?? null, version, head);
  } else {
    once(statements.updateOrganization, version, head, organizationId, version - 1);
  }
}

function writeActivity(statements: Statements, activity: StoredActivity): void {
  const { organizationId, id, type, status, bucket, fingerprint, version, body } = activity;
  const { createdAtMs, updatedAtMs } = activity;
  if (version === 1) {
    once(
      statements.insertActivity,
      ...[organizationId, id, type, status, bucket, fingerprint],
      ...[createdAtMs, updatedAtMs, version, body],
    );
  } else {
    once(
      statements.updateActivity,
      ...[status, updatedAtMs, version, body, organizationId, id, version - 1],
    );
  }
}

/** Runs a statement that writes exactly one row: anything else is one row twice in a change. */
function once(statement: SqliteStatement, ...values: readonly SqliteValue[]): void {
  const { changes } = statement.run(...values);
  assert(changes === 1, 'a change names each row once');
}

function rowsOf(change: StoreChange): number {
  const { conditions, organizations, records, deletedRecords, lookups, deletedLookups } = change;
  return [
    ...[conditions, organizations, records, deletedRecords],
    ...[lookups, deletedLookups, change.activities],
  ].reduce((rows, list) => rows + list.length, 0);
}
