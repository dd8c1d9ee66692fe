// What is asked of PostgreSQL: the shared queries with its placeholders, and statements that handle
// the rows of a whole batch at once. Only what CockroachDB and YugabyteDB have too is used.

import type { Addition } from './addition.ts';
import type { StoredActivity, StoredLookup, StoredOrganization, StoredRecord } from './port.ts';
import type { Element, ElementType } from './postgres_arrays.ts';
import { binaryArray } from './postgres_arrays.ts';
import { queries } from './queries.ts';
import type { QueryValue, Step } from './steps.ts';

/** Prepared once for each connection under its name. */
export type Statement = {
  readonly name: string;
  readonly text: string;
  readonly values: readonly (QueryValue | Buffer)[];
};

/** A step of a read as one statement. */
export function statementOfStep({ query, values, each }: Step): Statement {
  const text = queries[query];
  return each === undefined
    ? { name: query, text: numbered(text), values }
    : {
        name: `${query}OfEach`,
        text: numbered(text.replace(lastEquality, '= ANY (?::TEXT[])')),
        values: [...values, binaryArray('TEXT', each)],
      };
}

/** A statement without rows. */
export function plain(text: string): Statement {
  return { name: '', text, values: [] };
}

/** The deployment is one row, known to be absent. */
export function insertDeployment(body: Uint8Array): Statement {
  const name = 'insertDeployment';
  return { name, text: numbered(queries.insertDeployment), values: [body] };
}

/**
 * The version of an organization and the activity of a fingerprint, in one row whether there are such
 * or not: all that most requests need to know.
 */
export function versionAndActivity(
  organizationId: string,
  bucket: number | null,
  fingerprint: Uint8Array | null,
): Statement {
  return {
    name: 'versionAndActivity',
    text: `SELECT organizations.version AS current_version, activities.*
      FROM (SELECT 1) AS one
      LEFT JOIN organizations ON organizations.id = $1
      LEFT JOIN activities ON activities.bucket = $2 AND activities.fingerprint = $3
        AND activities.organization_id = $1`,
    values: [organizationId, bucket, fingerprint],
  };
}

type Column<Row> = { readonly type: ElementType; readonly of: (row: Row) => Element };

/** A statement over many rows, which it reads from arrays: one parameter for each column. */
export type RowsStatement<Row> = (rows: readonly Row[]) => Statement;

type Id = { readonly id: string };
type RecordKey = Pick<StoredRecord, 'organizationId' | 'kind' | 'id'>;

const text = <Row>(of: Column<Row>['of']): Column<Row> => ({ type: 'TEXT', of });
const integer = <Row>(of: Column<Row>['of']): Column<Row> => ({ type: 'BIGINT', of });
const bytes = <Row>(of: Column<Row>['of']): Column<Row> => ({ type: 'BYTEA', of });

const organizationVersions = `SELECT id, version, parent_id FROM organizations
  WHERE id = ANY ($1::TEXT[]) ORDER BY id`;
const idColumn = { id: text<Id>(({ id }) => id) };
const activityKey = {
  organization_id: text<StoredActivity>((row) => row.organizationId),
  id: text<StoredActivity>((row) => row.id),
};
const fingerprintKey = {
  bucket: integer<StoredActivity>((row) => row.bucket),
  fingerprint: bytes<StoredActivity>((row) => row.fingerprint),
  organization_id: text<StoredActivity>((row) => row.organizationId),
};
const recordKey = {
  organization_id: text<RecordKey>((row) => row.organizationId),
  kind: text<RecordKey>((row) => row.kind),
  id: text<RecordKey>((row) => row.id),
};
const lookupKey = {
  index_name: text<StoredLookup>((row) => row.index),
  blind: bytes<StoredLookup>((row) => row.blind),
  organization_id: text<StoredLookup>((row) => row.organizationId),
  record_id: text<StoredLookup>((row) => row.recordId),
};

const newActivity = {
  ...activityKey,
  type: text<StoredActivity>((row) => row.type),
  status: text<StoredActivity>((row) => row.status),
  bucket: integer<StoredActivity>((row) => row.bucket),
  fingerprint: bytes<StoredActivity>((row) => row.fingerprint),
  created_at_ms: integer<StoredActivity>((row) => row.createdAtMs),
  updated_at_ms: integer<StoredActivity>((row) => row.updatedAtMs),
  version: integer<StoredActivity>((row) => row.version),
  body: bytes<StoredActivity>((row) => row.body),
};
const newActivityNames = Object.keys(newActivity).join(', ');

const addition = {
  ...Object.fromEntries(
    Object.entries(newActivity).map(([name, { type, of }]): [string, Column<Addition>] => [
      name,
      { type, of: ({ activity }) => of(activity) },
    ]),
  ),
  condition_id: text<Addition>(({ condition }) => condition.organizationId),
  condition_version: integer<Addition>(({ condition }) => condition.version),
};

