import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import {
  isOpenToOthers,
  isReadOnlyMount,
  readSecretFile,
} from '../../src/store/data_directory/secret_file.ts';
import { UnusableDataError } from '../../src/store/unusable_data_error.ts';
import { testsThatNeed } from '../support/tests_that_need.ts';
import { withTemporaryDirectory } from './temporary_directory.ts';

const service = 65_532;
const key = Uint8Array.from({ length: 32 }, (_, i) => i * 7);

describe('a secret file is accepted or refused by its owner, group and mode', () => {
  /** In the order of `ls -l`: owner, group, mode, and if the mount is read-only. */
  const cases: readonly [string, number, number, number, boolean, boolean][] = [
    ['its owner alone', service, service, 0o600, false, false],
    ['its owner alone, to read', service, service, 0o400, false, false],
    ['a credential of systemd: an access list lets the service in', 0, 0, 0o440, true, false],
    ['a credential of systemd without access lists', service, 0, 0o400, true, false],
    ['a secret of Kubernetes with fsGroup', 0, service, 0o440, true, false],
    ['a secret of Kubernetes as it is by default', 0, 0, 0o644, true, true],
    ['a secret of Kubernetes as it is by default, with fsGroup', 0, service, 0o644, true, true],
    ['a group that is not of the service', 0, 1000, 0o440, true, true],
    ['a group, on a file system that can be written to', 0, service, 0o440, false, true],
    ['a group of a file that another user owns', 1000, service, 0o440, true, true],
    ['a group of a file of its own', service, service, 0o440, true, true],
    ['a group that may write', 0, service, 0o460, true, true],
    ['a group that may run it', 0, service, 0o450, true, true],
    ['everybody', 0, 0, 0o444, true, true],
    ['everybody may write', 0, 0, 0o402, true, true],
  ];
  for (const [what, uid, gid, mode, isReadOnly, isOpen] of cases) {
    test(`${what}: ${isOpen ? 'refused' : 'read'}`, () => {
      const file = { uid, gid, mode: 0o100000 | mode, isMountedReadOnly: () => isReadOnly };
      assert.equal(isOpenToOthers(file, [service]), isOpen);
    });
  }
});

test('the mount of a file is identified by its id', () => {
  const mounts = [
    '22 1 254:1 / / rw,relatime shared:1 - ext4 /dev/vda1 rw',
    '223 22 0:44 / /run/credentials/keywright.service ro,nosuid,nodev,noexec,relatime - tmpfs tmpfs rw',
    '23 22 0:45 / /home rw,errors=remount-ro - ext4 /dev/vdb ro',
    '',
  ].join('\n');
  const of = (id: string) => isReadOnlyMount(`pos:\t0\nflags:\t0100000\nmnt_id:\t${id}\n`, mounts);
  assert.equal(of('223'), true);
  assert.equal(of('22'), false);
  // Only the mount options count, not the options of the file system.
  assert.equal(of('23'), false);
  assert.equal(of('2'), false);
  assert.equal(isReadOnlyMount('', mounts), false);
});

describe('a file of a secret', () => {
  const read = (path: string) => readSecretFile({ path, what: 'the key', maximumBytes: 32 });

  test('is read through the links of Kubernetes, also after they were exchanged', async () => {
    await withTemporaryDirectory(async (path) => {
      const write = (folder: string, bytes: Uint8Array) => {
        mkdirSync(join(path, folder));
        writeFileSync(join(path, folder, 'root.key'), bytes, { mode: 0o400 });
      };
      write('..2026_01', key);
      write('..2026_02', key.toReversed());
      symlinkSync('..2026_01', join(path, '..data'));
      symlinkSync(join('..data', 'root.key'), join(path, 'root.key'));
      assert.deepEqual(read(join(path, 'root.key'))?.bytes, key);
      symlinkSync('..2026_02', join(path, '..new'));
      renameSync(join(path, '..new'), join(path, '..data'));
      assert.deepEqual(read(join(path, 'root.key'))?.bytes, key.toReversed());
    });
  });

  test('that is not a regular file is refused at once', async () => {
    await withTemporaryDirectory(async (path) => {
      execFileSync('mkfifo', ['-m', '600', join(path, 'pipe')]);
      for (const name of ['pipe', '.']) {
        assert.throws(
          () => read(join(path, name)),
          /^UnusableDataError: the key \S+ is not a plain/,
        );
      }
      assert.equal(read(join(path, 'nothing')), undefined);
    });
  });

  const mayMount =
    process.platform === 'linux' && process.getuid?.() === 0 && canUnshare()
      ? undefined
      : 'needs root of Linux, who may mount';
  const { test: testWithMounts } = testsThatNeed(mayMount);

  testWithMounts(
    'with 0440 is read where root mounted it read-only, and nowhere else',
    async () => {
      await withTemporaryDirectory(async (path) => {
        const mount = join(path, 'credentials');
        const script = join(path, 'read.ts');
        mkdirSync(mount);
        writeFileSync(
          script,
          `import { readSecretFile } from '${join(import.meta.dirname, '../../src/store/data_directory/secret_file.ts')}';
         try { console.log(readSecretFile({ path: process.argv[2], what: 'the key', maximumBytes: 32 })?.bytes.length); }
         catch (error) { console.log(error.message); }`,
        );
        const reads = (options: string, owner: string, mode: string) =>
          execFileSync(
            'unshare',
            [
              ...['--mount', 'sh', '-ec'],
              `mount -t tmpfs -o mode=0755 tmpfs "$1"; head -c 32 /dev/zero > "$1/key"
             chown ${owner} "$1/key"; chmod ${mode} "$1/key"; mount -o remount,${options},bind "$1"
             exec setpriv --groups ${service} "$2" "$3" "$1/key"`,
              ...['sh', mount, process.execPath, script],
            ],
            { encoding: 'utf8' },
          ).trim();
        assert.equal(reads('ro', `0:${service}`, '0440'), '32');
        assert.match(
          reads('rw', `0:${service}`, '0440'),
          /is open to other users \(mode 0440\), close/,
        );
        assert.match(reads('ro', `0:${service}`, '0444'), /\(mode 0444\), mount it with mode 0400/);
      });
    },
  );
});

function canUnshare(): boolean {
  try {
    execFileSync('unshare', ['--mount', 'setpriv', '--version'], { stdio: 'ignore' });
    return true;
  } catch {
    // The program is missing, or the container lacks the right.
    return false;
  }
}

test('a refusal is one that the operator can fix', () => {
  assert.throws(
    () => readSecretFile({ path: '/', what: 'the key', maximumBytes: 32 }),
    UnusableDataError,
  );
});
