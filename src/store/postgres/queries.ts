// The statements of PostgreSQL: the shared queries with its placeholders, and statements for all rows of a
// batch. They use only features that CockroachDB and YugabyteDB also have.

import type { ActivityInsert } from '../addition.ts';
import type {
  Condition,
  StoredActivity,
  StoredEvent,
  StoredLookup,
  StoredOrganization,
  StoredRecord,
} from '../port.ts';
import {
  firstWaiting,
  lookupColumns,
  maximumLookupsOfEach,
  newestActivities,
  newestFirst,
  type QueryName,
  queries,
  waitingFirst,
} from '../tables/queries.ts';
import type { QueryStep, QueryValue } from '../tables/steps.ts';
import type { Element, ElementType } from './arrays.ts';
import { binaryArray } from './arrays.ts';
import { numbered } from './placeholders.ts';

/** Prepared once on each connection, by its name. */
export type Statement = {
  readonly name: string;
  readonly text: string;
  readonly values: readonly (QueryValue | Buffer)[];
};

/** Returns a step of a read as one statement. */
export function statementOfStep({ query, values, each }: QueryStep): Statement {
  const text = queries[query];
  if (each === undefined) return { name: query, text: numbered(text), values };
  const own = limitedOfEach[query];
  return {
    name: `${query}OfEach`,
    text: numbered(own?.text ?? text.replace(lastEquality, '= ANY (?::TEXT[])')),
    values: [...values, binaryArray(own?.type ?? 'TEXT', each)],
  };
}

type LimitedOfEach = { readonly type: 'TEXT' | 'BYTEA'; readonly text: string };

/** Queries over lists with a limit for each item. */
const limitedOfEach: Readonly<Partial<Record<QueryName, LimitedOfEach>>> = {
  lookupsOfBlind: {
    type: 'BYTEA',
    text: `SELECT found.* FROM (SELECT ?::TEXT AS index_name) AS wanted
    CROSS JOIN unnest(?::BYTEA[]) AS given (blind)
    CROSS JOIN LATERAL (SELECT ${lookupColumns} FROM lookups
      WHERE lookups.index_name = wanted.index_name AND lookups.blind = given.blind
      ORDER BY organization_id, record_id LIMIT ${maximumLookupsOfEach}) AS found`,
  },
  newestActivities: {
    type: 'TEXT',
    text: `SELECT found.* FROM unnest(?::TEXT[]) AS given (organization_id)
    CROSS JOIN LATERAL (${newestActivities} given.organization_id${newestFirst}) AS found`,
  },
  firstWaiting: {
    type: 'TEXT',
    text: `SELECT found.* FROM unnest(?::TEXT[]) AS given (endpoint_id)
    CROSS JOIN LATERAL (${firstWaiting} given.endpoint_id ${waitingFirst}) AS found`,
  },
};

/** Returns a statement without parameters. */
export function plain(text: string): Statement {
  return { name: '', text, values: [] };
}

