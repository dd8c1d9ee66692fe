// Writes to PostgreSQL: a batch of changes in one transaction and two round trips. READ COMMITTED, with locks
// on all rows that decide (see docs/decisions/0006-postgresql.md). An organization's row is locked until the
// commit, so no commit uses a version that another node replaced. An organization that must be absent is
// locked by a row of version 0, which is removed before other transactions see it. A concurrent insert of
// another node violates a unique index: the batch is rolled back and decided again.

import type { Held } from '../commits/batch.ts';
import { activityKey, decideBatch, fingerprintKey, type Written } from '../commits/batch.ts';
import type { CommitResult } from '../commits/commit_queue.ts';
import type { StoreChange } from '../port.ts';
import type { Row } from '../tables/rows.ts';
import {
  activityIdentityOfRow,
  bytesOf,
  integerOf,
  organizationIdentityOfRow,
  textOf,
} from '../tables/rows.ts';
import type { RowsStatement, Statement } from './queries.ts';
import {
  insertDeployment,
  organizationLockOf,
  plain,
  rowsStatements,
  statementOfStep,
} from './queries.ts';
import type { Session } from './session.ts';

const maximumStatement = { rows: 10_000, bytes: 16 * 1024 * 1024 };

const begin = plain('BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE');
const commit = plain('COMMIT');

/** Returns the results, which are durable once this resolves. If it rejects, the outcome is unknown. */
export async function writeBatch(
  session: Session,
  changes: readonly StoreChange[],
): Promise<readonly CommitResult[]> {
  const absent = absentOf(changes);
  const held = await hold(session, changes, absent);
  const { results, written } = decideBatch(changes, held);
  await session.all([
    ...writesOf(written),
    ...inChunks(rowsStatements.releaseAbsent, absent),
    commit,
  ]);
  return results;
}

/** Returns organizations that must be absent, as a condition or for an insertion. */
function absentOf(changes: readonly StoreChange[]): { readonly id: string }[] {
  const ids = changes.flatMap(({ conditions, organizations }) => [
    ...conditions.filter(({ version }) => version === 0),
    ...organizations.filter(({ version }) => version === 1),
  ]);
  return idsOf(ids);
}

/** Begins the transaction, locks and reads, in the same order on every node. */
async function hold(
  session: Session,
  changes: readonly StoreChange[],
  absent: readonly { readonly id: string }[],
): Promise<Held> {
  const written = changes.flatMap((change) => change.organizations);
  const conditions = changes.flatMap((change) => change.conditions);
  const organizations = idsOf([...conditions, ...written]);
  const activities = changes.flatMap((change) => change.activities);
  const inserted = activities.filter(({ version }) => version === 1);
  const lock = organizationLockOf(conditions, written);
  const asked = {
    begin: [begin],
    claims: inChunks(rowsStatements.claimAbsent, absent),
    organizations: inChunks(lock, organizations),
    activities: inChunks(rowsStatements.lockActivities, sorted(activities, activityKey)),
    fingerprints: inChunks(rowsStatements.findFingerprints, sorted(inserted, fingerprintKey)),
    deployment: changes.some(({ deployment }) => deployment !== undefined)
      ? [statementOfStep({ query: 'deployment', values: [] })]
      : [],
  };
  const answers = (await session.all(Object.values(asked).flat())).values();
  const rowsOf = (statements: readonly Statement[]): Row[] =>
    statements.flatMap(() => answers.next().value ?? []);
  rowsOf([...asked.begin, ...asked.claims]);
  return {
    organizations: new Map(
      rowsOf(asked.organizations)
        .map((row) => [textOf(row['id']), organizationIdentityOfRow(row)] as const)
        .filter(([, { version }]) => version > 0),
    ),
    activities: new Map(
      rowsOf(asked.activities).map((row) => [
        activityKey({ organizationId: textOf(row['organization_id']), id: textOf(row['id']) }),
        activityIdentityOfRow(row),
      ]),
    ),
    fingerprints: new Set(
      rowsOf(asked.fingerprints).map((row) =>
        fingerprintKey({
          bucket: integerOf(row['bucket']),
          fingerprint: bytesOf(row['fingerprint']),
          organizationId: textOf(row['organization_id']),
        }),
      ),
    ),
    hasDeployment: rowsOf(asked.deployment).length > 0,
  };
}

function writesOf(written: Written): Statement[] {
  return [
    ...(written.deployment === undefined ? [] : [insertDeployment(written.deployment)]),
    ...inChunks(rowsStatements.updateOrganizations, written.organizations),
    ...inChunks(rowsStatements.deleteRecords, written.deletedRecords),
    ...inChunks(rowsStatements.putRecords, written.records),
    ...inChunks(rowsStatements.deleteLookups, written.deletedLookups),
    ...inChunks(rowsStatements.putLookups, written.lookups),
    ...inChunks(rowsStatements.insertActivities, written.insertedActivities),
    ...inChunks(rowsStatements.updateActivities, written.updatedActivities),
    ...inChunks(
      rowsStatements.addEvents,
      written.events.map((event, place) => ({ event, place, body: event.body })),
    ),
    ...written.redeliveries.flatMap(({ endpointId, first, last, atMs }) => [
      statementOfStep({ query: 'restartStream', values: [atMs, endpointId] }),
      statementOfStep({ query: 'restartEvents', values: [atMs, atMs, endpointId, first, last] }),
    ]),
  ];
}

type Sized = { readonly body?: Uint8Array; readonly head?: Uint8Array };

/** Splits rows into statements within the bounds; returns no statement without rows. */
function inChunks<Given extends object>(
  statement: RowsStatement<Given>,
  rows: readonly (Given & Sized)[],
): Statement[] {
  const chunks: Given[][] = [];
  let lengthBytes = 0;
  for (const row of rows) {
    const rowBytes = (row.body ?? row.head ?? []).length;
    const last = chunks.at(-1);
    const isFull =
      last === undefined ||
      last.length === maximumStatement.rows ||
      lengthBytes + rowBytes > maximumStatement.bytes;
    if (isFull) chunks.push([row]);
    else last.push(row);
    lengthBytes = isFull ? rowBytes : lengthBytes + rowBytes;
  }
  return chunks.map(statement);
}

function idsOf(rows: readonly { readonly organizationId: string }[]): { readonly id: string }[] {
  return [...new Set(rows.map(({ organizationId }) => organizationId))]
    .sort()
    .map((id) => ({ id }));
}

/** Returns the values with distinct keys, in the order of keys. */
function sorted<Value>(values: readonly Value[], keyOf: (value: Value) => string): Value[] {
  const byKey = new Map(values.map((value) => [keyOf(value), value]));
  return [...byKey].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, value]) => value);
}
