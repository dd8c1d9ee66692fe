import assert from 'node:assert/strict';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { openDevFolder } from '../../src/dev/folder.ts';

function place(t: { after(cleanUp: () => void): void }): string {
  const path = mkdtempSync(join(tmpdir(), 'keywright-dev-'));
  t.after(() => rmSync(path, { recursive: true }));
  return join(path, '.keywright');
}

const own = ['root.key', 'keywright.sqlite', 'keywright.sqlite-wal', 'root-credentials.json'];
const key = { apiPublicKey: 'a', apiPrivateKey: 'b' };

test('a new folder is for its owner alone and keeps its state', (t) => {
  const path = place(t);
  openDevFolder(path, { fresh: false }).save({ people: { alice: key }, steps: {} });
  assert.equal(statSync(path).mode & 0o777, 0o700);
  assert.equal(statSync(join(path, 'development.json')).mode & 0o777, 0o600);
  assert.deepEqual(openDevFolder(path, { fresh: false }).state().people, { alice: key });
});

test('a reset deletes what starts made, and nothing else', (t) => {
  const path = place(t);
  openDevFolder(path, { fresh: false }).save({ people: { alice: key }, steps: {} });
  for (const name of [...own, 'alice.json', 'dave.json', 'root.key.backup', 'notes']) {
    writeFileSync(join(path, name), name);
  }
  mkdirSync(join(path, 'folder'));
  assert.deepEqual(openDevFolder(path, { fresh: true }).state(), { people: {}, steps: {} });
  assert.deepEqual(
    readdirSync(path)
      .filter((name) => !name.startsWith('owner.lock'))
      .sort(),
    ['dave.json', 'development.json', 'folder', 'notes', 'root.key.backup'],
  );
});

test('a reset that was broken off is finished by the next start', (t) => {
  const path = place(t);
  openDevFolder(path, { fresh: false }).save({ people: {}, steps: {}, isResetting: true });
  writeFileSync(join(path, 'keywright.sqlite'), 'left');
  assert.deepEqual(openDevFolder(path, { fresh: false }).state(), { people: {}, steps: {} });
  assert.equal(existsSync(join(path, 'keywright.sqlite')), false);
});

test('a folder with other data is refused and not touched, whatever is asked', (t) => {
  const path = place(t);
  mkdirSync(path);
  writeFileSync(join(path, 'root.key'), 'a key of value');
  for (const fresh of [false, true]) {
    assert.throws(() => openDevFolder(path, { fresh }), /that keywright dev did not create/);
  }
  assert.deepEqual(readdirSync(path), ['root.key']);
});

test('a state that cannot be read is said with what to do', (t) => {
  const path = place(t);
  openDevFolder(path, { fresh: false });
  for (const text of ['', '{', '[]', '{"people":[]}']) {
    writeFileSync(join(path, 'development.json'), text);
    assert.throws(
      () => openDevFolder(path, { fresh: false }),
      /cannot be read: delete .* and start/,
    );
  }
});
