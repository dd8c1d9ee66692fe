// Writes on SQLite: one change in the transaction of its batch.

import { assert } from '../../core/errors/errors.ts';
import type { Redelivery } from '../../core/organization/changes.ts';
import { type ActivityInsert, additionOf } from '../addition.ts';
import type {
  CommitOutcome,
  StoreChange,
  StoredActivity,
  StoredEvent,
  StoredOrganization,
} from '../port.ts';
import type { Present, PresentOrganization } from '../tables/refusal.ts';
import { holds, refusalOf } from '../tables/refusal.ts';
import { activityIdentityOfRow, integerOf, organizationIdentityOfRow } from '../tables/rows.ts';
import type { QueryValue } from '../tables/steps.ts';
import type { SqliteStatement, Statements } from './database.ts';

/** Decides one change and, if it holds, writes it. Throws only for faults of the service. */
export function applyChange(statements: Statements, change: StoreChange): CommitOutcome {
  const addition = additionOf(change);
  if (addition !== undefined && isAdded(statements, addition)) return 'committed';
  const refusal = refusalOf(presentIn(statements), change);
  if (refusal !== undefined) return refusal;
  write(statements, change);
  return 'committed';
}

/**
 * Writes an addition if its conditions hold and its keys are free. The caller then asks why a row was not
 * written. (Conditions inside the insert would cost more: a copy of each page.)
 */
function isAdded(
  statements: Statements,
  { activity, conditions, events }: ActivityInsert,
): boolean {
  const allHold = conditions.every((condition) =>
    holds(condition, organizationIn(statements, condition.organizationId)),
  );
  if (!allHold || statements.addActivity.run(...valuesOf(activity)).changes !== 1) return false;
  awaitLog(statements, activity);
  for (const event of events) writeEvent(statements, event);
  return true;
}

function organizationIn(statements: Statements, id: string): PresentOrganization | undefined {
  const row = statements.organizationIdentity.get(id);
  return row && organizationIdentityOfRow(row);
}

function presentIn(statements: Statements): Present {
  return {
    organization: (id) => organizationIn(statements, id),
    activity: (organizationId, id) => {
      const row = statements.activityIdentity.get(organizationId, id);
      return row && activityIdentityOfRow(row);
    },
    hasFingerprint: ({ bucket, fingerprint, organizationId }) =>
      statements.activityExists.get(bucket, fingerprint, organizationId) !== undefined,
    hasDeployment: () => statements.deployment.get() !== undefined,
  };
}

/** Applies deletions first, so that a row that is both deleted and put exists afterwards. */
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
  for (const event of change.events) writeEvent(statements, event);
  for (const redelivery of change.redeliveries) restartEvents(statements, redelivery);
}

function writeEvent(statements: Statements, event: StoredEvent): void {
  const { endpointId, organizationId, eventId, createdAtMs, body } = event;
  const sequence = statements.countEvent.get(endpointId, createdAtMs)?.['last_sequence'];
  once(
    statements.insertEvent,
    ...[endpointId, integerOf(sequence), organizationId, eventId],
    ...[createdAtMs, body, createdAtMs, createdAtMs],
  );
}

function restartEvents(statements: Statements, redelivery: Redelivery): void {
  const { endpointId, first, last, atMs } = redelivery;
  statements.restartEvents.run(atMs, atMs, endpointId, first, last);
  statements.restartStream.run(atMs, endpointId);
}

function writeOrganization(statements: Statements, organization: StoredOrganization): void {
  const { organizationId, parentId, version, guard, head } = organization;
  if (version === 1) {
    once(statements.insertOrganization, organizationId, parentId ?? null, version, guard, head);
  } else {
    once(statements.updateOrganization, version, guard, head, organizationId, version - 1);
  }
}

function writeActivity(statements: Statements, activity: StoredActivity): void {
  const { organizationId, id, status, version, body, updatedAtMs } = activity;
  if (version === 1) {
    once(statements.insertActivity, ...valuesOf(activity));
  } else {
    once(
      statements.updateActivity,
      ...[status, updatedAtMs, version, body, organizationId, id, version - 1],
    );
  }
  awaitLog(statements, activity);
}

function awaitLog(statements: Statements, { organizationId, id, version }: StoredActivity): void {
  statements.putLogWaiting.run(organizationId, id, version);
}

/** In the order of the columns. */
function valuesOf(activity: StoredActivity): QueryValue[] {
  return [
    activity.organizationId,
    activity.id,
    activity.type,
    activity.status,
    activity.bucket,
    activity.fingerprint,
    activity.createdAtMs,
    activity.updatedAtMs,
    activity.version,
    activity.body,
  ];
}

/** Runs a statement that must write exactly one row; otherwise a change has a row twice. */
function once(statement: SqliteStatement, ...values: readonly QueryValue[]): void {
  const { changes } = statement.run(...values);
  assert(changes === 1, 'a change names each row once');
}