export const beginSnapshot = plain('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
export const endSnapshot = plain('COMMIT');

/** Inserts the one row of the deployment, known to be absent. */
export function insertDeployment(body: Uint8Array): Statement {
  const name = 'insertDeployment';
  return { name, text: numbered(queries.insertDeployment), values: [body] };
}

/**
 * Returns the statement that reads the version of an organization and the activity of a fingerprint, as one
 * row even if neither exists. Most requests need nothing more.
 */
export function versionAndActivity(
  organizationId: string,
  bucket: number | null,
  fingerprint: Uint8Array | null,
): Statement {
  return {
    name: 'versionAndActivity',
    text: `SELECT organizations.version AS current_version,
        organizations.guard AS current_guard, activities.*
      FROM (SELECT 1) AS one
      LEFT JOIN organizations ON organizations.id = $1
      LEFT JOIN activities ON activities.bucket = $2 AND activities.fingerprint = $3
        AND activities.organization_id = $1`,
    values: [organizationId, bucket, fingerprint],
  };
}

type Column<Row> = { readonly type: ElementType; readonly of: (row: Row) => Element };

/** A statement over many rows, passed as one array for each column. */
export type RowsStatement<Row> = (rows: readonly Row[]) => Statement;

type Id = { readonly id: string };
type RecordKey = Pick<StoredRecord, 'organizationId' | 'kind' | 'id'>;

const text = <Row>(of: Column<Row>['of']): Column<Row> => ({ type: 'TEXT', of });
const integer = <Row>(of: Column<Row>['of']): Column<Row> => ({ type: 'BIGINT', of });
const bytes = <Row>(of: Column<Row>['of']): Column<Row> => ({ type: 'BYTEA', of });

const organizationVersions = `SELECT id, version, guard, parent_id FROM organizations
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

const orLaterOf = (condition: Condition | undefined) => (condition?.orLater === true ? 1 : 0);

const addition = {
  ...Object.fromEntries(
    Object.entries(newActivity).map(([name, { type, of }]): [string, Column<ActivityInsert>] => [
      name,
      { type, of: ({ activity }) => of(activity) },
    ]),
  ),
  condition_id: text<ActivityInsert>(({ conditions }) => conditions[0]?.organizationId),
  condition_version: integer<ActivityInsert>(({ conditions }) => conditions[0]?.version),
  condition_or_later: integer<ActivityInsert>(({ conditions }) => orLaterOf(conditions[0])),
  further_id: text<ActivityInsert>(({ conditions }) => conditions[1]?.organizationId),
  further_version: integer<ActivityInsert>(({ conditions }) => conditions[1]?.version),
  further_or_later: integer<ActivityInsert>(({ conditions }) => orLaterOf(conditions[1])),
};

/** Equals `holds` of `refusal.ts` for an existing row. */
function conditionHolds(table: string, condition: string): string {
  const atLeast = `CASE given.${condition}_or_later WHEN 1 THEN ${table}.guard ELSE ${table}.version END`;
  return `given.${condition}_version BETWEEN ${atLeast} AND ${table}.version`;
}

/** Adds the activities in `changed` to the queue of the log. */
const awaitLog = `INSERT INTO log_waiting (organization_id, activity_id, version)
  SELECT organization_id, id, version FROM changed
  WHERE current_setting('keywright.feeds_log', true) = 'on' ON CONFLICT DO NOTHING`;
const namesOfChanged = 'RETURNING activities.organization_id, activities.id, activities.version';

/** Inserts activities whose conditions hold as the table `changed`, and queues them for the log. */
const insertedActivities = (given: string) =>
  [
    `WITH changed AS (INSERT INTO activities (${newActivityNames})`,
    `SELECT ${Object.keys(newActivity)
      .map((name) => `given.${name}`)
      .join(', ')} FROM ${given}`,
    `JOIN organizations ON organizations.id = given.condition_id`,
    `AND ${conditionHolds('organizations', 'condition')}`,
    `LEFT JOIN organizations AS further ON further.id = given.further_id`,
    `WHERE given.further_id IS NULL OR ${conditionHolds('further', 'further')}`,
    `ON CONFLICT DO NOTHING ${namesOfChanged})`,
    `, waiting AS (${awaitLog})`,
  ] as const;

/** An event, and its position in the batch. */
type PlacedEvent = { readonly event: StoredEvent; readonly place: number };
/** An event that is written only if its activity is. */
type EventOfActivity = PlacedEvent & { readonly activity: StoredActivity };

const newEvent = {
  place: integer<PlacedEvent>(({ place }) => place),
  endpoint_id: text<PlacedEvent>(({ event }) => event.endpointId),
  organization_id: text<PlacedEvent>(({ event }) => event.organizationId),
  event_id: text<PlacedEvent>(({ event }) => event.eventId),
  created_at_ms: integer<PlacedEvent>(({ event }) => event.createdAtMs),
  body: bytes<PlacedEvent>(({ event }) => event.body),
};
const eventOfActivity = {
  ...newEvent,
  activity_organization_id: text<EventOfActivity>(({ activity }) => activity.organizationId),
  activity_id: text<EventOfActivity>(({ activity }) => activity.id),
};

/** Returns an expression for the greatest number of an endpoint's events in the snapshot of the statement. */
function newestNumber(endpointOf: string): string {
  return `coalesce((SELECT max(sequence) FROM webhook_events AS written
    WHERE written.endpoint_id = ${endpointOf}.endpoint_id), 0)`;
}

/** Numbers and writes the events of the table `events`. */
const countAndInsertEvents = [
  `, counted AS (INSERT INTO webhook_streams (endpoint_id, last_sequence, due_at_ms,`,
  `paused_until_ms, failures, failing_since_ms, lease_owner, lease_until_ms)`,
  `SELECT endpoint_id, count(*) + ${newestNumber('events')}, min(created_at_ms),`,
  `0, 0, NULL, NULL, 0 FROM events GROUP BY endpoint_id ORDER BY endpoint_id`,
  // The row may have been restored from a time before the events.
  `ON CONFLICT (endpoint_id) DO UPDATE SET last_sequence = excluded.last_sequence`,
  `+ GREATEST(0, webhook_streams.last_sequence - ${newestNumber('excluded')}),`,
  `due_at_ms = LEAST(webhook_streams.due_at_ms, excluded.due_at_ms)`,
  `RETURNING endpoint_id, last_sequence)`,
  `, inserted AS (INSERT INTO webhook_events (endpoint_id, sequence, organization_id, event_id,`,
  `created_at_ms, body, state, since_ms, due_at_ms, attempts, failures)`,
  `SELECT events.endpoint_id, counted.last_sequence`,
  `- count(*) OVER (PARTITION BY events.endpoint_id)`,
  `+ row_number() OVER (PARTITION BY events.endpoint_id ORDER BY place),`,
  `organization_id, event_id, created_at_ms, body, 'waiting', created_at_ms, created_at_ms, 0, 0`,
  `FROM events JOIN counted ON counted.endpoint_id = events.endpoint_id RETURNING sequence)`,
] as const;

/** Like `addActivities`, together with the events of the inserted activities. */
export function addActivitiesWithEvents(
  additions: readonly ActivityInsert[],
  events: readonly EventOfActivity[],
): Statement {
  const activities = arraysOf(addition, 1);
  const ofActivities = arraysOf(eventOfActivity, 1 + Object.keys(addition).length);
  return {
    name: 'addActivitiesWithEvents',
    text: [
      ...insertedActivities(activities.given),
      `, events AS (SELECT given.* FROM ${ofActivities.given}`,
      `JOIN changed ON changed.organization_id = given.activity_organization_id`,
      `AND changed.id = given.activity_id)`,
      ...countAndInsertEvents,
      `SELECT organization_id, id FROM changed`,
    ].join('\n'),
    values: [...activities.valuesOf(additions), ...ofActivities.valuesOf(events)],
  };
}

/** Locks organizations until the transaction ends, from the weakest mode to the strongest. */
const organizationLocks = {
  /** Keeps their guards unchanged. Others may take the same lock, and raise versions. */
  holdGuards: overRows('holdGuards', idColumn, () => [`${organizationVersions} FOR KEY SHARE`]),
  /** Keeps their versions unchanged. Others may take the same lock. */
  shareOrganizations: overRows('shareOrganizations', idColumn, () => [
    `${organizationVersions} FOR SHARE`,
  ]),
  /** Locks organizations that keep their guard: other transactions may only hold their guards. */
  lockVersions: overRows('lockVersions', idColumn, () => [
    `${organizationVersions} FOR NO KEY UPDATE`,
  ]),
  /** Locks organizations that get a new guard, exclusively. */
  lockOrganizations: overRows('lockOrganizations', idColumn, () => [
    `${organizationVersions} FOR UPDATE`,
  ]),
} as const;

/**
 * Returns the weakest lock that is sufficient to decide a batch. All organizations get the same mode, because
 * two transactions that raise a lock would wait for each other.
 */
export function organizationLockOf(
  conditions: readonly Condition[],
  written: readonly StoredOrganization[],
): RowsStatement<Id> {
  // An inserted row is locked by `claimAbsent`.
  const replaced = written.filter(({ version }) => version > 1);
  if (replaced.some(({ guard, version }) => guard === version)) {
    return organizationLocks.lockOrganizations;
  }
  if (replaced.length > 0) return organizationLocks.lockVersions;
  const areGuards = conditions.every(({ orLater }) => orLater);
  return areGuards ? organizationLocks.holdGuards : organizationLocks.shareOrganizations;
}

export const rowsStatements = {
  /** Reserves the id of an organization that must be absent, until the transaction ends. */
  claimAbsent: overRows('claimAbsent', idColumn, (given) => [
    `INSERT INTO organizations (id, parent_id, version, guard, head)`,
    `SELECT id, NULL, 0, 0, ''::BYTEA FROM ${given} ON CONFLICT DO NOTHING`,
  ]),
  releaseAbsent: overRows('releaseAbsent', idColumn, (given) => [
    `DELETE FROM organizations USING ${given}`,
    `WHERE organizations.id = given.id AND organizations.version = 0`,
  ]),

  ...organizationLocks,
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
      guard: integer<StoredOrganization>((row) => row.guard),
      head: bytes<StoredOrganization>((row) => row.head),
    },
    (given) => [
      `UPDATE organizations SET parent_id = given.parent_id, version = given.version,`,
      `guard = given.guard, head = given.head FROM ${given} WHERE organizations.id = given.id`,
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
    `WITH changed AS (INSERT INTO activities (${names}) SELECT ${names} FROM ${given}`,
    `${namesOfChanged}) ${awaitLog}`,
  ]),
  /** Inserts activities whose conditions hold, and returns their names. */
  addActivities: overRows('addActivities', addition, (given) => [
    ...insertedActivities(given),
    `SELECT organization_id, id FROM changed`,
  ]),
  addEvents: overRows('addEvents', newEvent, (given) => [
    `WITH events AS (SELECT given.* FROM ${given})`,
    ...countAndInsertEvents,
    `SELECT count(*) AS count FROM inserted`,
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
      `WITH changed AS (UPDATE activities`,
      `SET status = given.status, updated_at_ms = given.updated_at_ms,`,
      `version = given.version, body = given.body FROM ${given}`,
      `WHERE ${matches('activities', activityKey)} ${namesOfChanged}) ${awaitLog}`,
    ],
  ),
} as const;

function overRows<Row>(
  name: string,
  columns: Readonly<Record<string, Column<Row>>>,
  sql: (given: string, names: string) => readonly string[],
): RowsStatement<Row> {
  const { given, valuesOf } = arraysOf(columns, 1);
  const statement = sql(given, Object.keys(columns).join(', ')).join('\n');
  return (rows) => ({ name, text: statement, values: valuesOf(rows) });
}

/** Returns rows as a table `given`, with an array parameter for each column from `$first` on. */
function arraysOf<Row>(columns: Readonly<Record<string, Column<Row>>>, first: number) {
  const list = Object.values(columns);
  const arrays = list.map(({ type }, i) => `$${first + i}::${type}[]`).join(', ');
  return {
    given: `unnest(${arrays}) AS given (${Object.keys(columns).join(', ')})`,
    valuesOf: (rows: readonly Row[]) => list.map(({ type, of }) => binaryArray(type, rows.map(of))),
  };
}

function matches(table: string, key: Readonly<Record<string, unknown>>): string {
  return Object.keys(key)
    .map((column) => `${table}.${column} = given.${column}`)
    .join(' AND ');
}

const lastEquality = /= \?(?=[^?]*$)/;
