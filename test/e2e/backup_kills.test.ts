// Kills `keywright backup` and `keywright restore` before their steps. A kill leaves nothing, or a complete
// backup or copy, and the repeated command succeeds. The test tries every tenth step and each of the last
// steps, which put the files in place. `npm run soak` tries all.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { runArchive } from '../../src/archive/command.ts';
import { readSettings } from '../../src/settings/settings.ts';
import { writeFilePrivately } from '../../src/store/data_directory/data_directory.ts';
import { copiedTables } from '../../src/store/tables/copied_tables.ts';
import { newDatabase, newSchema, postgresForTests, runOn } from '../store/postgres_server.ts';
import { casesOf } from '../support/bounds.ts';
import { serviceProgram } from '../support/compiled_service.ts';
import { startTestService, testRootKey } from '../support/harness.ts';
import { temporaryDirectory, until } from './service.ts';

const folder = temporaryDirectory();
const at = (...names: readonly string[]) => join(folder, ...names);
const { main: program, environment: variables } = serviceProgram();
const killer = join(import.meta.dirname, 'kill_before_step.ts');
const data = ['--data-dir', at('data')];
const key = ['--root-key-file', at('data', 'root.key')];

const killEvery = casesOf({ usual: 10, soak: 1 });
const alwaysLast = 8;

/** Returns the numbers of the steps before which a command is killed, in order. */
function killedSteps(steps: number): readonly number[] {
  return Array.from({ length: steps }, (_, i) => i + 1).filter(
    (step) => step % killEvery === 0 || step > steps - alwaysLast,
  );
}

type Ended = { readonly killed: boolean; readonly code: number; readonly stderr: string };

/** Runs a command that is killed before a step, or counts its steps (0). */
function type(words: readonly string[], killBefore: number): Promise<Ended> {
  return new Promise((resolve) => {
    const env = { ...variables, KILL_BEFORE: String(killBefore), KILL_IN: folder };
    const given = ['--import', killer, program, ...words];
    execFile(process.execPath, given, { env }, (error, _, stderr) => {
      const code = error === null ? 0 : Number(error.code ?? 1);
      resolve({ killed: error?.signal === 'SIGKILL', code, stderr });
    });
  });
}

async function stepsOf(words: readonly string[]): Promise<number> {
  const { code, stderr } = await type(words, 0);
  assert.equal(code, 0, stderr);
  const [, steps = ''] = /^steps: (\d+)$/m.exec(stderr) ?? [];
  assert.ok(Number(steps) > 5, stderr);
  return Number(steps);
}

async function isWhole(backup: string): Promise<boolean> {
  const { code } = await type(['restore', '--verify', backup, ...key], 0);
  return code === 0;
}

/** Creates data from January 2026, the time of the fixed clock, and archives a part of it. */
before(async () => {
  mkdirSync(at('data'), { mode: 0o700 });
  writeFilePrivately(at('data', 'root.key'), testRootKey());
  const service = await startTestService({ databaseFile: at('data', 'keywright.sqlite') });
  const makeWallet = async (walletName: string): Promise<void> => {
    const parameters = { walletName, accounts: [] };
    const made = await service.submit('create_wallet', 'ACTIVITY_TYPE_CREATE_WALLET', parameters);
    assert.equal(made.status, 200);
  };
  for (const name of ['one', 'two']) await makeWallet(name);
  service.advance(86_400_000);
  await makeWallet('remaining');
  await service.close();
  const { activities } = await runArchive(readSettings({}, data), {
    to: at('archive'),
    before: Date.UTC(2026, 0, 1, 12),
    now: Date.UTC(2026, 5, 1),
    operator: { signal: new AbortController().signal },
  });
  assert.equal(activities, 2);
});

describe('killed before its steps', () => {
  test('a backup of partly archived data is complete or does not exist', async () => {
    const steps = await stepsOf(['backup', '--to', at('whole'), ...data]);
    let left = 0;
    for (const step of killedSteps(steps)) {
      const to = at(`backup-${step}`);
      const { killed, stderr } = await type(['backup', '--to', to, ...data], step);
      assert.ok(killed, `step ${step} of ${steps}: ${stderr}`);
      if (!existsSync(to)) continue;
      left += 1;
      assert.ok(await isWhole(to), `what a kill before step ${step} left`);
    }
    assert.ok(
      left > 0 && left < killedSteps(steps).length,
      `${left} of ${killedSteps(steps).length} kills left a backup`,
    );
    // An unfinished backup has a special name, and is not used as a backup.
    const partial = readdirSync(folder).filter((name) => name.endsWith('.partial'));
    assert.ok(partial.length > 0);
    for (const name of partial) assert.equal(existsSync(at(name, 'manifest.json.tmp')), false);
    assert.ok(await isWhole(at('whole')));
    const { rows } = JSON.parse(readFileSync(at('whole', 'manifest.json'), 'utf8')).manifest;
    assert.equal(rows.activities, 1, 'the others are in the archive');
  });

  test('a restore leaves no database or the verified one, and a repeated run completes it', async () => {
    const from = at('whole');
    if (!existsSync(from)) await stepsOf(['backup', '--to', from, ...data]);
    const into = ['--data-dir', at('restored'), ...key, '--yes'];
    const words = ['restore', '--from', from, ...into];
    const steps = await stepsOf(words);
    const expected = readFileSync(join(from, 'keywright.sqlite'));
    let left = 0;
    rmSync(at('restored'), { recursive: true });
    for (const step of killedSteps(steps)) {
      // The remains of earlier kills stay.
      const { killed, code, stderr } = await type(words, step);
      // The existing folder saves a step.
      if (!killed) {
        assert.equal(code, 0, stderr);
        assert.ok(step > steps - 3, `${step} of ${steps}`);
      }
      const file = at('restored', 'keywright.sqlite');
      if (!existsSync(file)) continue;
      left += 1;
      assert.ok(readFileSync(file).equals(expected), `what a kill before step ${step} left`);
      rmSync(file);
    }
    assert.ok(
      left > 0 && left < killedSteps(steps).length,
      `${left} of ${killedSteps(steps).length} kills left a copy`,
    );
    const { code, stderr } = await type(words, 0);
    assert.equal(code, 0, stderr);
    assert.ok(readFileSync(at('restored', 'keywright.sqlite')).equals(expected));
  });
});

