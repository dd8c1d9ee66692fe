// Backup and restore of a busy service: the commands of docs/backup.md with real processes, on both stores.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, describe, test } from 'node:test';
import { newDatabase, newSchema, postgresForTests } from '../store/postgres_server.ts';
import { serviceProgram } from '../support/compiled_service.ts';
import { freePort } from '../support/free_port.ts';
import { httpClient, timestampMs } from './clients.ts';
import {
  type RunningService,
  startInVain,
  startService,
  temporaryDirectory,
  until,
} from './service.ts';

const { main: program, environment: variables } = serviceProgram();

type Ended = { readonly code: number; readonly stdout: string; readonly stderr: string };

/** Runs a command of the program. */
function type(words: readonly string[], environment: Readonly<Record<string, string>> = {}) {
  return new Promise<Ended>((resolve) => {
    const env = { ...variables, PATH: process.env['PATH'] ?? '', ...environment };
    execFile(process.execPath, [program, ...words], { env }, (error, stdout, stderr) => {
      resolve({ code: error === null ? 0 : Number(error.code ?? 1), stdout, stderr });
    });
  });
}

async function typeWell(words: readonly string[], environment?: Readonly<Record<string, string>>) {
  const ended = await type(words, environment);
  assert.equal(ended.code, 0, ended.stderr);
  return ended;
}

/** Changes the organization, and returns the id of the acknowledged activity. */
async function change(service: RunningService, userName: string): Promise<string> {
  const { organizationId, userId } = service.credentials;
  const { activity } = await httpClient(service).updateUserName({
    type: 'ACTIVITY_TYPE_UPDATE_USER_NAME',
    timestampMs: timestampMs(),
    organizationId,
    parameters: { userId, userName },
  });
  assert.equal(activity.status, 'ACTIVITY_STATUS_COMPLETED');
  return activity.id;
}

/**
 * Makes changes one after the other until it is stopped, and returns the ids of the acknowledged
 * activities.
 */
function load(service: RunningService) {
  const acknowledged: string[] = [];
  let isOver = false;
  const run = (async () => {
    for (let n = 0; !isOver; n += 1) acknowledged.push(await change(service, `busy ${n}`));
  })();
  return {
    acknowledged,
    end: async () => {
      isOver = true;
      await run;
    },
  };
}

const idsIn = (file: string): ReadonlySet<unknown> => {
  const database = new DatabaseSync(file, { readOnly: true });
  const rows = database.prepare('SELECT id FROM activities').all();
  database.close();
  return new Set(rows.map((row) => row['id']));
};

const modeOf = (path: string) => (statSync(path).mode & 0o777).toString(8);

const server = await postgresForTests();
const database = server === undefined ? undefined : await newDatabase(server.url);
if (server !== undefined) after(() => server.remove());
const stores: Readonly<Record<string, (() => Promise<Record<string, string>>) | undefined>> = {
  sqlite: async () => ({}),
  postgres:
    database === undefined
      ? undefined
      : async () => ({ KEYWRIGHT_DATABASE_URL: await newSchema(database) }),
};

