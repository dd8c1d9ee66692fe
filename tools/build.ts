// Builds the published packages. `npm run build` writes their folders to dist/. `npm run pack` also writes
// their archives, the bill of materials of each, the inputs of an image, a Debian package if dpkg-deb is
// installed, and the digests of these files. The same sources and packages give the same bytes. With
// RELEASE_KEY_FILE, the path of a private key, it signs the digests and the list of dashboard files.

import { createHash } from 'node:crypto';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { delimiter, dirname, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { clientPackage } from './packages/client_package.ts';
import { buildDebianPackage } from './packages/debian.ts';
import type { Package } from './packages/package_files.ts';
import { recoveryTool } from './packages/recovery_tool.ts';
import { type ReleaseKey, releaseKeyIn } from './packages/release_key.ts';
import { billOfMaterials } from './packages/sbom.ts';
import { servicePackage } from './packages/service_package.ts';
import { type ArchivedFile, archive } from './packages/tar.ts';
import { verifierPackage } from './packages/verifier_package.ts';

const root = join(import.meta.dirname, '..');

const { values } = parseArgs({
  options: { pack: { type: 'boolean', default: false }, to: { type: 'string', default: 'dist' } },
});
const output = resolve(root, values.to);
const releaseKeyFile = process.env['RELEASE_KEY_FILE'] ?? '';
// An unusable key ends the build before it removes any file.
const releaseKey = values.pack && releaseKeyFile !== '' ? releaseKeyIn(releaseKeyFile) : undefined;

rmSync(output, { recursive: true, force: true });
const service = await servicePackage(root);
/** Each package, by its folder in dist/. */
const packages = {
  keywright: service,
  client: clientPackage(root),
  receipts: await verifierPackage(root),
};
for (const [folder, made] of Object.entries(packages)) {
  writeFiles(join(output, folder), made.files);
  if (values.pack) pack(made);
}
if (values.pack) {
  packForDebian(service);
  cpSync(join(root, 'packaging', 'Dockerfile'), join(output, 'Dockerfile'));
  cpSync(join(output, 'keywright', recoveryTool), join(output, recoveryTool));
  if (releaseKey !== undefined) signDashboard(releaseKey);
  writeFileSync(join(output, 'SHA256SUMS'), digests());
  if (releaseKey !== undefined) signDigests(releaseKey);
}

/** Signs the list of the dashboard's files in the package, since `dashboard verify` needs both. */
function signDashboard(key: ReleaseKey): void {
  const list = readFileSync(join(output, 'keywright', 'dashboard', 'integrity.json'));
  writeFileSync(join(output, 'integrity.json.sig'), key.sign(list));
}

/** Signs the digests of all other files, and writes the public key, which users should obtain elsewhere. */
function signDigests(key: ReleaseKey): void {
  const digestsFile = join(output, 'SHA256SUMS');
  writeFileSync(`${digestsFile}.sig`, key.sign(readFileSync(digestsFile)));
  writeFileSync(join(output, 'release.pub'), key.publicPem);
}

/** Writes an archive in the form of npm, with all files below `package/`, and its bill of materials. */
function pack(made: Package): void {
  const { name, version } = made.manifest;
  const file = `${name.replace('@', '').replace('/', '-')}-${version}`;
  const below = made.files.map((each) => ({ ...each, path: `package/${each.path}` }));
  writeFileSync(join(output, `${file}.tgz`), archive(below));
  writeFileSync(join(output, `${file}.cdx.json`), billOfMaterials(made));
}

function packForDebian({ files, manifest: { version } }: Package): void {
  if (isThere('dpkg-deb')) {
    buildDebianPackage(root, files, version, join(output, `keywright_${version}_all.deb`));
  } else {
    process.stderr.write('no Debian package: dpkg-deb is not here\n');
  }
}

function isThere(program: string): boolean {
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  return folders.some((folder) => existsSync(join(folder, program)));
}

function writeFiles(folder: string, files: readonly ArchivedFile[]): void {
  for (const { path, bytes, isExecutable } of files) {
    const target = join(folder, path);
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, bytes, { mode: isExecutable ? 0o755 : 0o644 });
  }
}

/** Returns the digests in the format of `sha256sum --check`. */
function digests(): string {
  return readdirSync(output, { withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name }) => name)
    .sort()
    .map((name) => {
      const bytes = readFileSync(join(output, name));
      return `${createHash('sha256').update(bytes).digest('hex')}  ${name}\n`;
    })
    .join('');
}