const server = await postgresForTests();
if (server !== undefined) after(() => server.remove());

describe('killed before its steps on PostgreSQL', {
  skip: server === undefined && 'no PostgreSQL',
}, () => {
  let database = '';
  let manifest: { readonly rows: Readonly<Record<string, number>> } = { rows: {} };
  const from = at('whole');
  before(async () => {
    database = await newDatabase(server?.url ?? '');
    if (!existsSync(from)) await stepsOf(['backup', '--to', from, ...data]);
    ({ manifest } = JSON.parse(readFileSync(join(from, 'manifest.json'), 'utf8')));
  });

  const restoreInto = (url: string) => {
    const into = ['--data-dir', at('beside'), ...key, '--database-url', url, '--yes'];
    return ['restore', '--from', from, ...into];
  };

  /** Returns the number of rows of each table; 0 for a table that does not exist yet. */
  async function rowsIn(url: string): Promise<Readonly<Record<string, number>>> {
    const counts: Record<string, number> = {};
    for (const { name } of copiedTables) {
      const [there] = await runOn(url, `SELECT to_regclass('${name}') IS NOT NULL AS there`);
      counts[name] = 0;
      if (there?.['there'] !== true) continue;
      const [row] = await runOn(url, `SELECT count(*)::int AS rows FROM ${name}`);
      counts[name] = Number(row?.['rows']);
    }
    return counts;
  }

  /** The server ends the transactions of a killed process. */
  const settled = () =>
    until('sessions of the killed command have ended', async () => {
      const [row] = await runOn(
        database,
        'SELECT count(*)::int AS others FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()',
      );
      return row?.['others'] === 0;
    });

  test('a restore leaves an empty or a complete database, and a repeated run completes it', async () => {
    const steps = await stepsOf(restoreInto(await newSchema(database)));
    const none = Object.fromEntries(copiedTables.map(({ name }) => [name, 0]));
    let url = await newSchema(database);
    let left = 0;
    for (const step of killedSteps(steps)) {
      // The remains of earlier kills stay. Existing tables save steps.
      const { killed, code, stderr } = await type(restoreInto(url), step);
      if (!killed) assert.equal(code, 0, stderr);
      await settled();
      const rows = await rowsIn(url);
      if (rows['organizations'] === 0) {
        assert.ok(killed);
        assert.deepEqual(rows, none, `what a kill before step ${step} left`);
        continue;
      }
      left += 1;
      assert.deepEqual(rows, manifest.rows, `what a kill before step ${step} left`);
      if (left === 1) {
        const again = await type(restoreInto(url), 0);
        assert.match(again.stderr, /the database is not empty/);
      }
      url = await newSchema(database);
    }
    assert.ok(
      left > 0 && left < killedSteps(steps).length,
      `${left} of ${killedSteps(steps).length} kills left a copy`,
    );
    const { code, stderr } = await type(restoreInto(url), 0);
    assert.equal(code, 0, stderr);
    assert.deepEqual(await rowsIn(url), manifest.rows);
  });

  test('a backup is complete or does not exist, and the database still works', async () => {
    const url = await newSchema(database);
    const restored = await type(restoreInto(url), 0);
    assert.equal(restored.code, 0, restored.stderr);
    const words = (to: string) => ['backup', '--to', to, ...data, '--database-url', url];
    const steps = await stepsOf(words(at('of-postgres')));
    let left = 0;
    for (const step of killedSteps(steps)) {
      const to = at(`of-postgres-${step}`);
      const { killed, stderr } = await type(words(to), step);
      assert.ok(killed, `step ${step} of ${steps}: ${stderr}`);
      await settled();
      if (!existsSync(to)) continue;
      left += 1;
      assert.ok(await isWhole(to), `what a kill before step ${step} left`);
    }
    assert.ok(
      left > 0 && left < killedSteps(steps).length,
      `${left} of ${killedSteps(steps).length} kills left a backup`,
    );
    assert.deepEqual(await rowsIn(url), manifest.rows);
  });
});
