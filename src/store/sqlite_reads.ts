// The reading half of the port on one SQLite connection. Everything here runs to its end in one
// turn, so that nothing is written in between.

import { assert } from '../core/errors.ts';
import { filteredActivityIds } from './activity_page.ts';
import type { StoredActivity, StoredRecord, StorePort } from './port.ts';
import type { Row } from './rows.ts';
import {
  activityOfRow,
  assertLimit,
  boundsOf,
  bytesOf,
  lookupOfRow,
  maximumNames,
  maximumRecordIds,
  organizationOfRow,
  recordOfRow,
  textOf,
} from './rows.ts';
import type { Statements } from './sqlite_database.ts';

type ReadName = Exclude<keyof StorePort, 'commit'>;

/** The calls of the port, each giving its answer at once. */
export type SqliteReads = {
  readonly [Name in ReadName]: (
    ...request: Parameters<StorePort[Name]>
  ) => Awaited<ReturnType<StorePort[Name]>>;
};

export function createReads(statements: Statements): SqliteReads {
  return {
    deployment: () => optional(statements.deployment.get(), (row) => bytesOf(row['body'])),

    organization: ({ organizationId, kinds, knownVersion, fingerprint }) => {
      assert(kinds.length <= maximumNames.kinds, 'an organization has a few kinds of records');
      const found = optional(statements.organization.get(organizationId), organizationOfRow);
      const isKnown = found === undefined || found.version === knownVersion;
      return {
        version: found?.version,
        organization: isKnown ? undefined : found,
        records: isKnown ? [] : recordsOfKinds(statements, organizationId, kinds),
        activity: fingerprint && activityOfFingerprint(statements, organizationId, fingerprint),
      };
    },

    children: ({ parentId, page }) =>
      (page.ascending ? statements.childrenAscending : statements.childrenDescending)
        .all(parentId, ...boundsOf(page))
        .map((row) => textOf(row['id'])),

    records: ({ organizationId, kind, ids }) => {
      assert(ids.length <= maximumRecordIds, `at most ${maximumRecordIds} ids are asked for`);
      return [...new Set(ids)]
        .sort()
        .map((id) => statements.record.get(organizationId, kind, id))
        .filter((row) => row !== undefined)
        .map(recordOfRow);
    },

    recordPage: ({ organizationId, kind, groupId, page }) => {
      const ofKind = page.ascending
        ? statements.recordsOfKindAscending
        : statements.recordsOfKindDescending;
      const ofGroup = page.ascending
        ? statements.recordsOfGroupAscending
        : statements.recordsOfGroupDescending;
      const rows =
        groupId === undefined
          ? ofKind.all(organizationId, kind, ...boundsOf(page))
          : ofGroup.all(organizationId, kind, groupId, ...boundsOf(page));
      return rows.map(recordOfRow);
    },

    lookup: ({ index, blind, limit }) => {
      assertLimit(limit);
      return statements.lookups.all(index, blind, limit).map(lookupOfRow);
    },

    activity: ({ organizationId, id }) =>
      optional(statements.activity.get(organizationId, id), activityOfRow),

    activityPage: (filter) => {
      const { organizationId, statuses, types, page } = filter;
      const bounds = boundsOf(page);
      const all = page.ascending ? statements.activitiesAscending : statements.activitiesDescending;
      const rows =
        statuses.length === 0 && types.length === 0
          ? all.all(organizationId, ...bounds)
          : filteredActivityIds(statements, filter)
              .map((id) => statements.activity.get(organizationId, id))
              .filter((row) => row !== undefined);
      return rows.map(activityOfRow);
    },
  };
}

function recordsOfKinds(
  statements: Statements,
  organizationId: string,
  kinds: readonly string[],
): StoredRecord[] {
  return [...new Set(kinds)].flatMap((kind) =>
    statements.recordsOfKind.all(organizationId, kind).map(recordOfRow),
  );
}

function activityOfFingerprint(
  statements: Statements,
  organizationId: string,
  { bucket, fingerprint }: { readonly bucket: number; readonly fingerprint: Uint8Array },
): StoredActivity | undefined {
  return optional(
    statements.activityOfFingerprint.get(bucket, fingerprint, organizationId),
    activityOfRow,
  );
}

function optional<Value>(row: Row | undefined, fromRow: (row: Row) => Value): Value | undefined {
  return row === undefined ? undefined : fromRow(row);
}
