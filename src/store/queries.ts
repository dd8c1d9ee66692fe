// The queries, the same text for each database; parameters are `?` in order. Each is served by one
// range of a key or index. Page bounds are always given: see `boundsOf` in `rows.ts`.

const organizationColumns = 'id, parent_id, version, head';
const recordColumns = 'organization_id, kind, id, group_id, version, body';
const lookupColumns = 'index_name, blind, organization_id, record_id';
const activityColumns =
  'organization_id, id, type, status, bucket, fingerprint, created_at_ms, updated_at_ms, version, body';

const ascending = 'AND id > ? AND id < ? ORDER BY id LIMIT ?';
const descending = 'AND id > ? AND id < ? ORDER BY id DESC LIMIT ?';

const children = 'SELECT id FROM organizations WHERE parent_id = ?';
const recordsOfKind = `SELECT ${recordColumns} FROM records WHERE organization_id = ? AND kind = ?`;
const recordsOfGroup = `${recordsOfKind} AND group_id = ?`;
const activities = `SELECT ${activityColumns} FROM activities WHERE organization_id = ?`;
const filteredActivities =
  'SELECT id FROM activities WHERE organization_id = ? AND status = ? AND type = ?';

export const queries = {
  deployment: 'SELECT body FROM deployment WHERE id = 1',
  organization: `SELECT ${organizationColumns} FROM organizations WHERE id = ?`,
  childrenAscending: `${children} ${ascending}`,
  childrenDescending: `${children} ${descending}`,
  record: `${recordsOfKind} AND id = ?`,
  recordsOfKind: `${recordsOfKind} ORDER BY id`,
  recordsOfKindAscending: `${recordsOfKind} ${ascending}`,
  recordsOfKindDescending: `${recordsOfKind} ${descending}`,
  recordsOfGroupAscending: `${recordsOfGroup} ${ascending}`,
  recordsOfGroupDescending: `${recordsOfGroup} ${descending}`,
  lookups: `SELECT ${lookupColumns} FROM lookups WHERE index_name = ? AND blind = ?
    ORDER BY organization_id, record_id LIMIT ?`,
  activity: `${activities} AND id = ?`,
  activityOfFingerprint: `SELECT ${activityColumns} FROM activities
    WHERE bucket = ? AND fingerprint = ? AND organization_id = ?`,
  activitiesAscending: `${activities} ${ascending}`,
  activitiesDescending: `${activities} ${descending}`,
  filteredActivitiesAscending: `${filteredActivities} ${ascending}`,
  filteredActivitiesDescending: `${filteredActivities} ${descending}`,
  nextStatus: `SELECT status AS name FROM activities
    WHERE organization_id = ? AND status > ? ORDER BY status LIMIT 1`,
  nextType: `SELECT type AS name FROM activities
    WHERE organization_id = ? AND status = ? AND type > ? ORDER BY type LIMIT 1`,

  organizationParent: 'SELECT version, parent_id FROM organizations WHERE id = ?',
  activityIdentity: `SELECT version, type, bucket, fingerprint, created_at_ms FROM activities
    WHERE organization_id = ? AND id = ?`,
  activityExists: `SELECT 1 AS found FROM activities
    WHERE bucket = ? AND fingerprint = ? AND organization_id = ?`,

  insertDeployment: 'INSERT INTO deployment (id, body) VALUES (1, ?)',
  insertOrganization: `INSERT INTO organizations (${organizationColumns}) VALUES (?, ?, ?, ?)`,
  updateOrganization: 'UPDATE organizations SET version = ?, head = ? WHERE id = ? AND version = ?',
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

  schemaVersion: 'SELECT max(version) AS version FROM schema_version',
  insertSchemaVersion: 'INSERT INTO schema_version (version, name) VALUES (?, ?)',
} as const;

export type QueryName = keyof typeof queries;
