// The loaded files of a command before its first request. Their number determines the start time.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { join, relative } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { temporaryDirectory } from '../e2e/service.ts';
import { unknownCredentials } from './unknown_credentials.ts';

const root = join(import.meta.dirname, '../..');
const folder = temporaryDirectory();
const credentials = unknownCredentials(folder);

/** The rooms that a command for a service does not need. */
const rooms = ['src/enclave', 'src/gateway', 'src/operations', 'src/pipeline', 'src/store'];

const rows = [
  { words: ['whoami'], own: ['whoami.ts'] },
  { words: ['wallet', 'list'], own: ['wallet/list.ts'] },
  { words: ['wallet', 'create', 'shop'], own: ['wallet/create.ts'] },
  { words: ['api', 'list_users'], own: [] },
];
for (const { words, own } of rows) {
  test(`keywright ${words.join(' ')} loads no other command, no package and no service`, () => {
    const files = filesOf(words);
    const commands = files.filter((file) => file.startsWith('src/cli/commands/'));
    assert.deepEqual(
      commands.sort(),
      ['api.ts', ...own].map((name) => `src/cli/commands/${name}`).sort(),
    );
    const others = files.filter(
      (file) =>
        file.startsWith('node_modules/') || rooms.some((room) => file.startsWith(`${room}/`)),
    );
    assert.deepEqual(others, []);
  });
}

/** Returns the paths of the project's files that a command loads. */
function filesOf(words: readonly string[]): string[] {
  const preload = join(import.meta.dirname, 'preload_files.ts');
  const program = ['--import', preload, join(root, 'src/main.ts'), ...words, ...credentials];
  const written = execFileSync(process.execPath, program, {
    env: { HOME: folder },
    encoding: 'utf8',
  });
  return written
    .split('\n')
    .filter((url) => url.startsWith('file:'))
    .map((url) => relative(root, fileURLToPath(url)));
}
