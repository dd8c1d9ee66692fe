// Organizations whose creation is in the archive: `archive verify` reports those that were removed from the
// database with all their rows, and lists those that their own users deleted.

import assert from 'node:assert/strict';
import { copyFileSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, describe, test } from 'node:test';
import { runArchive, runVerify } from '../../src/archive/command.ts';
import { readSettings } from '../../src/settings/settings.ts';
import { writeFilePrivately } from '../../src/store/data_directory/data_directory.ts';
import { openPostgresStore } from '../../src/store/postgres/postgres.ts';
import { clock, newDatabase, postgresForTests, runOn } from '../store/postgres_server.ts';
import { temporaryDirectory } from '../store/temporary_directory.ts';
import { startTestService, testKey, testRootKey } from '../support/harness.ts';

const folder = temporaryDirectory();
const postgres = await postgresForTests();
after(async () => {
  folder.remove();
  await postgres?.remove();
});

const operator = { signal: new AbortController().signal };
const dayMs = 24 * 60 * 60 * 1000;

type Service = Awaited<ReturnType<typeof startTestService>>;

/** Creates two children, one of which its own user deletes. Returns their ids. */
async function makeChildren(service: Service): Promise<{ standing: string; deleted: string }> {
  const make = async (name: string): Promise<string> => {
    const key = testKey(name);
    const type = 'ACTIVITY_TYPE_CREATE_SUB_ORGANIZATION_V7';
    const { status, body } = await service.submit('create_sub_organization', type, {
      subOrganizationName: name,
      rootQuorumThreshold: 1,
      rootUsers: [
        {
          userName: name,
          apiKeys: [{ apiKeyName: 'k', publicKey: key.publicKey, curveType: 'API_KEY_CURVE_P256' }],
          authenticators: [],
          oauthProviders: [],
        },
      ],
    });
    assert.equal(status, 200, JSON.stringify(body));
    return body.activity.result.createSubOrganizationResultV7.subOrganizationId;
  };
  const standing = await make('standing');
  const deleted = await make('deleted');
  const type = 'ACTIVITY_TYPE_DELETE_SUB_ORGANIZATION';
  const { status, body } = await service.submit(
    'delete_sub_organization',
    type,
    { deleteWithoutExport: true },
    { organizationId: deleted, key: testKey('deleted') },
  );
  assert.equal(status, 200, JSON.stringify(body));
  return { standing, deleted };
}

/** Archives everything. The clock of the test service is set to a time long ago. */
async function archiveAll(data: string, more: readonly string[]): Promise<void> {
  const now = Date.now();
  const settings = readSettings({}, ['--data-dir', data, ...more]);
  const wanted = { to: join(data, 'archive'), before: now - 50 * dayMs, now, operator };
  assert.equal((await runArchive(settings, wanted)).activities, 3);
}

const verifyIn = (data: string, more: readonly string[] = []) =>
  runVerify(readSettings({}, ['--data-dir', data, ...more]), {
    from: join(data, 'archive'),
    operator,
  });

/** Deletes an organization from every table. */
const removals = (id: string): readonly string[] => [
  `DELETE FROM organizations WHERE id = '${id}'`,
  ...['records', 'lookups', 'activities', 'webhook_events'].map(
    (table) => `DELETE FROM ${table} WHERE organization_id = '${id}'`,
  ),
];

function newData(name: string): string {
  const data = join(folder.path, name);
  mkdirSync(data, { mode: 0o700 });
  writeFilePrivately(join(data, 'root.key'), testRootKey());
  return data;
}

function copyWhileOpen(file: string, to: string): void {
  const database = new DatabaseSync(file);
  database.exec(`VACUUM INTO '${to}'`);
  database.close();
}

const missing = (id: string) =>
  new RegExp(`lacks organization ${id}, which .* of the archive segment 000001\\.segment created`);

test('an organization that is gone is named, one that was deleted is told, one whose head is another is refused', async () => {
  const data = newData('sqlite');
  const file = join(data, 'keywright.sqlite');
  const service = await startTestService({ databaseFile: file });
  const before = join(folder.path, 'before.sqlite');
  copyWhileOpen(file, before);
  const { standing, deleted } = await makeChildren(service);
  const { organizationId } = service.root;
  await service.close();
  await archiveAll(data, []);
  const { organizations } = await verifyIn(data);
  assert.deepEqual(organizations, { created: 2, deleted: 1, missing: 0 });

  copyFileSync(file, join(folder.path, 'whole.sqlite'));
  const damaged = async (statements: readonly string[]) => {
    copyFileSync(join(folder.path, 'whole.sqlite'), file);
    const database = new DatabaseSync(file);
    for (const statement of statements) database.exec(statement);
    database.close();
    return verifyIn(data);
  };
  for (const id of [standing, deleted]) {
    await assert.rejects(damaged(removals(id)), missing(id));
    const another = `(SELECT head FROM organizations WHERE id = '${organizationId}')`;
    const swapped = `UPDATE organizations SET head = ${another} WHERE id = '${id}'`;
    await assert.rejects(
      damaged([swapped]),
      new RegExp(`organization ${id}, .*, differs from the sealed one`),
    );
  }
  const again = await damaged([]);
  assert.deepEqual(again.organizations, { created: 2, deleted: 1, missing: 0 });

  // A database from before the children does not know the segment either.
  copyFileSync(before, file);
  const restored = await verifyIn(data);
  assert.deepEqual(restored.organizations, { created: 2, deleted: 0, missing: 2 });

  // Without a database, the organizations cannot be checked.
  rmSync(file);
  assert.equal((await verifyIn(data)).organizations, undefined);
});

describe('on PostgreSQL', { skip: postgres === undefined && 'no PostgreSQL' }, () => {
  test('the same', async () => {
    if (postgres === undefined) return;
    const data = newData('postgres');
    const url = await newDatabase(postgres.url);
    const address = ['--database-url', url];
    const store = await openPostgresStore({ url, clock, log: () => {} });
    const service = await startTestService({ store });
    const { standing } = await makeChildren(service);
    await service.close();
    await archiveAll(data, address);
    const { organizations } = await verifyIn(data, address);
    assert.deepEqual(organizations, { created: 2, deleted: 1, missing: 0 });
    for (const statement of removals(standing)) await runOn(url, statement);
    await assert.rejects(verifyIn(data, address), missing(standing));
  });
});
