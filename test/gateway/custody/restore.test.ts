// A backup that somebody changes while it is restored: what was checked is what is restored.

import assert from 'node:assert/strict';
import { copyFileSync, existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { takeBackup } from '../../../src/gateway/custody/backup.ts';
import { databaseOf } from '../../../src/gateway/custody/manifest.ts';
import { restoreBackup } from '../../../src/gateway/custody/restore.ts';
import { UnverifiedError } from '../../../src/gateway/custody/unverified_error.ts';
import { type CopiedRow, copiedTables, type Snapshot } from '../../../src/store/copied_tables.ts';
import { postgresSnapshot } from '../../../src/store/postgres_copy.ts';
import { openSqliteStore } from '../../../src/store/sqlite.ts';
import { sqliteSnapshot } from '../../../src/store/sqlite_copy.ts';
import { startServiceOver } from '../../enclave/service_over.ts';
import { newDatabase, newSchema, postgresForTests } from '../../store/postgres_server.ts';
import { withTemporaryDirectory } from '../../store/temporary_directory.ts';
import { startMs, testKey, testRootKey } from '../../support/harness.ts';

const server = await postgresForTests();
const database = server === undefined ? undefined : await newDatabase(server.url);
if (server !== undefined) after(() => server.remove());
const log = () => undefined;

const places: Readonly<Record<string, (() => Promise<string | undefined>) | undefined>> = {
  'a data folder': async () => undefined,
  PostgreSQL: database === undefined ? undefined : () => newSchema(database),
};

for (const [place, urlOf] of Object.entries(places)) {
  const skip = urlOf === undefined && 'no PostgreSQL';
  test(`a backup that is exchanged while it is restored into ${place}`, { skip }, () =>
    withTemporaryDirectory(async (folder) => {
      const live = join(folder, 'data', 'keywright.sqlite');
      const backup = join(folder, 'backup');
      await found(join(folder, 'data'), live);
      const steps = { copied: () => undefined, opened: () => undefined };
      await takeBackup(settingsOf(join(folder, 'data')), { to: backup, log, steps });

      // The live database signs; the backup of it is fenced, which is one more version of that row.
      const exchange = () => copyFileSync(live, databaseOf(backup));
      const databaseUrl = await urlOf?.();
      const into = { ...settingsOf(join(folder, 'restored')), databaseUrl };
      const exchanging = { ...steps, opened: exchange };
      await restoreBackup(into, { from: backup, log, steps: exchanging });
      const restored = join(folder, 'restored', 'keywright.sqlite');
      const copy =
        databaseUrl === undefined ? sqliteSnapshot(restored) : await postgresSnapshot(databaseUrl);
      assert.equal(await custodyVersionIn(copy), 2);

      // A row that was exchanged before is refused, and leaves nothing.
      const again = settingsOf(join(folder, 'again'));
      await assert.rejects(restoreBackup(again, { from: backup, log, steps }), UnverifiedError);
      assert.equal(existsSync(join(folder, 'again', 'keywright.sqlite')), false);
    }),
  );
}

const settingsOf = (dataDirectory: string) => ({
  dataDirectory,
  databaseUrl: undefined,
  anchorFile: undefined,
  rootKeyFile: join(dataDirectory, 'root.key'),
  readRootKey: async () => testRootKey(),
});

/** A database with its first organization. */
async function found(directory: string, file: string): Promise<void> {
  mkdirSync(directory, { mode: 0o700 });
  const store = openSqliteStore({ file });
  const { enclave } = await startServiceOver({
    store: store.port,
    seed: 'live',
    clock: () => startMs,
  });
  await enclave.bootstrap({
    organizationName: 'First',
    userName: 'Root',
    apiKeyName: 'Key',
    apiPublicKey: testKey('root').publicKey,
    enablesAuthProxy: false,
  });
  await store.close();
}

async function custodyVersionIn(copy: Snapshot): Promise<number> {
  const organizations = copiedTables.find(({ name }) => name === 'organizations');
  assert(organizations !== undefined);
  const rows: CopiedRow[] = await copy.page(organizations, undefined, 10);
  await copy.close();
  return Number(rows.find(({ id }) => id === 'custody')?.['version']);
}
