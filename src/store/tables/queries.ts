// The queries, with the same text for each database; parameters are `?` in order. Each uses one range of a
// key or index. Page bounds are always given: see `boundsOf` in `rows.ts`.

import { auditPositionId, auditSinkKinds, auditStreamId, maximumInlineBytes } from '../port.ts';

const organizationColumns = 'id, parent_id, version, guard, head';
const recordIdentity = 'organization_id, kind, id, group_id, version';
const recordColumns = `${recordIdentity}, body`;
export const lookupColumns = 'index_name, blind, organization_id, record_id';
const activityIdentity =
  'organization_id, id, type, status, bucket, fingerprint, created_at_ms, updated_at_ms, version';
const activityColumns = `${activityIdentity}, body`;
/** Selects the body of a row; NULL if it is larger. Databases know its length without reading it. */
const bodyWithin = (bytes: string | number) =>
  `CASE WHEN length(body) <= ${bytes} THEN body END AS body`;

const eventColumns = `endpoint_id, sequence, organization_id, event_id, created_at_ms, body, state,
  since_ms, due_at_ms, attempts, failures`;
const streamColumns = `endpoint_id, last_sequence, due_at_ms, paused_until_ms, failures,
  failing_since_ms, lease_owner, lease_until_ms`;
// A delivery without attempts is always due, because clocks may differ between nodes. Otherwise an event with
// a greater number could come first.
const dueEvents = `endpoint_id = ? AND due_at_ms IS NOT NULL AND (attempts = 0 OR due_at_ms <= ?)
    ORDER BY sequence LIMIT`;
/** The audit trail has its own streams, see `audit_stream.ts`. */
const auditIds = [auditStreamId, ...auditSinkKinds.map(auditPositionId)];
const isOfEndpoint = `endpoint_id NOT IN (${auditIds.map((id) => `'${id}'`).join(', ')})`;
const dueStreams = `SELECT endpoint_id FROM webhook_streams
    WHERE due_at_ms <= ? AND ${isOfEndpoint} AND paused_until_ms <= ?
    AND (lease_until_ms <= ? OR lease_owner = ?)`;

const ascending = 'AND id > ? AND id < ? ORDER BY id LIMIT ?';
const descending = 'AND id > ? AND id < ? ORDER BY id DESC LIMIT ?';

const children = 'SELECT id FROM organizations WHERE parent_id = ?';
const recordsOfKind = `SELECT ${recordColumns} FROM records WHERE organization_id = ? AND kind = ?`;
const recordsOfGroup = `${recordsOfKind} AND group_id = ?`;
const activities = `SELECT ${activityColumns} FROM activities WHERE organization_id = ?`;
const activitiesOfPage = `SELECT ${activityIdentity}, ${bodyWithin(maximumInlineBytes)}
    FROM activities WHERE organization_id = ?`;
const filteredActivities =
  'SELECT id FROM activities WHERE organization_id = ? AND status = ? AND type = ?';

/** Maximum entries of each value in a lookup of several values. */
export const maximumLookupsOfEach = 100;

/** Selects several, because ids of two nodes may not arrive in order. */
export const newestActivities =
  'SELECT organization_id, id FROM activities WHERE organization_id =';
export const newestFirst = ' ORDER BY id DESC LIMIT 8';

/** The longest waiting event of an endpoint. */
export const firstWaiting =
  'SELECT endpoint_id, sequence, created_at_ms FROM webhook_events WHERE endpoint_id =';
export const waitingFirst = 'AND due_at_ms IS NOT NULL ORDER BY sequence LIMIT 1';