for (const [name, settingsOf] of Object.entries(stores)) {
  describe(`a backup of ${name}`, { skip: settingsOf === undefined && 'no PostgreSQL' }, () => {
    test('of a busy service is complete, is restored fenced, and signs after its acceptance', async () => {
      const folder = temporaryDirectory();
      const at = (path: string) => join(folder, path);
      const environment = (await settingsOf?.()) ?? {};
      const data = ['--data-dir', at('data')];
      const service = await startService({ dataDirectory: at('data'), environment });
      const before = [await change(service, 'first'), await change(service, 'second')];
      const busy = load(service);
      const acknowledgedBefore = [...before, ...busy.acknowledged];
      const taken = await typeWell(
        ['backup', '--to', at('backup'), '--json', ...data],
        environment,
      );
      await busy.end();
      const manifest = JSON.parse(taken.stdout);
      const backedUp = idsIn(at('backup/keywright.sqlite'));
      assert.deepEqual(
        acknowledgedBefore.filter((id) => !backedUp.has(id)),
        [],
      );
      const known = new Set([...before, ...busy.acknowledged]);
      assert.deepEqual(
        [...backedUp].filter((id) => !known.has(String(id))),
        [],
      );
      assert.equal(manifest.rows.activities, backedUp.size);
      for (const path of ['backup/keywright.sqlite', 'backup/manifest.json']) {
        assert.equal(modeOf(at(path)), '600');
      }
      assert.equal(modeOf(at('backup')), '700');
      assert.ok(existsSync(at('data/last-backup.json')));
      const again = await type(['backup', '--to', at('backup'), ...data], environment);
      assert.match(again.stderr, /exists already/);
      assert.notEqual(again.code, 0);

      const key = ['--root-key-file', at('data/root.key')];
      await typeWell(['restore', '--verify', at('backup'), ...key]);
      const into = ['--data-dir', at('restored'), ...key];
      const refused = await type(['restore', '--from', at('backup'), ...into]);
      assert.equal(refused.code, 10, 'no terminal for the confirmation');
      const restored = await typeWell(['restore', '--from', at('backup'), ...into, '--yes']);
      assert.ok(restored.stderr.includes(`restore accept --reason TEXT ${into.join(' ')}\n`));
      const twice = await type(['restore', '--from', at('backup'), ...into, '--yes']);
      assert.match(twice.stderr, /exists already: nothing was restored/);

      // The copy starts and answers queries, but signs nothing.
      copyFileSync(at('data/root-credentials.json'), at('restored/root-credentials.json'));
      const sharing = { KEYWRIGHT_ROOT_KEY_FILE: at('data/root.key') };
      const fenced = await startFenced(at('restored'), sharing);
      assert.match(fenced.readiness, /restored copy is not accepted yet.*restore accept/);
      const { organizationId } = service.credentials;
      const copy = { ...service, baseUrl: fenced.baseUrl };
      await httpClient(copy).getWhoami({ organizationId });
      await assert.rejects(change(copy, 'not accepted'), /restored copy/);
      await fenced.stop();

      await typeWell(['restore', 'accept', '--reason', 'a drill', ...into, '--yes']);
      // The original shares the anchor, and has stopped.
      await assert.rejects(change(service, 'too late'), /another copy of this data was accepted/);
      await service.stop();
      const accepted = await startService({ dataDirectory: at('restored'), environment: sharing });
      await change({ ...service, baseUrl: accepted.baseUrl }, 'goes on');

      if (database !== undefined) {
        const other = await newSchema(database);
        await accepted.stop();
        await typeWell(['backup', '--to', at('second'), ...into]);
        const toPostgres = [...into, '--database-url', other, '--yes'];
        await typeWell(['restore', '--from', at('second'), ...toPostgres]);
        const full = await type(['restore', '--from', at('second'), ...toPostgres]);
        assert.match(full.stderr, /the database is not empty/);
        await typeWell(['backup', '--to', at('third'), ...into, '--database-url', other]);
        assert.deepEqual(idsIn(at('third/keywright.sqlite')), idsIn(at('second/keywright.sqlite')));
      } else await accepted.stop();
    });
  });
}

