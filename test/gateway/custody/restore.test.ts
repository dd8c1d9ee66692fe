// A backup that changes while it is restored: only checked rows are restored.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { after, test } from 'node:test';
import { takeBackup } from '../../../src/gateway/custody/backup.ts';
import { databaseOf } from '../../../src/gateway/custody/manifest.ts';
import { restoreBackup, verifyBackup } from '../../../src/gateway/custody/restore.ts';
import { UnverifiedError } from '../../../src/gateway/custody/unverified_error.ts';
import { emptyPostgres, postgresSnapshot } from '../../../src/store/postgres/copy.ts';
import { sqliteSnapshot } from '../../../src/store/sqlite/copy.ts';
import { openSqliteStore } from '../../../src/store/sqlite/sqlite.ts';
import {
  type CopiedRow,
  copiedTables,
  type Snapshot,
} from '../../../src/store/tables/copied_tables.ts';
import { UnusableDataError } from '../../../src/store/unusable_data_error.ts';
import { startServiceOver } from '../../enclave/service_over.ts';
import { newDatabase, newSchema, postgresForTests } from '../../store/postgres_server.ts';
import { withTemporaryDirectory } from '../../store/temporary_directory.ts';
import { launchCompiledEnclave } from '../../support/compiled_enclave.ts';
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
  test(`a backup that is exchanged during a restore into ${place} is refused`, { skip }, () =>
    withTemporaryDirectory(async (folder) => {
      const live = join(folder, 'data', 'keywright.sqlite');
      const backup = join(folder, 'backup');
      await found(join(folder, 'data'), live);
      const steps = { copied: () => undefined, opened: () => undefined };
      await takeBackup(settingsOf(join(folder, 'data')), { to: backup, log, steps });

      // The live database signs, and its backup is fenced, which adds one version of that row.
      const exchange = () => copyFileSync(live, databaseOf(backup));
      const databaseUrl = await urlOf?.();
      const into = { ...settingsOf(join(folder, 'restored')), databaseUrl };
      const exchanging = { ...steps, opened: exchange };
      await restoreBackup(into, { from: backup, log, steps: exchanging });
      const restored = join(folder, 'restored', 'keywright.sqlite');
      const copy =
        databaseUrl === undefined ? sqliteSnapshot(restored) : await postgresSnapshot(databaseUrl);
      assert.equal(await custodyVersionIn(copy), 2);

      // A row that was exchanged before the restore is refused, and leaves nothing behind.
      const again = settingsOf(join(folder, 'again'));
      await assert.rejects(restoreBackup(again, { from: backup, log, steps }), UnverifiedError);
      assert.equal(existsSync(join(folder, 'again', 'keywright.sqlite')), false);
    }),
  );
}

for (const [place, urlOf] of Object.entries(places)) {
  const skip = urlOf === undefined && 'no PostgreSQL';
  test(`of two concurrent restores into ${place} one is refused`, { skip }, () =>
    withTemporaryDirectory(async (folder) => {
      const backup = join(folder, 'backup');
      await found(join(folder, 'data'), join(folder, 'data', 'keywright.sqlite'));
      const steps = { copied: () => undefined, opened: () => undefined };
      await takeBackup(settingsOf(join(folder, 'data')), { to: backup, log, steps });
      const databaseUrl = await urlOf?.();
      // With PostgreSQL there are two machines, each with its own folder.
      const folders = databaseUrl === undefined ? ['one', 'one'] : ['one', 'two'];
      const restores = await Promise.allSettled(
        folders.map((name) =>
          restoreBackup(
            { ...settingsOf(join(folder, name)), databaseUrl },
            { from: backup, log, steps },
          ),
        ),
      );
      const refused = restores.filter(({ status }) => status === 'rejected');
      assert.deepEqual(
        refused.map((each) => 'reason' in each && each.reason instanceof UnusableDataError),
        [true],
      );
    }),
  );
}

test('of two restores that both found PostgreSQL empty the second is refused and leaves nothing', {
  skip: database === undefined && 'no PostgreSQL',
}, async () => {
  assert(database !== undefined);
  const url = await newSchema(database);
  const ports = { log, clock: () => startMs };
  const [first, second] = [await emptyPostgres(url, ports), await emptyPostgres(url, ports)];
  const deployment = copiedTables.find(({ name }) => name === 'deployment');
  assert(deployment !== undefined);
  const rowOf = (byte: number) => [{ id: 1, body: Uint8Array.of(byte) }];
  await first.insert(deployment, rowOf(1));
  const refused = assert.rejects(second.insert(deployment, rowOf(2)), UnusableDataError);
  await first.commit();
  await refused;
  await second.close();
  const copy = await postgresSnapshot(url);
  assert.deepEqual(await copy.page(deployment, undefined, 10), rowOf(1));
  await copy.close();
});

for (const [fault, damage] of Object.entries({
  'no description of its file': (path: string) =>
    writeFileSync(path, '{"manifest":{"format":1},"mac":""}'),
  'more bytes than any manifest': (path: string) => truncateSync(path, 2 ** 40),
  'a pipe for a manifest': (path: string) => {
    rmSync(path);
    execFileSync('mkfifo', [path]);
  },
  'a pipe for a database': (path: string) => {
    rmSync(databaseOf(dirname(path)));
    execFileSync('mkfifo', [databaseOf(dirname(path))]);
  },
})) {
  test(`a backup with ${fault} is refused`, () =>
    withTemporaryDirectory(async (folder) => {
      const backup = join(folder, 'backup');
      await found(join(folder, 'data'), join(folder, 'data', 'keywright.sqlite'));
      const steps = { copied: () => undefined, opened: () => undefined };
      await takeBackup(settingsOf(join(folder, 'data')), { to: backup, log, steps });
      damage(join(backup, 'manifest.json'));
      const into = settingsOf(join(folder, 'restored'));
      await assert.rejects(
        restoreBackup(into, { from: backup, log, steps }),
        (error) => error instanceof UnusableDataError,
      );
      await assert.rejects(
        verifyBackup(into, { from: backup, log, steps }),
        (error) => error instanceof UnusableDataError,
      );
    }));
}

const settingsOf = (dataDirectory: string) => ({
  dataDirectory,
  databaseUrl: undefined,
  anchorFile: undefined,
  rootKeyFile: join(dataDirectory, 'root.key'),
  readRootKey: async () => testRootKey(),
  launchEnclave: launchCompiledEnclave,
});

/** Creates a database with its first organization. */
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
