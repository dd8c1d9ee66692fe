// Files of a user: their names are durable, and one command at a time changes them.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import fs, { existsSync, readdirSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import type { Profile } from '../../src/cli/profiles/profiles.ts';

const execute = promisify(execFile);
const bytes = new TextEncoder().encode('{}');
const profile: Profile = { url: 'http://localhost:8080', organizationId: 'o' };

let paths: string[] = [];
const { fsync } = fs;
fs.fsync = Object.assign(
  (...[descriptor, done]: Parameters<typeof fsync>) => {
    const path = readlinkSync(`/proc/self/fd/${descriptor}`);
    fsync(descriptor, (error) => {
      if (error === null) paths.push(path);
      done(error);
    });
  },
  { __promisify__: fsync.__promisify__ },
);
// The sources read the functions of `node:fs` when they are loaded.
const { folderOfTests, terminalIn } = await import('./terminal.ts');
const files = await import('../../src/cli/files/files.ts');
const { changeProfiles, configDirectory, readProfiles } = await import(
  '../../src/cli/profiles/profiles.ts'
);

/** Returns the paths that a function makes durable, in order. */
async function synced(job: () => Promise<unknown>): Promise<readonly string[]> {
  paths = [];
  await job();
  return paths;
}

test('a written or renamed file is durable with its name', async () => {
  const folder = folderOfTests();
  const [one, two, three] = ['one', 'two', 'three'].map((name) => join(folder, name));
  assert(one !== undefined && two !== undefined && three !== undefined);
  assert.deepEqual(await synced(() => files.writePrivateFile(one, bytes)), [one, folder]);
  const replacing = await synced(() => files.writePrivateFile(one, bytes, { replaces: true }));
  assert.deepEqual(replacing.slice(1), [folder]);
  assert.deepEqual(await synced(() => files.renameDurably(one, two)), [folder]);
  const reserved = await files.reservePrivateFile(three);
  assert.equal((await synced(() => reserved.write(bytes))).at(-1), folder);
  await reserved.release();
});

test('a file that names programs is read only if other users cannot write it', async () => {
  const file = join(folderOfTests(), 'keys.json');
  writeFileSync(file, bytes);
  for (const mode of [0o400, 0o600, 0o640, 0o644]) {
    fs.chmodSync(file, mode);
    assert.deepEqual(Uint8Array.from(await files.readFileOfOwner(file)), bytes);
  }
  for (const mode of [0o620, 0o602, 0o666]) {
    fs.chmodSync(file, mode);
    await assert.rejects(files.readFileOfOwner(file), { code: 'file_writable_by_others' });
  }
});

test('concurrently stored profiles all exist afterwards', async () => {
  const folder = folderOfTests();
  const terminal = terminalIn(folder);
  const names = Array.from({ length: 20 }, (_, i) => `p${i}`);
  await Promise.all(
    names.map((name) =>
      changeProfiles(terminal, ({ profiles }) => ({
        current: name,
        profiles: { ...profiles, [name]: profile },
      })),
    ),
  );
  assert.deepEqual(Object.keys((await readProfiles(terminal)).profiles).sort(), names.sort());
});

test('concurrent changes of profiles by several processes lose nothing', async () => {
  const folder = folderOfTests();
  const terminal = terminalIn(folder);
  const names = Array.from({ length: 9 }, (_, i) => `p${i}`);
  const profiles = Object.fromEntries(names.map((name) => [name, profile]));
  await changeProfiles(terminal, () => ({ current: 'p0', profiles }));
  const [remaining = '', ...removed] = names;
  const typed = [
    ...removed.map((name) => ['remove', name]),
    ['use', remaining],
    ['use', remaining],
  ];
  const main = join(import.meta.dirname, '..', '..', 'src', 'main.ts');
  const env = { PATH: process.env['PATH'], HOME: folder, ...terminal.environment };
  await Promise.all(
    typed.map((words) => execute(process.execPath, [main, 'profile', ...words], { env })),
  );
  assert.deepEqual(await readProfiles(terminal), {
    current: remaining,
    profiles: { [remaining]: profile },
  });
  assert.deepEqual(readdirSync(configDirectory(terminal)), ['config.json']);
});

test('a failed change leaves the profiles unchanged, and no lock', async () => {
  const folder = folderOfTests();
  const terminal = terminalIn(folder);
  const change = (current: string) =>
    changeProfiles(terminal, () => ({ current, profiles: { [current]: profile } }));
  await change('one');
  const failing = changeProfiles(terminal, () => {
    throw new Error('no');
  });
  await assert.rejects(failing, /^Error: no$/);
  assert.equal((await readProfiles(terminal)).current, 'one');
  await change('two');
  assert.equal((await readProfiles(terminal)).current, 'two');
});

test('the lock of a killed command is named, with the command to remove it', async () => {
  const folder = folderOfTests();
  const terminal = terminalIn(folder);
  await changeProfiles(terminal, () => ({ current: 'one', profiles: { one: profile } }));
  const config = join(folder, 'config', 'keywright', 'config.json');
  const before = readFileSync(config, 'utf8');
  writeFileSync(`${config}.lock`, '');
  const refused = changeProfiles(terminal, () => ({ profiles: {} }));
  await assert.rejects(refused, { next: new RegExp(`rm ${config}\\.lock$`) });
  assert.equal(readFileSync(config, 'utf8'), before);
  assert(existsSync(`${config}.lock`), 'a lock of another is not removed');
});
