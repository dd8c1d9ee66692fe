// A service with a log, and its state at each step of each batch. The attacks restore parts of these
// states.

import assert from 'node:assert/strict';
import type { DatabaseSync } from 'node:sqlite';
import { readCheckpoint, readNote } from '../../src/core/log/note.ts';
import { openDatabase } from '../../src/store/sqlite/sqlite.ts';
import { type Snapshot, startTestService, type TestService } from '../support/harness.ts';

/** The contents of the database and of the anchor at one step. */
export type Moment = {
  readonly step: 'committed' | 'appended' | 'anchored' | 'done';
  readonly snapshot: Snapshot;
  readonly anchor: string | undefined;
  /** The size of the log in the database. */
  readonly logSize: number;
  /** The version of each organization in the database, from the answers of the service. */
  readonly versions: ReadonlyMap<string, number>;
  /** The versions at the last batch that was appended. */
  readonly logged: ReadonlyMap<string, number>;
  /** The number of appended activities of each organization. */
  readonly entries: ReadonlyMap<string, number>;
};

export type World = {
  readonly organizationIds: readonly string[];
  readonly moments: readonly Moment[];
};

/** Grows a service by batches; `choose` returns a whole number below its argument. */
export async function growWorld(
  batches: number,
  choose: (below: number) => number,
): Promise<World> {
  const service = await startTestService();
  const organizationIds = [service.root.organizationId];
  for (const name of ['Alpha', 'Beta', 'Gamma']) {
    organizationIds.push(await createChild(service, name));
  }
  const moments: Moment[] = [];
  let anchor: string | undefined;
  let logSize = 0;
  let logged: ReadonlyMap<string, number> = new Map();
  const entries = new Map<string, number>();

  function remember(step: Moment['step']): void {
    const snapshot = service.snapshot();
    const versions = versionsIn(snapshot.database);
    const known = { versions, logged, entries: new Map(entries) };
    moments.push({ step, snapshot, anchor, logSize, ...known });
  }

  for (let batch = 0; batch < batches; batch += 1) {
    for (let i = choose(3); i >= 0; i -= 1) {
      const organizationId = organizationIds[choose(organizationIds.length)];
      assert.ok(organizationId);
      await change(service, organizationId, `Name ${batch} ${i}`);
    }
    remember('committed');
    const waiting = await service.store.log.next({ limit: 512 });
    const { note, isLost } = await service.enclave.appendLog({ waiting: [...waiting] });
    assert.equal(isLost, false);
    const versions = versionsIn(service.snapshot().database);
    const next = new Map(logged);
    for (const { organizationId } of waiting) {
      next.set(organizationId, versions.get(organizationId) ?? 0);
      entries.set(organizationId, (entries.get(organizationId) ?? 0) + 1);
    }
    logged = next;
    logSize = sizeOf(note);
    remember('appended');
    anchor = note;
    remember('anchored');
    await service.store.log.done(waiting);
    remember('done');
  }
  await service.close();
  return { organizationIds, moments };
}

async function createChild(service: TestService, subOrganizationName: string): Promise<string> {
  const type = 'ACTIVITY_TYPE_CREATE_SUB_ORGANIZATION_V7';
  const apiKey = {
    apiKeyName: 'key',
    publicKey: service.root.key.publicKey,
    curveType: 'API_KEY_CURVE_P256',
  };
  const rootUser = {
    userName: 'root',
    apiKeys: [apiKey],
    authenticators: [],
    oauthProviders: [],
  };
  const parameters = { subOrganizationName, rootUsers: [rootUser], rootQuorumThreshold: 1 };
  const { body } = await service.submit('create_sub_organization', type, parameters);
  return body.activity.result.createSubOrganizationResultV7.subOrganizationId;
}

export async function change(
  service: TestService,
  organizationId: string,
  organizationName: string,
): Promise<{ readonly status: number }> {
  return await service.submit(
    'update_organization_name',
    'ACTIVITY_TYPE_UPDATE_ORGANIZATION_NAME',
    { organizationName },
    { organizationId },
  );
}

const opened = (bytes: Uint8Array): DatabaseSync => {
  const database = openDatabase({ file: ':memory:' });
  database.deserialize(bytes);
  return database;
};

function versionsIn(bytes: Uint8Array): ReadonlyMap<string, number> {
  const database = opened(bytes);
  const rows = database.prepare('SELECT id, version FROM organizations').all();
  database.close();
  return new Map(rows.map(({ id, version }) => [String(id), Number(version)]));
}

export const sizeOf = (note: string | undefined): number => {
  const read = note === undefined ? undefined : readNote(note);
  return (read && readCheckpoint(read.text))?.size ?? 0;
};

/** Rows that are restored together: a table and a condition on its rows. */
export type Rows = { readonly table: string; readonly where: string; readonly values: string[] };

const tablesOfOrganization = ['records', 'activities', 'lookups', 'log_waiting'] as const;

export function rowsOfOrganization(organizationId: string): readonly Rows[] {
  return [
    { table: 'organizations', where: 'id = ?', values: [organizationId] },
    ...tablesOfOrganization.map((table) => {
      return { table, where: 'organization_id = ?', values: [organizationId] };
    }),
  ];
}

export const rowsOfLog: readonly Rows[] = [
  { table: 'organizations', where: 'id = ?', values: ['log'] },
  { table: 'records', where: "organization_id = ? OR kind = 'log_openings'", values: ['log'] },
];

/** Returns the newer database with some rows of the older one. */
export function withRowsOf(
  newer: Uint8Array,
  older: Uint8Array,
  rows: readonly Rows[],
): { readonly database: Uint8Array; readonly isChanged: boolean } {
  const [to, from] = [opened(newer), opened(older)];
  let isChanged = false;
  for (const { table, where, values } of rows) {
    const select = `SELECT * FROM ${table} WHERE ${where}`;
    const [before, after] = [to, from].map((each) => each.prepare(select).all(...values));
    isChanged ||= JSON.stringify(before) !== JSON.stringify(after);
    to.prepare(`DELETE FROM ${table} WHERE ${where}`).run(...values);
    for (const row of after ?? []) {
      const places = Object.keys(row).map(() => '?');
      to.prepare(`INSERT INTO ${table} VALUES (${places.join()})`).run(...Object.values(row));
    }
  }
  const database = to.serialize();
  to.close();
  from.close();
  return { database, isChanged };
}

/** Returns the small rows and the rows of the log at a moment, each by its place. */
export function singleRows(moment: Moment): readonly Rows[] {
  const database = opened(moment.snapshot.database);
  const records = database
    .prepare("SELECT organization_id, kind, id FROM records WHERE kind LIKE 'log_%'")
    .all();
  const organizations = database
    .prepare("SELECT id FROM organizations WHERE id <> 'custody'")
    .all();
  database.close();
  return [
    ...organizations.map(({ id }) => {
      return { table: 'organizations', where: 'id = ?', values: [String(id)] };
    }),
    ...records.map(({ organization_id: owner, kind, id }) => ({
      table: 'records',
      where: 'organization_id = ? AND kind = ? AND id = ?',
      values: [String(owner), String(kind), String(id)],
    })),
  ];
}
