import assert from 'node:assert/strict';
import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { openFileSink } from '../../../src/gateway/audit/file_sink.ts';
import { AuditSinkError } from '../../../src/gateway/audit/sink.ts';
import { UnusableDataError } from '../../../src/store/unusable_data_error.ts';
import { temporaryDirectory } from '../../store/temporary_directory.ts';

const line = (number: number): string => `{"number":${number},"type":"T"}\n`;
const linesOf = (...numbers: number[]) => Buffer.from(numbers.map(line).join(''));
const directory = temporaryDirectory();
after(() => directory.remove());
let folders = 0;
function newFolder(): string {
  folders += 1;
  const path = join(directory.path, String(folders));
  mkdirSync(path);
  return path;
}
const newPath = () => join(newFolder(), 'audit.ndjson');

test('a new file is readable only by its owner, and lines are appended', async () => {
  const path = newPath();
  const sink = openFileSink(path);
  assert.equal(statSync(path).mode & 0o777, 0o600);
  await sink.write(linesOf(1, 2));
  await sink.write(linesOf(3));
  assert.equal(readFileSync(path, 'utf8'), line(1) + line(2) + line(3));
  const again = openFileSink(path);
  await again.write(linesOf(4));
  assert.equal(readFileSync(path, 'utf8'), line(1) + line(2) + line(3) + line(4));
});

test('a truncated last line is removed, at any length', async () => {
  for (const length of [1, 5, 10, line(2).length - 1]) {
    const path = newPath();
    writeFileSync(path, line(1) + line(2).slice(0, length), { mode: 0o600 });
    await openFileSink(path).write(linesOf(2));
    assert.equal(readFileSync(path, 'utf8'), line(1) + line(2), `cut after ${length}`);
  }
  const path = newPath();
  writeFileSync(path, line(1).slice(0, 6), { mode: 0o600 });
  await openFileSink(path).write(linesOf(1));
  assert.equal(readFileSync(path, 'utf8'), line(1), 'the only line');
});

test('a file with other contents is not changed', () => {
  const path = newPath();
  writeFileSync(path, 'root:x:0:0', { mode: 0o600 });
  assert.throws(() => openFileSink(path), UnusableDataError);
  assert.equal(readFileSync(path, 'utf8'), 'root:x:0:0');
});

test('a renamed file is replaced by a new one', async () => {
  const path = newPath();
  const sink = openFileSink(path);
  await sink.write(linesOf(1));
  renameSync(path, `${path}.1`);
  await sink.write(linesOf(2));
  assert.deepEqual(
    [`${path}.1`, path].map((each) => readFileSync(each, 'utf8')),
    [line(1), line(2)],
  );
  assert.equal(statSync(path).mode & 0o777, 0o600);
});

test('a file that others may access, or that is not a regular file, is refused by name', () => {
  for (const mode of [0o644, 0o660, 0o602]) {
    const path = newPath();
    writeFileSync(path, '');
    chmodSync(path, mode);
    assert.throws(
      () => openFileSink(path),
      /audit\.ndjson cannot be used: it is open to other users/,
    );
  }
  const group = newPath();
  writeFileSync(group, '');
  chmodSync(group, 0o640);
  openFileSink(group);
  assert.throws(() => openFileSink(newFolder()), UnusableDataError);
  assert.throws(() => openFileSink(join(newFolder(), 'none', 'audit.ndjson')), /ENOENT/);
});

test('a missing folder fails the write, and the next write succeeds', async () => {
  const folder = join(newFolder(), 'mounted');
  mkdirSync(folder);
  const path = join(folder, 'audit.ndjson');
  const sink = openFileSink(path);
  await sink.write(linesOf(1));
  const away = `${folder}-away`;
  renameSync(folder, away);
  await assert.rejects(sink.write(linesOf(2)), AuditSinkError);
  assert.equal(existsSync(path), false);
  renameSync(away, folder);
  appendFileSync(path, line(2).slice(0, 7));
  await sink.write(linesOf(2));
  assert.equal(readFileSync(path, 'utf8'), line(1) + line(2));
});