export const rowsStatements = {
  /** Holds the place of an organization that shall be absent until the transaction ends. */
  claimAbsent: overRows('claimAbsent', idColumn, (given) => [
    `INSERT INTO organizations (id, parent_id, version, head)`,
    `SELECT id, NULL, 0, ''::BYTEA FROM ${given} ON CONFLICT DO NOTHING`,
  ]),
  releaseAbsent: overRows('releaseAbsent', idColumn, (given) => [
    `DELETE FROM organizations USING ${given}`,
    `WHERE organizations.id = given.id AND organizations.version = 0`,
  ]),

  /** Versions that stay as they are until the transaction ends, though others may hold them too. */
  shareOrganizations: overRows('shareOrganizations', idColumn, () => [
    `${organizationVersions} FOR SHARE`,
  ]),
  /** Versions that nobody else may hold or change until the transaction ends. */
  lockOrganizations: overRows('lockOrganizations', idColumn, () => [
    `${organizationVersions} FOR UPDATE`,
  ]),
  lockActivities: overRows('lockActivities', activityKey, (given) => [
    `SELECT activities.organization_id, activities.id, version, type, bucket, fingerprint,`,
    `created_at_ms FROM ${given} JOIN activities ON ${matches('activities', activityKey)}`,
    `ORDER BY activities.organization_id, activities.id FOR UPDATE OF activities`,
  ]),
  findFingerprints: overRows('findFingerprints', fingerprintKey, (given) => [
    `SELECT activities.organization_id, activities.bucket, activities.fingerprint`,
    `FROM ${given} JOIN activities ON ${matches('activities', fingerprintKey)}`,
  ]),

  updateOrganizations: overRows(
    'updateOrganizations',
    {
      id: text<StoredOrganization>((row) => row.organizationId),
      parent_id: text<StoredOrganization>((row) => row.parentId),
      version: integer<StoredOrganization>((row) => row.version),
      head: bytes<StoredOrganization>((row) => row.head),
    },
    (given) => [
      `UPDATE organizations SET parent_id = given.parent_id, version = given.version,`,
      `head = given.head FROM ${given} WHERE organizations.id = given.id`,
    ],
  ),
  deleteRecords: overRows('deleteRecords', recordKey, (given) => [
    `DELETE FROM records USING ${given} WHERE ${matches('records', recordKey)}`,
  ]),
  putRecords: overRows(
    'putRecords',
    {
      ...recordKey,
      group_id: text<StoredRecord>((row) => row.groupId),
      version: integer<StoredRecord>((row) => row.version),
      body: bytes<StoredRecord>((row) => row.body),
    },
    (given, names) => [
      `INSERT INTO records (${names}) SELECT ${names} FROM ${given}`,
      `ON CONFLICT (organization_id, kind, id) DO UPDATE`,
      `SET group_id = excluded.group_id, version = excluded.version, body = excluded.body`,
    ],
  ),
  deleteLookups: overRows('deleteLookups', lookupKey, (given) => [
    `DELETE FROM lookups USING ${given} WHERE ${matches('lookups', lookupKey)}`,
  ]),
  putLookups: overRows('putLookups', lookupKey, (given, names) => [
    `INSERT INTO lookups (${names}) SELECT ${names} FROM ${given} ON CONFLICT DO NOTHING`,
  ]),
  insertActivities: overRows('insertActivities', newActivity, (given, names) => [
    `INSERT INTO activities (${names}) SELECT ${names} FROM ${given}`,
  ]),
  /** Inserts what is new and whose condition holds, and names it. */
  addActivities: overRows('addActivities', addition, (given) => [
    `INSERT INTO activities (${newActivityNames})`,
    `SELECT ${Object.keys(newActivity)
      .map((name) => `given.${name}`)
      .join(', ')} FROM ${given}`,
    `JOIN organizations ON organizations.id = given.condition_id`,
    `AND organizations.version = given.condition_version`,
    `ON CONFLICT DO NOTHING RETURNING organization_id, id`,
  ]),
  updateActivities: overRows(
    'updateActivities',
    {
      ...activityKey,
      status: text<StoredActivity>((row) => row.status),
      updated_at_ms: integer<StoredActivity>((row) => row.updatedAtMs),
      version: integer<StoredActivity>((row) => row.version),
      body: bytes<StoredActivity>((row) => row.body),
    },
    (given) => [
      `UPDATE activities SET status = given.status, updated_at_ms = given.updated_at_ms,`,
      `version = given.version, body = given.body FROM ${given}`,
      `WHERE ${matches('activities', activityKey)}`,
    ],
  ),
} as const;

function overRows<Row>(
  name: string,
  columns: Readonly<Record<string, Column<Row>>>,
  sql: (given: string, names: string) => readonly string[],
): RowsStatement<Row> {
  const names = Object.keys(columns).join(', ');
  const list = Object.values(columns);
  const arrays = list.map(({ type }, i) => `$${i + 1}::${type}[]`).join(', ');
  const statement = sql(`unnest(${arrays}) AS given (${names})`, names).join('\n');
  return (rows) => ({
    name,
    text: statement,
    values: list.map(({ type, of }) => binaryArray(type, rows.map(of))),
  });
}

function matches(table: string, key: Readonly<Record<string, unknown>>): string {
  return Object.keys(key)
    .map((column) => `${table}.${column} = given.${column}`)
    .join(' AND ');
}

const lastEquality = /= \?(?=[^?]*$)/;

function numbered(query: string): string {
  let last = 0;
  return query.replaceAll('?', () => {
    last += 1;
    return `$${last}`;
  });
}