export const queries = {
  deployment: 'SELECT body FROM deployment WHERE id = 1',
  organization: `SELECT ${organizationColumns} FROM organizations WHERE id = ?`,
  childrenAscending: `${children} ${ascending}`,
  childrenDescending: `${children} ${descending}`,
  record: `${recordsOfKind} AND id = ?`,
  recordWithin: `SELECT ${recordIdentity}, ${bodyWithin('?')}
    FROM records WHERE organization_id = ? AND kind = ? AND id = ?`,
  recordsOfKind: `${recordsOfKind} ORDER BY id`,
  recordsOfKindAscending: `${recordsOfKind} ${ascending}`,
  recordsOfKindDescending: `${recordsOfKind} ${descending}`,
  recordsOfGroupAscending: `${recordsOfGroup} ${ascending}`,
  recordsOfGroupDescending: `${recordsOfGroup} ${descending}`,
  lookups: `SELECT ${lookupColumns} FROM lookups
    WHERE index_name = ? AND blind = ? AND organization_id > ?
    ORDER BY organization_id, record_id LIMIT ?`,
  lookupsOfBlind: `SELECT ${lookupColumns} FROM lookups WHERE index_name = ? AND blind = ?
    ORDER BY organization_id, record_id LIMIT ${maximumLookupsOfEach}`,
  activity: `${activities} AND id = ?`,
  activityWithin: `SELECT ${activityIdentity}, ${bodyWithin('?')}
    FROM activities WHERE organization_id = ? AND id = ?`,
  activityOfPage: `${activitiesOfPage} AND id = ?`,
  activityOfFingerprint: `SELECT ${activityColumns} FROM activities
    WHERE bucket = ? AND fingerprint = ? AND organization_id = ?`,
  activitiesAscending: `${activitiesOfPage} ${ascending}`,
  activitiesDescending: `${activitiesOfPage} ${descending}`,
  filteredActivitiesAscending: `${filteredActivities} ${ascending}`,
  filteredActivitiesDescending: `${filteredActivities} ${descending}`,
  nextStatus: `SELECT status AS name FROM activities
    WHERE organization_id = ? AND status > ? ORDER BY status LIMIT 1`,
  nextType: `SELECT type AS name FROM activities
    WHERE organization_id = ? AND status = ? AND type > ? ORDER BY type LIMIT 1`,

  organizationVersion: 'SELECT id, version FROM organizations WHERE id = ?',
  newestActivities: `${newestActivities} ?${newestFirst}`,

  organizationIdentity: 'SELECT version, guard, parent_id FROM organizations WHERE id = ?',
  activityIdentity: `SELECT version, type, bucket, fingerprint, created_at_ms FROM activities
    WHERE organization_id = ? AND id = ?`,
  activityExists: `SELECT 1 AS found FROM activities
    WHERE bucket = ? AND fingerprint = ? AND organization_id = ?`,

  insertDeployment: 'INSERT INTO deployment (id, body) VALUES (1, ?)',
  insertOrganization: `INSERT INTO organizations (${organizationColumns}) VALUES (?, ?, ?, ?, ?)`,
  updateOrganization: `UPDATE organizations SET version = ?, guard = ?, head = ?
    WHERE id = ? AND version = ?`,
  putRecord: `INSERT INTO records (${recordColumns}) VALUES (?, ?, ?, ?, ?, ?)
    ON CONFLICT (organization_id, kind, id) DO UPDATE
    SET group_id = excluded.group_id, version = excluded.version, body = excluded.body`,
  deleteRecord: 'DELETE FROM records WHERE organization_id = ? AND kind = ? AND id = ?',
  putLookup: `INSERT INTO lookups (${lookupColumns}) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING`,
  deleteLookup: `DELETE FROM lookups
    WHERE index_name = ? AND blind = ? AND organization_id = ? AND record_id = ?`,
  insertActivity: `INSERT INTO activities (${activityColumns})
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  addActivity: `INSERT INTO activities (${activityColumns})
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`,
  updateActivity: `UPDATE activities SET status = ?, updated_at_ms = ?, version = ?, body = ?
    WHERE organization_id = ? AND id = ? AND version = ?`,

  // An existing row is waiting already.
  putLogWaiting: `INSERT INTO log_waiting (organization_id, activity_id, version)
    VALUES (?, ?, ?) ON CONFLICT DO NOTHING`,
  logWaiting: `SELECT organization_id, activity_id, version FROM log_waiting
    WHERE organization_id >= ? ORDER BY organization_id, activity_id, version LIMIT ?`,
  deleteLogWaiting: `DELETE FROM log_waiting
    WHERE organization_id = ? AND activity_id = ? AND version = ?`,

  nextOrganizationOfActivities: `SELECT organization_id FROM activities
    WHERE organization_id > ? ORDER BY organization_id LIMIT 1`,
  deleteActivity: `DELETE FROM activities
    WHERE organization_id = ? AND id = ? AND version = ? RETURNING id`,
  restoreActivity: `INSERT INTO activities (${activityColumns})
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING RETURNING id`,

  stream: `SELECT ${streamColumns} FROM webhook_streams WHERE endpoint_id = ?`,
  dueStreams: `${dueStreams} AND failures = 0 ORDER BY due_at_ms LIMIT ?`,
  dueFailingStreams: `${dueStreams} AND failures > 0 ORDER BY due_at_ms LIMIT ?`,
  leaseStream: `UPDATE webhook_streams SET lease_owner = ?, lease_until_ms = ?
    WHERE endpoint_id = ? AND (lease_until_ms <= ? OR lease_owner = ?)
    RETURNING endpoint_id, failures, failing_since_ms`,
  updateStream: `UPDATE webhook_streams SET failures = ?, failing_since_ms = ?,
    paused_until_ms = ?, lease_until_ms = ? WHERE endpoint_id = ? AND lease_owner = ?
    RETURNING endpoint_id`,
  // Locks the row first, so that no event is added while the others are read.
  holdStream: `UPDATE webhook_streams SET lease_until_ms = 0
    WHERE endpoint_id = ? AND lease_owner = ? RETURNING endpoint_id`,
  dueEvent: `SELECT endpoint_id FROM webhook_events WHERE ${dueEvents} 1`,
  firstDue: `SELECT endpoint_id, min(due_at_ms) AS due_at_ms FROM webhook_events
    WHERE endpoint_id = ? AND due_at_ms IS NOT NULL GROUP BY endpoint_id`,
  oldestEvent: `SELECT endpoint_id, created_at_ms + ? AS due_at_ms FROM webhook_events
    WHERE endpoint_id = ? ORDER BY sequence LIMIT 1`,
  releaseStream: `UPDATE webhook_streams SET lease_owner = NULL, due_at_ms = ?
    WHERE endpoint_id = ?`,
  // The lock on this row serializes the numbers of an endpoint until the transaction ends. If a restored row
  // has a lower number than the stored events, the next number continues after the events.
  countEvent: `INSERT INTO webhook_streams (${streamColumns})
    VALUES (?1, 1 + coalesce(
      (SELECT max(sequence) FROM webhook_events WHERE webhook_events.endpoint_id = ?1), 0),
      ?2, 0, 0, NULL, NULL, 0)
    ON CONFLICT (endpoint_id) DO UPDATE SET last_sequence = CASE
        WHEN webhook_streams.last_sequence >= excluded.last_sequence
        THEN webhook_streams.last_sequence + 1 ELSE excluded.last_sequence END,
      due_at_ms = CASE WHEN webhook_streams.due_at_ms <= excluded.due_at_ms
        THEN webhook_streams.due_at_ms ELSE excluded.due_at_ms END
    RETURNING last_sequence`,
  // The row has no events: its number is the position of a destination of the audit trail.
  advancePosition: `INSERT INTO webhook_streams (${streamColumns})
    VALUES (?, ?, 0, 0, 0, NULL, NULL, 0)
    ON CONFLICT (endpoint_id) DO UPDATE SET last_sequence = CASE
        WHEN webhook_streams.last_sequence >= excluded.last_sequence
        THEN webhook_streams.last_sequence ELSE excluded.last_sequence END
    RETURNING last_sequence`,
  insertEvent: `INSERT INTO webhook_events (${eventColumns})
    VALUES (?, ?, ?, ?, ?, ?, 'waiting', ?, ?, 0, 0)`,
  restartEvents: `UPDATE webhook_events SET state = 'waiting', since_ms = ?, due_at_ms = ?,
    failures = 0 WHERE endpoint_id = ? AND sequence >= ? AND sequence <= ?`,
  restartStream: `UPDATE webhook_streams SET due_at_ms = ?, paused_until_ms = 0
    WHERE endpoint_id = ?`,
  firstDueStreams: `SELECT endpoint_id, last_sequence FROM webhook_streams
    WHERE due_at_ms <= ? AND ${isOfEndpoint} ORDER BY due_at_ms LIMIT 1000`,
  firstWaiting: `${firstWaiting} ? ${waitingFirst}`,
  nextEvents: `SELECT ${eventColumns} FROM webhook_events WHERE ${dueEvents} ?`,
  // Always counts the attempt; a concurrent request for redelivery keeps its state.
  updateEvent: `UPDATE webhook_events SET attempts = attempts + 1,
      state = CASE WHEN since_ms = ? THEN ? ELSE state END,
      due_at_ms = CASE WHEN since_ms = ? THEN ? ELSE due_at_ms END,
      failures = CASE WHEN since_ms = ? THEN ? ELSE failures END
    WHERE endpoint_id = ? AND sequence = ? AND attempts = ?`,
  dropEvents: `UPDATE webhook_events SET state = ?, due_at_ms = NULL
    WHERE endpoint_id = ? AND due_at_ms IS NOT NULL`,
  bringForward: `UPDATE webhook_events SET due_at_ms = ?
    WHERE endpoint_id = ? AND due_at_ms > ?`,
  insertAttempt: `INSERT INTO webhook_attempts
    (endpoint_id, sequence, attempt, at_ms, duration_ms, outcome, status)
    VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`,
  oldEvents: `SELECT sequence, created_at_ms, state FROM webhook_events
    WHERE endpoint_id = ? ORDER BY sequence LIMIT ?`,
  deleteEvents: `DELETE FROM webhook_events
    WHERE endpoint_id = ? AND sequence <= ? AND due_at_ms IS NULL AND created_at_ms < ?`,
  removeEvents: 'DELETE FROM webhook_events WHERE endpoint_id = ? AND sequence <= ?',
  deleteAttempts: `DELETE FROM webhook_attempts WHERE endpoint_id = ? AND sequence <= ?
    AND at_ms < ?`,
  eventPage: `SELECT ${eventColumns} FROM webhook_events
    WHERE endpoint_id = ? AND sequence > ? ORDER BY sequence LIMIT ?`,
  eventOfId: `SELECT ${eventColumns} FROM webhook_events WHERE endpoint_id = ? AND event_id = ?`,
  attemptsOfEvents: `SELECT sequence, attempt, at_ms, duration_ms, outcome, status
    FROM webhook_attempts WHERE endpoint_id = ? AND sequence > ? AND sequence <= ?
    ORDER BY sequence, attempt LIMIT 10000`,

  schemaVersion: 'SELECT max(version) AS version FROM schema_version',
  insertSchemaVersion: 'INSERT INTO schema_version (version, name) VALUES (?, ?)',
} as const;

export type QueryName = keyof typeof queries;
