// Faults that prevent a start, each with exit code 1 and a sentence about the fault.

import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { chmodSync, existsSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, describe, test } from 'node:test';
import { httpClient } from './clients.ts';
import { startInVain, startService, temporaryDirectory } from './service.ts';

test('a second start on the same data directory is refused, and the first service continues', async () => {
  const dataDirectory = temporaryDirectory();
  const first = await startService({ dataDirectory });
  const { code, stdout, stderr } = await startInVain({ dataDirectory });
  assert.equal(code, 1);
  assert.equal(stdout, '');
  assert.equal(
    stderr,
    `keywright: the data directory ${dataDirectory} is in use by another process\n`,
  );
  const { organizationId, userId } = first.credentials;
  const answer = await httpClient(first).getWhoami({ organizationId });
  assert.equal(answer.userId, userId);
  await first.stop();
});

test('only the owner can read the files of a first start, with any umask', async () => {
  const dataDirectory = join(temporaryDirectory(), 'data');
  const umask = process.umask(0);
  const starting = startService({ dataDirectory });
  process.umask(umask);
  const service = await starting;
  const modes = ['root.key', 'root-credentials.json', 'keywright.sqlite', 'owner.lock'].map(
    (name) => [name, modeOf(join(dataDirectory, name))],
  );
  assert.deepEqual(modes, [
    ['root.key', '600'],
    ['root-credentials.json', '600'],
    ['keywright.sqlite', '600'],
    ['owner.lock', '600'],
  ]);
  assert.equal(modeOf(dataDirectory), '700');
  await service.stop();
});

describe('the root key', () => {
  let dataDirectory: string;
  let rootKeyFile: string;

  before(async () => {
    dataDirectory = temporaryDirectory();
    rootKeyFile = join(dataDirectory, 'root.key');
    await (await startService({ dataDirectory })).stop();
  });

  async function startsWith(file: string) {
    const environment = { KEYWRIGHT_ROOT_KEY_FILE: file };
    const { code, stderr } = await startInVain({ dataDirectory, environment });
    assert.equal(code, 1);
    return stderr;
  }

  test('of another database is refused', async () => {
    const file = join(temporaryDirectory(), 'other.key');
    writeFileSync(file, randomBytes(32), { mode: 0o600 });
    const stderr = await startsWith(file);
    assert.match(stderr, /^keywright: [^\n]*root key[^\n]*\n$/);
    assert(stderr.includes(file), stderr);
  });

  test('of another length is refused', async () => {
    const file = join(temporaryDirectory(), 'short.key');
    writeFileSync(file, randomBytes(31), { mode: 0o600 });
    const stderr = await startsWith(file);
    assert.match(stderr, /^keywright: the root key [^\n]* must hold exactly 32 raw bytes[^\n]*\n$/);
  });

  test('that others can read is refused', async () => {
    const file = join(temporaryDirectory(), 'open.key');
    writeFileSync(file, readFileSync(rootKeyFile));
    chmodSync(file, 0o644);
    const stderr = await startsWith(file);
    assert.match(stderr, /^keywright: the root key [^\n]* is open to other users[^\n]*\n$/);
  });

  test('that is missing is not created again for an existing database', async () => {
    const moved = `${rootKeyFile}.moved`;
    renameSync(rootKeyFile, moved);
    const { code, stderr } = await startInVain({ dataDirectory });
    assert.equal(code, 1);
    assert.match(stderr, /^keywright: [^\n]*root key[^\n]*\n$/);
    assert.equal(existsSync(rootKeyFile), false);
    renameSync(moved, rootKeyFile);
  });

  test('is read from the configured file', async () => {
    const file = join(temporaryDirectory(), 'moved.key');
    writeFileSync(file, readFileSync(rootKeyFile), { mode: 0o600 });
    const environment = { KEYWRIGHT_ROOT_KEY_FILE: file };
    const service = await startService({ dataDirectory, environment });
    const { organizationId, userId } = service.credentials;
    const answer = await httpClient(service).getWhoami({ organizationId });
    assert.equal(answer.userId, userId);
    await service.stop();
  });
});

function modeOf(path: string): string {
  return (statSync(path).mode & 0o777).toString(8);
}
