// `keywright archive` with the data of a stopped real service: archives, verifies and imports activities.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { writeFilePrivately } from '../../src/store/data_directory/data_directory.ts';
import { openSqliteStore } from '../../src/store/sqlite/sqlite.ts';
import { temporaryDirectory } from '../store/temporary_directory.ts';
import { startTestService, testRootKey } from '../support/harness.ts';
import { runIn } from './terminal.ts';

const folder = temporaryDirectory();
const archive = join(folder.path, 'archive');
const data = ['--data-dir', folder.path];
const file = join(folder.path, 'keywright.sqlite');
after(() => folder.remove());

/** Creates activities of January 2026, which is the time of the test service's fixed clock. */
before(async () => {
  writeFilePrivately(join(folder.path, 'root.key'), testRootKey());
  const service = await startTestService({ databaseFile: file });
  for (const walletName of ['one', 'two', 'three']) {
    const parameters = { walletName, accounts: [] };
    const made = await service.submit('create_wallet', 'ACTIVITY_TYPE_CREATE_WALLET', parameters);
    assert.equal(made.status, 200);
  }
  await service.close();
});

async function count(): Promise<number> {
  const store = openSqliteStore({ file });
  const organizationId = await store.archive.nextOrganization('');
  if (organizationId === undefined) {
    await store.close();
    return 0;
  }
  const page = { greaterThan: undefined, lessThan: undefined, ascending: true, limit: 100 };
  const rows = await store.port.activityPage({ organizationId, statuses: [], types: [], page });
  await store.close();
  return rows.length;
}

const type = (...words: readonly string[]) => runIn(folder.path, [...words]);

test('an activity that may still serve a request, a vote or a delivery is not archived', async () => {
  const tomorrow = new Date(Date.now() + 86_400_000).toISOString();
  const { code, err } = await type('archive', '--before', tomorrow, '--to', archive, ...data);
  assert.notEqual(code, 0);
  assert.match(err, /are not archived/);
  assert.equal(await count(), 3);
});

test('a copy without the permission to sign is not archived', async () => {
  const store = openSqliteStore({ file });
  const organizationId = await store.archive.nextOrganization('');
  await store.close();
  const anchor = join(folder.path, 'anchor.json');
  writeFilePrivately(anchor, Buffer.from(JSON.stringify({ organizationId, epoch: 9 })));
  const { code, err } = await type('archive', '--before', '2026-01-31', '--to', archive, ...data);
  rmSync(anchor);
  assert.notEqual(code, 0);
  assert.match(err, /another copy of this data was accepted in place of this one/);
  assert.equal(await count(), 3);
});

test('a malformed time and a missing folder are refused', async () => {
  assert.match(
    (await type('archive', '--before', 'soon', '--to', archive)).err,
    /--before: expected/,
  );
  assert.match((await type('archive', '--before', '2026-01-31')).err, /--before and --to/);
});

test('a repeated run completes a killed one', async () => {
  const main = join(import.meta.dirname, '../../src/main.ts');
  const words = ['archive', '--before', '2026-01-31', '--to', archive, ...data];
  const child = spawn(process.execPath, [main, ...words], { stdio: 'ignore' });
  // Waits until any segment exists.
  while (child.exitCode === null && !hasSegment()) await new Promise(setImmediate);
  child.kill('SIGKILL');
  if (child.exitCode === null && child.signalCode === null) {
    await new Promise((resolve) => child.once('exit', resolve));
  }
  const { code, err } = await type(...words);
  assert.equal(code, 0, err);
  assert.equal(await count(), 0);
});

function hasSegment(): boolean {
  try {
    return readdirSync(archive).some((name) => /^\d/.test(name));
  } catch {
    return false;
  }
}

test('the archive verifies with the root key, and with only the public key', async () => {
  const withRoot = await type('archive', 'verify', archive, ...data, '--json');
  assert.equal(withRoot.code, 0, withRoot.err);
  assert.deepEqual(JSON.parse(withRoot.out).activities, 3);
  assert.equal(JSON.parse(withRoot.out).opened, true);
  const keys: { keys: { role: string; publicKey: string }[] } = JSON.parse(
    (await type('keys', '--data-dir', folder.path)).out,
  );
  const key = keys.keys.find(({ role }) => role === 'archivist')?.publicKey ?? '';
  const alone = await type('archive', 'verify', archive, '--public-key', key, '--json');
  assert.equal(alone.code, 0, alone.err);
  assert.equal(JSON.parse(alone.out).opened, false);
  const other = keys.keys.find(({ role }) => role === 'attestation')?.publicKey ?? '';
  const refused = await type('archive', 'verify', archive, '--public-key', other);
  assert.match(refused.err, /archive segment 000001.segment is refused/);
});

test('the root key comes from any provider', async () => {
  const environment = {
    KEYWRIGHT_DATA_DIR: folder.path,
    KEYWRIGHT_ROOT_KEY_PROVIDER: 'command',
    KEYWRIGHT_ROOT_KEY_COMMAND: JSON.stringify(['/bin/cat', join(folder.path, 'root.key')]),
  };
  const words = ['archive', 'verify', archive, '--json'];
  const { code, out, err } = await runIn(folder.path, words, { environment });
  assert.equal(code, 0, err);
  assert.equal(JSON.parse(out).opened, true);
});

test('missing last files are named, by the database and by the digest of an earlier run', async () => {
  const verify = (...words: readonly string[]) => type('archive', 'verify', archive, ...words);
  const whole = await verify(...data, '--json');
  const { lastManifestDigest, endKnownBy } = JSON.parse(whole.out);
  assert.equal(endKnownBy, 'database');
  const keys: { keys: { role: string; publicKey: string }[] } = JSON.parse(
    (await type('keys', '--data-dir', folder.path)).out,
  );
  const publicKey = keys.keys.find(({ role }) => role === 'archivist')?.publicKey ?? '';
  const offline = ['--public-key', publicKey];
  assert.match((await verify(...offline)).out, /not known: files may be missing/);
  assert.equal((await verify(...offline, '--last', lastManifestDigest)).code, 0);
  const name =
    readdirSync(archive)
      .filter((each) => /^\d/.test(each))
      .at(-1) ?? '';
  const content = readFileSync(join(archive, name));
  rmSync(join(archive, name));
  try {
    const missing = await verify(...data);
    assert.notEqual(missing.code, 0);
    assert.match(missing.err, /is missing, the last one that the database recorded is 000001/);
    assert.equal((await verify(...offline)).code, 0);
    const byDigest = await verify(...offline, '--last', lastManifestDigest);
    assert.notEqual(byDigest.code, 0);
    assert.match(byDigest.err, /no segment in the folder has the digest/);
    assert.match((await type('archive', 'import', archive, ...data)).err, /is missing/);
  } finally {
    writeFileSync(join(archive, name), content);
  }
});

test('the archive is imported once', async () => {
  const first = await type('archive', 'import', archive, ...data, '--json');
  assert.equal(first.code, 0, first.err);
  assert.deepEqual(JSON.parse(first.out), { segments: 1, activities: 3, restored: 3 });
  assert.equal(await count(), 3);
  const second = await type('archive', 'import', archive, ...data, '--json');
  assert.equal(JSON.parse(second.out).restored, 0);
});
