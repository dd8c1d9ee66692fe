// Builds the Debian package: the files of the npm package below /usr/lib, a unit, a user and a folder for
// settings.

import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { type ArchivedFile, modifiedAtSeconds } from './tar.ts';

/** The target of each file of `packaging/debian/`; files of `DEBIAN` are for dpkg. */
const places: Readonly<Record<string, { readonly path: string; readonly mode: number }>> = {
  'keywright.service': { path: 'usr/lib/systemd/system/keywright.service', mode: 0o644 },
  'keywright-enclave.service': {
    path: 'usr/lib/systemd/system/keywright-enclave.service',
    mode: 0o644,
  },
  'keywright-key-holder.service': {
    path: 'usr/lib/systemd/system/keywright-key-holder.service',
    mode: 0o644,
  },
  'key-holder.conf': { path: 'usr/share/keywright/key-holder.conf', mode: 0o644 },
  'two-users.conf': { path: 'usr/share/keywright/two-users.conf', mode: 0o644 },
  environment: { path: 'etc/keywright/environment', mode: 0o600 },
  'lintian-overrides': { path: 'usr/share/lintian/overrides/keywright', mode: 0o644 },
  copyright: { path: 'usr/share/doc/keywright/copyright', mode: 0o644 },
  postinst: { path: 'DEBIAN/postinst', mode: 0o755 },
  prerm: { path: 'DEBIAN/prerm', mode: 0o755 },
  postrm: { path: 'DEBIAN/postrm', mode: 0o755 },
};

const maintainer = 'the authors of Keywright <security@keywright.invalid>';

/** The completion file of each shell. */
const completions: Readonly<Record<string, string>> = {
  bash: 'usr/share/bash-completion/completions/keywright',
  zsh: 'usr/share/zsh/vendor-completions/_keywright',
  fish: 'usr/share/fish/vendor_completions.d/keywright.fish',
};

/**
 * Builds the package from the files of the npm package, in a temporary folder next to `target`. Needs
 * dpkg-deb.
 */
export function buildDebianPackage(
  root: string,
  files: readonly ArchivedFile[],
  version: string,
  target: string,
): void {
  const tree = `${target}.tree`;
  const put = (path: string, bytes: Uint8Array | string, mode: number) => {
    mkdirSync(dirname(join(tree, path)), { recursive: true });
    writeFileSync(join(tree, path), bytes);
    // Independent of the umask of the build.
    chmodSync(join(tree, path), mode);
  };
  for (const { path, bytes, isExecutable } of files) {
    put(`usr/lib/keywright/${path}`, bytes, isExecutable ? 0o755 : 0o644);
  }
  for (const [name, { path, mode }] of Object.entries(places)) {
    put(path, readFileSync(join(root, 'packaging', 'debian', name)), mode);
  }
  const command = join(tree, 'usr/lib/keywright/bin/keywright.cjs');
  for (const [shell, path] of Object.entries(completions)) {
    put(path, execFileSync(process.execPath, [command, 'completion', shell]), 0o644);
  }
  // Without time and file name, which would differ between builds.
  const manual = readFileSync(join(root, 'packaging', 'keywright.1'));
  put('usr/share/man/man1/keywright.1.gz', gzipSync(manual, { level: 9 }), 0o644);
  const changes = changelogOf(version);
  put('usr/share/doc/keywright/changelog.gz', gzipSync(changes, { level: 9 }), 0o644);
  const sizeKib = Math.ceil(files.reduce((sum, { bytes }) => sum + bytes.length, 0) / 1024);
  put('DEBIAN/control', controlOf(version, sizeKib), 0o644);
  put('DEBIAN/conffiles', '/etc/keywright/environment\n', 0o644);
  for (const [path, points] of [
    ['usr/bin/keywright', '../lib/keywright/bin/keywright.cjs'],
    ['usr/share/doc/keywright/docs', '../../../lib/keywright/docs'],
  ] as const) {
    mkdirSync(dirname(join(tree, path)), { recursive: true });
    symlinkSync(points, join(tree, path));
  }
  execFileSync('find', [tree, '-type', 'd', '-exec', 'chmod', '0755', '{}', '+']);
  execFileSync('dpkg-deb', ['--root-owner-group', '-Zgzip', '--build', tree, target], {
    env: { ...process.env, SOURCE_DATE_EPOCH: String(modifiedAtSeconds) },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  rmSync(tree, { recursive: true });
}

function controlOf(version: string, sizeKib: number): string {
  return `${[
    'Package: keywright',
    `Version: ${version}`,
    'Architecture: all',
    'Section: admin',
    'Priority: optional',
    `Maintainer: ${maintainer}`,
    `Installed-Size: ${sizeKib}`,
    // Debian's own package is older in the stable releases; the package of the Node project has the same
    // name.
    'Depends: nodejs (>= 26), passwd',
    'Description: wallet and key management service, self-hosted',
    ' Holds the keys of wallets in a process without network and disk, and signs',
    ' what the policies of an organization allow. This package brings the service,',
    ' its command line and a unit of systemd. The installation does not start it.',
  ].join('\n')}\n`;
}

/** Returns the changelog in the required Debian format, which refers to CHANGELOG.md. */
function changelogOf(version: string): string {
  const at = new Date(modifiedAtSeconds * 1000).toUTCString().replace('GMT', '+0000');
  return [
    `keywright (${version}) unstable; urgency=medium`,
    '',
    '  * /usr/lib/keywright/CHANGELOG.md lists what changed.',
    '',
    ` -- ${maintainer}  ${at}`,
    '',
  ].join('\n');
}
