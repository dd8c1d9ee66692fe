// Roots of file systems for tests that install packages without changing the machine.

import { execFileSync, type SpawnSyncReturns, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after } from 'node:test';
import { temporaryDirectory, until } from '../e2e/service.ts';

/** A copy of this machine, whose changes are discarded: an overlay in its own mount namespace. */
export type CopiedMachine = {
  /** The path of the copy's root outside the copy. */
  readonly root: string;
  /** The words before a command that run it inside the copy. */
  readonly inside: readonly string[];
  readonly run: (...words: readonly string[]) => SpawnSyncReturns<string>;
};

const mounts = `
mount -t tmpfs tmpfs "$1"
mkdir "$1/upper" "$1/work" "$1/root"
mount -t overlay overlay -o "lowerdir=/,upperdir=$1/upper,workdir=$1/work" "$1/root"
for place in proc dev; do mount --rbind "/$place" "$1/root/$place"; done
`;

/** Returns the reason why no machine can be copied here; undefined if it can. */
export function noCopies(): string | undefined {
  if (process.getuid?.() !== 0) return 'needs root, who may mount';
  const words = [...ownMounts, `${mounts}`, 'sh', temporaryDirectory()];
  return spawnSync('unshare', words).status === 0 ? undefined : 'needs overlays and namespaces';
}

const ownMounts = ['--mount', '--propagation', 'private', 'sh', '-ec'];

/** Copies the machine until the tests of the file end. */
export async function copyMachine(): Promise<CopiedMachine> {
  const folder = temporaryDirectory();
  const words = [...ownMounts, `${mounts}\necho ready\nexec sleep infinity`, 'sh', folder];
  const holder = spawn('unshare', words, { stdio: ['ignore', 'pipe', 'inherit'] });
  after(() => holder.kill('SIGKILL'));
  await once(holder.stdout, 'data');
  const root = join(folder, 'root');
  const inside = ['nsenter', `--target=${holder.pid}`, '--mount', '/usr/sbin/chroot'];
  return {
    root: `/proc/${holder.pid}/root${root}`,
    inside: [...inside, root],
    run: (...typed) => {
      const [program = '', ...rest] = [...inside, root, ...typed];
      return spawnSync(program, rest, { encoding: 'utf8' });
    },
  };
}

/** Returns the reason why systemd cannot boot in a copy of this machine; undefined if it can. */
export function noBoot(): string | undefined {
  const container = '/usr/bin/systemd-nspawn';
  return existsSync(container) ? noCopies() : 'needs systemd-nspawn, of systemd-container';
}

/**
 * Boots systemd as the first process of a copy of this machine. The copy has the network of the machine.
 * Returns undefined if systemd does not start, such as on a kernel without control groups.
 */
export async function bootMachine(): Promise<CopiedMachine | undefined> {
  const { root, inside } = await copyMachine();
  const [place = ''] = inside.slice(-1);
  // A machine has its own id, which a first start writes, and its own devices and processes.
  const clear = ': > "$1/etc/machine-id"; umount --recursive "$1/dev" "$1/proc"';
  execFileSync('nsenter', [...inside.slice(1, 3), 'sh', '-ec', clear, 'sh', place]);
  const container = spawn(
    'nsenter',
    [
      ...inside.slice(1, 3),
      ...['systemd-nspawn', '--quiet', '--register=no', '--keep-unit', '--console=pipe'],
      ...['--directory', place, '--boot', 'systemd.unit=basic.target'],
    ],
    { stdio: ['ignore', 'ignore', 'inherit'] },
  );
  const ended = once(container, 'exit');
  after(async () => {
    // The first signal asks systemd to stop its units; the copy is discarded anyway.
    container.kill('SIGTERM');
    container.kill('SIGTERM');
    await ended;
  });
  let first = '';
  let hasEnded = false;
  void ended.then(() => {
    hasEnded = true;
  });
  const booted = until('systemd has started', () => {
    if (hasEnded) return true;
    const children = `/proc/${container.pid}/task/${container.pid}/children`;
    first = readFileSync(children, 'utf8').trim().split(' ')[0] ?? '';
    return first !== '' && isBooted(first);
  });
  const isUp = await booted.then(
    () => !hasEnded,
    () => false,
  );
  if (!isUp) return undefined;
  const within = ['nsenter', `--target=${first}`, '--all'];
  return {
    root,
    inside: within,
    run: (...typed) => spawnSync('nsenter', [...within.slice(1), ...typed], { encoding: 'utf8' }),
  };
}

function isBooted(first: string): boolean {
  const words = [`--target=${first}`, '--all', 'systemctl', 'is-system-running'];
  const { stdout } = spawnSync('nsenter', words, { encoding: 'utf8' });
  return /^(running|degraded)$/m.test(stdout);
}

/** Copies the files of installed Debian packages and a Node, in place of the base of an image. */
export function baseOfImage(folder: string): void {
  const packages = [
    ...['libc6', 'libc-bin', 'coreutils', 'dash', 'tar', 'gzip', 'libstdc++6', 'libgcc-s1'],
    ...['libselinux1', 'libacl1', 'libattr1', 'libpcre2-8-0', 'zlib1g', 'libgmp10', 'libatomic1'],
  ];
  for (const path of [
    'usr/bin',
    'usr/sbin',
    'usr/lib',
    'usr/lib64',
    'usr/local/bin',
    'opt/yarn-v1',
  ]) {
    mkdirSync(join(folder, path), { recursive: true });
  }
  const script = `
cd "$1"
for name in bin sbin lib lib64; do ln -s "usr/$name" "$name"; done
mkdir -m 1777 tmp
mkdir -p proc dev etc usr/local/lib/node_modules/npm
dpkg -L $3 | sort -u | while read -r file; do
  if [ ! -d "$file" ] || [ -L "$file" ]; then echo "$file"; fi
done | grep -v /usr/share/ | tar -C / --create --no-recursion --files-from=- |
  tar --extract --keep-directory-symlink --directory .
cp "$2" usr/local/bin/node
touch usr/local/bin/npm usr/local/bin/npx
echo 'root:x:0:0:root:/root:/bin/sh' > etc/passwd
`;
  const words = ['-ec', script, 'sh', folder, process.execPath, packages.join(' ')];
  execFileSync('sh', words, { stdio: ['ignore', 'ignore', 'pipe'] });
}
