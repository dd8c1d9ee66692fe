// The tables, written once; `dialects` holds the words that differ between databases. Identifiers are UUIDv7
// texts and the fingerprint index starts with a time bucket, so that each activity appends to the end of
// every index. Ids compare by bytes.

import { table } from '../../core/base/table.ts';

export type Dialect = {
  readonly text: string;
  readonly integer: string;
  readonly bytes: string;
  /** End of a table whose rows are stored in order of arrival, for rows with a body. */
  readonly inArrivalOrder: string;
  /** End of a table whose rows are stored in order of their key, for rows with little more than a key. */
  readonly inKeyOrder: string;
};

export const dialects = table<Dialect>()({
  sqlite: {
    text: 'TEXT',
    integer: 'INTEGER',
    bytes: 'BLOB',
    inArrivalOrder: 'STRICT',
    inKeyOrder: 'STRICT, WITHOUT ROWID',
  },
  postgres: {
    // Texts are ordered by bytes, for every locale of the database.
    text: 'TEXT COLLATE "C"',
    integer: 'BIGINT',
    bytes: 'BYTEA',
    inArrivalOrder: '',
    inKeyOrder: '',
  },
});

/** Applied migrations; created before all other tables. */
export function schemaVersionTable({ text, integer, inKeyOrder }: Dialect): string {
  return `CREATE TABLE IF NOT EXISTS schema_version (
    version ${integer} NOT NULL PRIMARY KEY,
    name ${text} NOT NULL
  ) ${inKeyOrder}`;
}

/** Returns the tables of events on their way to webhook endpoints. */
export function webhookTables(dialect: Dialect): readonly string[] {
  const { text, integer, bytes, inArrivalOrder, inKeyOrder } = dialect;
  return [
    // One row for each endpoint that ever had an event: its counter, and the owner of its lease.
    `CREATE TABLE webhook_streams (
      endpoint_id ${text} NOT NULL PRIMARY KEY,
      last_sequence ${integer} NOT NULL,
      due_at_ms ${integer},
      paused_until_ms ${integer} NOT NULL,
      failures ${integer} NOT NULL,
      failing_since_ms ${integer},
      lease_owner ${text},
      lease_until_ms ${integer} NOT NULL
    ) ${inKeyOrder}`,
    `CREATE INDEX webhook_streams_by_due ON webhook_streams (due_at_ms)
      WHERE due_at_ms IS NOT NULL`,

    `CREATE TABLE webhook_events (
      endpoint_id ${text} NOT NULL,
      sequence ${integer} NOT NULL,
      organization_id ${text} NOT NULL,
      event_id ${text} NOT NULL,
      created_at_ms ${integer} NOT NULL,
      body ${bytes} NOT NULL,
      state ${text} NOT NULL,
      since_ms ${integer} NOT NULL,
      due_at_ms ${integer},
      attempts ${integer} NOT NULL,
      failures ${integer} NOT NULL,
      PRIMARY KEY (endpoint_id, sequence)
    ) ${inArrivalOrder}`,
    `CREATE UNIQUE INDEX webhook_events_by_id ON webhook_events (endpoint_id, event_id)`,
    `CREATE INDEX webhook_events_waiting ON webhook_events (endpoint_id, sequence, due_at_ms)
      WHERE due_at_ms IS NOT NULL`,

    `CREATE TABLE webhook_attempts (
      endpoint_id ${text} NOT NULL,
      sequence ${integer} NOT NULL,
      attempt ${integer} NOT NULL,
      at_ms ${integer} NOT NULL,
      duration_ms ${integer} NOT NULL,
      outcome ${text} NOT NULL,
      status ${integer},
      PRIMARY KEY (endpoint_id, sequence, attempt)
    ) ${inKeyOrder}`,
  ];
}

/** Returns the tables of the log: its queue of activities. */
export function logTables({ text, integer, inKeyOrder }: Dialect): readonly string[] {
  return [
    `CREATE TABLE log_waiting (
      organization_id ${text} NOT NULL,
      activity_id ${text} NOT NULL,
      version ${integer} NOT NULL,
      PRIMARY KEY (organization_id, activity_id, version)
    ) ${inKeyOrder}`,
  ];
}

/** Statements of the first migration. */
export function firstTables(dialect: Dialect): readonly string[] {
  const { text, integer, bytes, inArrivalOrder, inKeyOrder } = dialect;
  return [
    `CREATE TABLE deployment (
      id ${integer} NOT NULL PRIMARY KEY CHECK (id = 1),
      body ${bytes} NOT NULL
    ) ${inArrivalOrder}`,

    `CREATE TABLE organizations (
      id ${text} NOT NULL PRIMARY KEY,
      parent_id ${text},
      version ${integer} NOT NULL,
      guard ${integer} NOT NULL,
      head ${bytes} NOT NULL
    ) ${inArrivalOrder}`,
    `CREATE INDEX organizations_by_parent ON organizations (parent_id, id)
      WHERE parent_id IS NOT NULL`,

    `CREATE TABLE records (
      organization_id ${text} NOT NULL,
      kind ${text} NOT NULL,
      id ${text} NOT NULL,
      group_id ${text},
      version ${integer} NOT NULL,
      body ${bytes} NOT NULL,
      PRIMARY KEY (organization_id, kind, id)
    ) ${inArrivalOrder}`,
    `CREATE INDEX records_by_group ON records (organization_id, kind, group_id, id)
      WHERE group_id IS NOT NULL`,

    `CREATE TABLE lookups (
      index_name ${text} NOT NULL,
      blind ${bytes} NOT NULL,
      organization_id ${text} NOT NULL,
      record_id ${text} NOT NULL,
      PRIMARY KEY (index_name, blind, organization_id, record_id)
    ) ${inKeyOrder}`,

    `CREATE TABLE activities (
      organization_id ${text} NOT NULL,
      id ${text} NOT NULL,
      type ${text} NOT NULL,
      status ${text} NOT NULL,
      bucket ${integer} NOT NULL,
      fingerprint ${bytes} NOT NULL,
      created_at_ms ${integer} NOT NULL,
      updated_at_ms ${integer} NOT NULL,
      version ${integer} NOT NULL,
      body ${bytes} NOT NULL,
      PRIMARY KEY (organization_id, id)
    ) ${inArrivalOrder}`,
    `CREATE UNIQUE INDEX activities_by_fingerprint
      ON activities (bucket, fingerprint, organization_id)`,
    // Every filter of a page is a union of ranges of this index: see `activity_page.ts`.
    `CREATE INDEX activities_by_status ON activities (organization_id, status, type, id)`,
  ];
}
