// Backups of activities of maximum size: a single user must not make backups impossible.

import assert from 'node:assert/strict';
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { createRootKeys } from '../../../src/enclave/keys/root_keys.ts';
import { createSealing } from '../../../src/enclave/keys/sealing.ts';
import { createRecordCodec } from '../../../src/enclave/records/record_codec.ts';
import { takeBackup } from '../../../src/gateway/custody/backup.ts';
import { restoreBackup } from '../../../src/gateway/custody/restore.ts';
import { linkLimits } from '../../../src/ipc/rpc.ts';
import { noChange } from '../../../src/store/port.ts';
import { openSqliteStore } from '../../../src/store/sqlite/sqlite.ts';
import type { Store } from '../../../src/store/store.ts';
import { newDatabase, newSchema, postgresForTests } from '../../store/postgres_server.ts';
import { withTemporaryDirectory } from '../../store/temporary_directory.ts';
import { launchCompiledEnclave } from '../../support/compiled_enclave.ts';
import { seededRandom, startTestService, testRootKey } from '../../support/harness.ts';

const server = await postgresForTests();
const database = server === undefined ? undefined : await newDatabase(server.url);
if (server !== undefined) after(() => server.remove());
const log = () => undefined;
const steps = { copied: () => undefined, opened: () => undefined };
/** An activity with a body of 4 MiB has more: its vote contains the quotes escaped again. */
const largeText = 'a'.repeat(6 * 1024 * 1024);
const count = 9;

test('rows that together exceed a message to the enclave are backed up, verified and restored', () =>
  withTemporaryDirectory(async (folder) => {
    const data = join(folder, 'data');
    mkdirSync(data, { mode: 0o700 });
    const store = openSqliteStore({ file: join(data, 'keywright.sqlite') });
    await addLargeRows(store);
    await store.close();

    const backup = join(folder, 'backup');
    const { rows } = await takeBackup(settingsOf(data), { to: backup, log, steps });
    assert.equal(rows['records'], count + 2);
    const databaseUrl = database === undefined ? undefined : await newSchema(database);
    const restored = { ...settingsOf(join(folder, 'restored')), databaseUrl };
    await restoreBackup(restored, { from: backup, log, steps });
    // A machine with the address of the database, but without a data folder.
    if (databaseUrl !== undefined) rmSync(restored.dataDirectory, { recursive: true });
    const again = await takeBackup(restored, { to: join(folder, 'again'), log, steps });
    assert.deepEqual(again.rows, rows);
  }));

async function addLargeRows(store: Store): Promise<void> {
  const { root } = await startTestService({ store });
  const { organizationId } = root;
  const codec = createRecordCodec(
    createSealing('seal', createRootKeys(testRootKey()), seededRandom('large')),
  );
  let bytes = 0;
  for (let i = 0; i < count; i += 1) {
    const times = { createdAtMs: 1, updatedAtMs: 1 };
    const record = codec.sealRecord(
      organizationId,
      'contract_interface_text',
      { id: `text ${i}`, text: largeText, ...times },
      1,
    );
    bytes += record.body.length;
    assert.equal(await store.port.commit({ ...noChange, records: [record] }), 'committed');
  }
  assert.ok(bytes > linkLimits.frameBytes);
}

function settingsOf(dataDirectory: string) {
  return {
    dataDirectory,
    databaseUrl: undefined,
    anchorFile: undefined,
    rootKeyFile: join(dataDirectory, 'root.key'),
    readRootKey: async () => testRootKey(),
    launchEnclave: launchCompiledEnclave,
  };
}
