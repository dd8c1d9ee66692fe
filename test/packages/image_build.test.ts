// Builds the Dockerfile without a daemon or a registry: Debian files of this machine replace the base
// image. The result runs read-only as its configuration says.

import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { chownSync, copyFileSync, existsSync, lstatSync, mkdirSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { signOnce } from '../e2e/clients.ts';
import { startService, temporaryDirectory } from '../e2e/service.ts';
import { testsThatNeed } from '../support/tests_that_need.ts';
import { baseOfImage, noCopies } from './machines.ts';
import { packed } from './packed.ts';

const hasBuildah = spawnSync('buildah', ['--version']).status === 0;
const { test } = testsThatNeed(
  hasBuildah ? noCopies() : 'needs buildah, which builds images without a daemon',
);

const unprivileged = 65532;

test('the Dockerfile builds, and the service of the image signs as its user on a read-only root', async () => {
  const folder = temporaryDirectory();
  const store = [
    '--storage-driver=vfs',
    `--root=${join(folder, 'images')}`,
    `--runroot=${join(folder, 'run')}`,
  ];
  const buildah = (...words: readonly string[]) =>
    execFileSync('buildah', [...store, ...words], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    }).trim();

  const base = join(folder, 'base', 'root');
  mkdirSync(base, { recursive: true });
  baseOfImage(base);
  writeFileSync(join(folder, 'base', 'Dockerfile'), 'FROM scratch\nCOPY root /\n');
  buildah('build', '--isolation=chroot', '--tag=base', join(folder, 'base'));

  const archives = await packed();
  const context = join(folder, 'context');
  mkdirSync(context);
  for (const name of [/^keywright-[0-9].*\.tgz$/, /^Dockerfile$/]) {
    copyFileSync(archives.file(name), join(context, basename(archives.file(name))));
  }
  const asked = ['--format=docker', '--isolation=chroot', '--build-arg=NODE_IMAGE=localhost/base'];
  buildah('build', ...asked, '--tag=keywright', context);

  const { config } = JSON.parse(buildah('inspect', '--type=image', 'keywright')).Docker;
  assert.equal(config.User, `${unprivileged}:${unprivileged}`);
  assert.deepEqual(config.Volumes, { '/data': {} });
  assert.equal(config.Healthcheck.Test[0], 'CMD');

  const root = buildah('mount', buildah('from', '--pull-never', 'localhost/keywright'));
  const inImage = (path: string) => join(root, path);
  const { uid, mode } = lstatSync(inImage('data'));
  assert.deepEqual([uid, mode & 0o777], [unprivileged, 0o700]);
  for (const gone of ['usr/local/bin/npm', 'usr/local/lib/node_modules', 'opt/yarn-v1']) {
    assert(!existsSync(inImage(gone)), gone);
  }

  const data = join(folder, 'data');
  mkdirSync(data, { mode: 0o700 });
  chownSync(data, unprivileged, unprivileged);
  const mounts = `
mount --bind "$1" "$1"
mount --bind "$2" "$1/data"
for place in proc dev; do mount --rbind "/$place" "$1/$place"; done
mount -o remount,bind,ro "$1"
root=$1
shift 2
exec chroot --userspec=${unprivileged}:${unprivileged} "$root" "$@"`;
  const environment = ['env', '--ignore-environment', '--chdir=/data', ...config.Env];
  const inside = [
    'unshare',
    '--mount',
    '--propagation',
    'private',
    'sh',
    '-ec',
    mounts,
    'sh',
    root,
    data,
  ];
  const service = await startService({
    dataDirectory: data,
    command: [...inside, ...environment, 'KEYWRIGHT_PORT=0', ...config.Entrypoint, ...config.Cmd],
  });
  await signOnce(service);

  const [, ...health] = config.Healthcheck.Test;
  const probe = (port: string) => {
    const [program = '', ...words] = [
      ...inside,
      ...environment,
      `KEYWRIGHT_PORT=${port}`,
      ...health,
    ];
    return spawnSync(program, words).status;
  };
  const { port } = new URL(service.baseUrl);
  assert.equal(probe(port), 0, 'the health check of a service that is ready');
  await service.stop();
  assert.equal(probe(port), 1, 'the health check of one that is not there');
});