/** Starts a service that does not become ready. Returns its reason and its address. */
async function startFenced(dataDirectory: string, environment: Readonly<Record<string, string>>) {
  const port = await freePort();
  const ended = new AbortController();
  const { spawn } = await import('node:child_process');
  const child = spawn(process.execPath, [program, 'serve'], {
    env: {
      ...variables,
      ...environment,
      KEYWRIGHT_DATA_DIR: dataDirectory,
      KEYWRIGHT_PORT: String(port),
    },
    stdio: 'ignore',
    signal: ended.signal,
  });
  child.on('error', () => undefined);
  const exited = new Promise((resolve) => child.once('exit', resolve));
  const baseUrl = `http://127.0.0.1:${port}`;
  for (;;) {
    const answer = await fetch(`${baseUrl}/health/ready`).catch(() => undefined);
    const readiness = (await answer?.text()) ?? '';
    if (readiness.includes('copy')) {
      return {
        baseUrl,
        readiness,
        stop: async () => {
          child.kill('SIGTERM');
          await exited;
        },
      };
    }
    assert.equal(child.exitCode, null, 'the service ended');
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

test('an altered, truncated or unfinished backup is refused with code 9 and its name', async () => {
  const folder = temporaryDirectory();
  const at = (path: string) => join(folder, path);
  const service = await startService({ dataDirectory: at('data') });
  await change(service, 'one');
  await service.stop();
  const data = ['--data-dir', at('data')];
  await typeWell(['backup', '--to', at('backup'), ...data]);
  const bytes = readFileSync(at('backup/keywright.sqlite'));
  const manifest = readFileSync(at('backup/manifest.json'), 'utf8');
  const attempt = async (database: Uint8Array, text: string | undefined) => {
    const name = at(`altered-${readdirSync(folder).length}`);
    mkdirSync(name);
    writeFileSync(join(name, 'keywright.sqlite'), database);
    if (text !== undefined) writeFileSync(join(name, 'manifest.json'), text);
    const ended = await type([
      'restore',
      '--from',
      name,
      '--data-dir',
      at('into'),
      '--root-key-file',
      at('data/root.key'),
      '--yes',
    ]);
    assert.equal(existsSync(at('into/keywright.sqlite')), false, 'nothing was restored');
    return ended;
  };
  const flipped = Uint8Array.from(bytes);
  flipped[bytes.length - 100] = (flipped[bytes.length - 100] ?? 0) ^ 1;
  for (const [database, text, reason] of [
    [flipped, manifest, /is not the database that the manifest describes/],
    [bytes.subarray(0, -4096), manifest, /is not the database that the manifest describes/],
    [bytes, manifest.replace('"epoch": 1', '"epoch": 2'), /manifest of the backup was altered/],
    [bytes, undefined, /is not a complete backup/],
    [bytes, manifest.slice(0, 100), /is not a complete backup/],
  ] as const) {
    const { code, stderr } = await attempt(database, text);
    assert.equal(code, 9, stderr);
    assert.match(stderr, reason);
  }
  const other = at('other.key');
  writeFileSync(other, new Uint8Array(32).fill(1), { mode: 0o600 });
  const { code, stderr } = await type([
    'restore',
    '--verify',
    at('backup'),
    '--root-key-file',
    other,
  ]);
  assert.equal(code, 9, stderr);
  assert.match(stderr, /another root key/);

  // A row that does not open is reported before a backup is written.
  const live = new DatabaseSync(at('data/keywright.sqlite'));
  live.exec("UPDATE activities SET status = 'ACTIVITY_STATUS_REJECTED'");
  live.close();
  const spoiled = await type(['backup', '--to', at('spoiled'), ...data]);
  assert.equal(spoiled.code, 9, spoiled.stderr);
  assert.match(spoiled.stderr, /a row does not open: activity /);
  assert.deepEqual(
    readdirSync(folder).filter((name) => name.startsWith('spoiled')),
    [],
  );
  // An organization that was emptied like a claimed token, or whose row was deleted, is reported, too.
  const { organizationId } = service.credentials;
  for (const alteration of [
    "UPDATE organizations SET head = x'' WHERE id = ?",
    'DELETE FROM organizations WHERE id = ?',
  ]) {
    const altered = temporaryDirectory();
    cpSync(at('data'), altered, { recursive: true });
    const database = new DatabaseSync(join(altered, 'keywright.sqlite'));
    database.exec("UPDATE activities SET status = 'ACTIVITY_STATUS_COMPLETED'");
    database.prepare(alteration).run(organizationId);
    database.close();
    const into = join(altered, 'backup');
    const refused = await type(['backup', '--to', into, '--data-dir', altered]);
    assert.equal(refused.code, 9, refused.stderr);
    assert.match(refused.stderr, new RegExp(`does not open: organization ${organizationId}`));
  }
  // An accepted copy whose custody record was deleted does not start.
  const gone = new DatabaseSync(at('data/keywright.sqlite'));
  gone.exec("DELETE FROM organizations WHERE id = 'custody'");
  gone.close();
  const refused = await startInVain({ dataDirectory: at('data') });
  assert.match(refused.stderr, /custody record.* is missing or was altered/);
});

test('the restore drill of docs/backup.md works while another service signs', async () => {
  const page = readFileSync(join(import.meta.dirname, '../../docs/backup.md'), 'utf8');
  const drill = /<!-- drill -->\n```sh\n(.*?)```/s.exec(page)?.[1];
  assert(drill !== undefined);
  const folder = temporaryDirectory();
  const service = await startService({
    dataDirectory: join(folder, 'data'),
    environment: { KEYWRIGHT_METRICS_PORT: '0' },
  });
  await change(service, 'before the drill');
  const url = () => /"metricsUrl":"([^"]+)"/.exec(service.output().stdout)?.[1];
  await until('the log has the address of the metrics', () => url() !== undefined);
  const metrics = url();
  const ageOf = async () => {
    const text = await (await fetch(`${metrics}/metrics`)).text();
    return /^keywright_backup_age_seconds (\S+)$/m.exec(text)?.[1];
  };
  assert.equal(await ageOf(), undefined);
  const node = `'${process.execPath}' '${program}'`;
  const script = `set -e\nnpx() { shift 2; ${node} "$@"; }\n${drill}`;
  const ended = await new Promise<Ended>((resolve) => {
    execFile('sh', ['-c', script], { cwd: folder }, (error, stdout, stderr) => {
      resolve({ code: error === null ? 0 : Number(error.code ?? 1), stdout, stderr });
    });
  });
  assert.equal(ended.code, 0, ended.stderr);
  const ageSeconds = Number(await ageOf());
  assert.ok(ageSeconds >= 0 && ageSeconds < 300, `${ageSeconds}`);
  await change(service, 'the original goes on');
  const environment = {
    KEYWRIGHT_ROOT_KEY_FILE: join(folder, 'data/root.key'),
    KEYWRIGHT_ANCHOR_FILE: join(folder, 'restored/anchor.json'),
  };
  copyFileSync(
    join(folder, 'data/root-credentials.json'),
    join(folder, 'restored/root-credentials.json'),
  );
  const copy = await startService({ dataDirectory: join(folder, 'restored'), environment });
  await change({ ...service, baseUrl: copy.baseUrl }, 'the copy signs too');
  await copy.stop();
  await service.stop();
});
