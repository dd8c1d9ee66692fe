import assert from 'node:assert/strict';
import fs, {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { utf8 } from '../../src/core/base/bytes.ts';
import {
  openDataDirectory,
  readOrCreateRootKey,
  writeFilePrivately,
} from '../../src/store/data_directory/data_directory.ts';
import { UnusableDataError } from '../../src/store/unusable_data_error.ts';
import { startChild } from './child_process.ts';
import { withTemporaryDirectory } from './temporary_directory.ts';

const key = Uint8Array.from({ length: 32 }, (_, i) => i * 7);
const randomKey = (lengthBytes: number) => key.slice(0, lengthBytes);
const noRandom = () => assert.fail('no key is made');

describe('data directory', () => {
  test('is created 0700 under any umask, with its parents', async () => {
    for (const mask of [0, 0o027, 0o777]) {
      await withTemporaryDirectory(async (path) => {
        const wanted = mask === 0o777 ? join(path, 'data') : join(path, 'above', 'data');
        const directory = withUmask(mask, () => openDataDirectory(wanted));
        assert.equal(directory.path, wanted);
        assert.equal(modeOf(wanted), 0o700);
        assert.equal(modeOf(join(wanted, 'owner.lock')), 0o600);
        directory.close();
      });
    }
  });

  test('returns an absolute path', async () => {
    await withTemporaryDirectory(async (path) => {
      const previous = process.cwd();
      process.chdir(path);
      const directory = openDataDirectory('./data');
      process.chdir(previous);
      assert.equal(directory.path.endsWith('/data'), true);
      assert.equal(statSync(directory.path).isDirectory(), true);
      directory.close();
    });
  });

  test('has one owner in one process, and can be released', async () => {
    await withTemporaryDirectory(async (path) => {
      const first = openDataDirectory(path);
      // The first refusal must not release the lock.
      assert.throws(() => openDataDirectory(path), refusal(/is in use by another process$/));
      assert.throws(() => openDataDirectory(path), refusal(/is in use by another process$/));
      first.close();
      first.close();
      openDataDirectory(path).close();
    });
  });

  test('has one owner among processes, until that is killed', async () => {
    await withTemporaryDirectory(async (path) => {
      const child = startChild('owning_child.ts', [path]);
      try {
        await child.until((message) => message === 'owned');
        assert.throws(() => openDataDirectory(path), refusal(/is in use by another process$/));
      } finally {
        await child.kill();
      }
      openDataDirectory(path).close();
    });
  });

  test('is refused if its lock cannot be taken', async () => {
    await withTemporaryDirectory(async (path) => {
      mkdirSync(join(path, 'owner.lock'));
      assert.throws(() => openDataDirectory(path), refusal(/cannot be locked: unable to open/));
    });
  });

  test('keeps the mode of an existing directory', async () => {
    await withTemporaryDirectory(async (path) => {
      chmodSync(path, 0o750);
      openDataDirectory(path).close();
      assert.equal(modeOf(path), 0o750);
    });
  });

  test('is refused if every user may write', async () => {
    await withTemporaryDirectory(async (path) => {
      chmodSync(path, 0o777);
      assert.throws(() => openDataDirectory(path), refusal(/chmod 700/));
    });
  });

  test('is refused if a file is in its place', async () => {
    await withTemporaryDirectory(async (path) => {
      const file = join(path, 'data');
      writeFileSync(file, '');
      assert.throws(() => openDataDirectory(file), refusal(/cannot be created: EEXIST/));
      assert.throws(
        () => openDataDirectory(join(file, 'x')),
        refusal(/cannot be created: ENOTDIR/),
      );
    });
  });

  test('is refused at once if it cannot be created or a link is broken', async () => {
    await withTemporaryDirectory(async (path) => {
      const link = join(path, 'link');
      symlinkSync(join(path, 'nowhere'), link);
      for (const impossible of [
        '/proc/keywright',
        '/proc/above/keywright',
        link,
        join(link, 'x'),
      ]) {
        assert.throws(() => openDataDirectory(impossible), refusal(/cannot be created: E/));
      }
    });
  });
});

describe('private files', () => {
  test('are 0600 under any umask', async () => {
    for (const mask of [0, 0o022, 0o777]) {
      await withTemporaryDirectory(async (path) => {
        const file = join(path, 'secret');
        withUmask(mask, () => writeFilePrivately(file, key));
        assert.equal(modeOf(file), 0o600);
        assert.deepEqual(new Uint8Array(readFileSync(file)), key);
      });
    }
  });

  test('are not overwritten by default', async () => {
    await withTemporaryDirectory(async (path) => {
      const file = join(path, 'secret');
      writeFilePrivately(file, utf8('first'));
      assert.throws(() => writeFilePrivately(file, utf8('second')), refusal(/exists already/));
      assert.equal(readFileSync(file, 'utf8'), 'first');
      writeFilePrivately(file, utf8('third'), { replace: true });
      assert.equal(readFileSync(file, 'utf8'), 'third');
      assert.equal(modeOf(file), 0o600);
    });
  });

  test('leave no other file behind', async () => {
    await withTemporaryDirectory(async (path) => {
      const file = join(path, 'secret');
      writeFilePrivately(file, utf8('first'));
      assert.throws(() => writeFilePrivately(file, utf8('second')));
      writeFilePrivately(file, utf8('third'), { replace: true });
      mkdirSync(join(path, 'folder'));
      assert.throws(() => writeFilePrivately(join(path, 'folder'), key, { replace: true }));
      assert.deepEqual(readdirSync(path).sort(), ['folder', 'secret']);
    });
  });

  test('do not follow a link in their place', async () => {
    await withTemporaryDirectory(async (path) => {
      const target = join(path, 'target');
      writeFileSync(target, 'untouched');
      symlinkSync(target, join(path, 'link'));
      assert.throws(() => writeFilePrivately(join(path, 'link'), key), UnusableDataError);
      writeFilePrivately(join(path, 'link'), key, { replace: true });
      assert.equal(readFileSync(target, 'utf8'), 'untouched');
    });
  });
});

describe('root key', () => {
  test('is created once, 32 raw bytes in a private file', async () => {
    await withTemporaryDirectory(async (path) => {
      const file = join(path, 'root.key');
      assert.deepEqual(readOrCreateRootKey(file, randomKey), key);
      assert.deepEqual(new Uint8Array(readFileSync(file)), key);
      assert.equal(modeOf(file), 0o600);
      assert.deepEqual(readOrCreateRootKey(file, noRandom), key);
    });
  });

  test('is returned as a copy: wiping it does not change the file', async () => {
    await withTemporaryDirectory(async (path) => {
      const file = join(path, 'root.key');
      readOrCreateRootKey(file, randomKey).fill(0);
      readOrCreateRootKey(file, noRandom).fill(0);
      assert.deepEqual(readOrCreateRootKey(file, noRandom), key);
    });
  });

  test('leaves no copy behind', async (t) => {
    const buffers: Uint8Array[] = [];
    const { readSync } = fs;
    t.mock.method(fs, 'readSync', (file: number, buffer: Uint8Array) => {
      buffers.push(buffer);
      return readSync(file, buffer);
    });
    syncBuiltinESMExports();
    t.after(() => {
      t.mock.restoreAll();
      syncBuiltinESMExports();
    });
    await withTemporaryDirectory(async (path) => {
      const file = join(path, 'root.key');
      writeFileSync(file, key, { mode: 0o600 });
      readOrCreateRootKey(file, noRandom).fill(0);
      writeFileSync(file, utf8('a key in hex, say'));
      assert.throws(() => readOrCreateRootKey(file, noRandom));
    });
    assert.equal(buffers.length, 2);
    for (const buffer of buffers) assert.deepEqual(buffer, new Uint8Array(buffer.length));
  });

  test('of another length is refused and stays unchanged', async () => {
    for (const length of [0, 1, 31, 33, 64, 65]) {
      await withTemporaryDirectory(async (path) => {
        const file = join(path, 'root.key');
        writeFileSync(file, new Uint8Array(length), { mode: 0o600 });
        assert.throws(
          () => readOrCreateRootKey(file, noRandom),
          refusal(new RegExp(`exactly 32 raw bytes, it holds ${length}$`)),
        );
        assert.equal(readFileSync(file).length, length);
      });
    }
  });

  test('that others may open is refused, with the command that fixes it', async () => {
    for (const mode of [0o640, 0o604, 0o660, 0o620, 0o610, 0o644]) {
      await withTemporaryDirectory(async (path) => {
        const file = join(path, 'root.key');
        writeFileSync(file, key);
        chmodSync(file, mode);
        assert.throws(
          () => readOrCreateRootKey(file, noRandom),
          refusal(new RegExp(`mode 0${mode.toString(8)}.*chmod 600 ${file}$`)),
        );
        chmodSync(file, 0o400);
        assert.deepEqual(readOrCreateRootKey(file, noRandom), key);
      });
    }
  });

  test('is never shown in a refusal', async () => {
    await withTemporaryDirectory(async (path) => {
      const file = join(path, 'root.key');
      writeFileSync(file, 'correct horse battery staple', { mode: 0o600 });
      assert.throws(
        () => readOrCreateRootKey(file, noRandom),
        (error) => {
          assert.ok(error instanceof UnusableDataError);
          return !error.message.includes('horse');
        },
      );
    });
  });

  test('needs a random source that returns the requested length', async () => {
    await withTemporaryDirectory(async (path) => {
      const file = join(path, 'root.key');
      assert.throws(() => readOrCreateRootKey(file, () => new Uint8Array(31)));
      assert.deepEqual(readdirSync(path), []);
    });
  });
});

function withUmask<Value>(mask: number, run: () => Value): Value {
  const previous = process.umask(mask);
  try {
    return run();
  } finally {
    process.umask(previous);
  }
}

function modeOf(path: string): number {
  return statSync(path).mode & 0o777;
}

function refusal(sentence: RegExp): (error: unknown) => boolean {
  return (error) => error instanceof UnusableDataError && sentence.test(error.message);
}
