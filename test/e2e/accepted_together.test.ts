// Concurrent acceptance of copies of one database over one anchor. Each copy gets its own epoch, and only the
// newest may sign.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { copyFileSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { writeFilePrivately } from '../../src/store/data_directory/data_directory.ts';
import { serviceProgram } from '../support/compiled_service.ts';
import { startTestService, testRootKey } from '../support/harness.ts';
import { temporaryDirectory } from './service.ts';

const { main: program, environment: variables } = serviceProgram();
const together = join(import.meta.dirname, 'read_together.ts');
const copies = ['one', 'two', 'three', 'four'];

test('processes that accept copies after reading the same anchor get different epochs', async () => {
  const folder = temporaryDirectory();
  const at = (...names: readonly string[]) => join(folder, ...names);
  mkdirSync(at('meet'));
  writeFilePrivately(at('root.key'), testRootKey());
  const service = await startTestService({ databaseFile: at('keywright.sqlite') });
  await service.close();
  for (const copy of copies) {
    mkdirSync(at(copy), { mode: 0o700 });
    copyFileSync(at('keywright.sqlite'), at(copy, 'keywright.sqlite'));
  }
  const accept = (copy: string): Promise<number> =>
    new Promise((resolve, reject) => {
      const where = ['--data-dir', at(copy), '--root-key-file', at('root.key')];
      const words = ['restore', 'accept', '--reason', copy, '--yes', '--json', ...where];
      const given = ['--import', together, program, ...words, '--anchor-file', at('anchor.json')];
      const env = {
        ...variables,
        MEET_IN: at('meet'),
        MEET_COUNT: String(copies.length),
        MEET_OVER: at('anchor.json'),
      };
      execFile(process.execPath, given, { env }, (error, stdout, stderr) => {
        if (error === null) resolve(JSON.parse(stdout).epoch);
        else reject(new Error(stderr));
      });
    });
  const epochs = await Promise.all(copies.map(accept));
  assert.deepEqual(epochs.toSorted(), [2, 3, 4, 5]);
  assert.equal(JSON.parse(readFileSync(at('anchor.json'), 'utf8')).epoch, 5);
});
