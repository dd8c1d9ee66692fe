// Tests that a folder needed by several test files is made once, even if its first maker fails.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { madeOnce } from './made_once.ts';

const scratch = mkdtempSync(join(tmpdir(), 'keywright-made-'));
after(() => rmSync(scratch, { recursive: true }));

const writeWord = (word: string) => (folder: string) => writeFileSync(join(folder, 'word'), word);

test('of two concurrent requests for a folder, one makes it and both get it', async () => {
  const folder = join(scratch, 'shared');
  const finished = Promise.withResolvers<void>();
  const first = madeOnce(folder, async (unfinished) => {
    writeWord('first')(unfinished);
    await finished.promise;
  });
  const second = madeOnce(folder, writeWord('second'));
  assert(!existsSync(folder), 'it is not there before it is whole');
  finished.resolve();
  assert.deepEqual(await Promise.all([first, second]), [folder, folder]);
  assert.equal(readFileSync(join(folder, 'word'), 'utf8'), 'first');
  assert.deepEqual(readdirSync(scratch), ['shared']);
});

test('a process that ended while it made a folder is not waited for', async () => {
  const folder = join(scratch, 'abandoned');
  const { pid } = spawnSync(process.execPath, ['--version']);
  writeFileSync(`${folder}.lock`, String(pid));
  await madeOnce(folder, writeWord('next'));
  assert.equal(readFileSync(join(folder, 'word'), 'utf8'), 'next');
  assert(!existsSync(`${folder}.lock`));
});

test('a folder whose making failed is made by the next process', async () => {
  const folder = join(scratch, 'failed');
  const failing = madeOnce(folder, () => assert.fail('no space'));
  await assert.rejects(failing, /no space/);
  await madeOnce(folder, writeWord('again'));
  assert.equal(readFileSync(join(folder, 'word'), 'utf8'), 'again');
});
