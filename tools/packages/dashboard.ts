// Builds the dashboard as files of a package. `index.html` pins every file that the page loads: its style
// sheet and modules by digest, later modules by the import map, whose own digest is in `integrity.json`.

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress } from 'node:zlib';
import { build } from 'vite';
import config from '../../dashboard/vite.config.ts';
import { textOfJson } from './package_files.ts';
import type { ArchivedFile } from './tar.ts';

type Bytes = Uint8Array | string;

/**
 * Returns the built files by their paths below `/dashboard/`, with `integrity.json`. Each has a compressed
 * form of the best quality beside it (`.br`), so that the service does not compress them after each start.
 */
export async function builtDashboard(root: string): Promise<ReadonlyMap<string, Uint8Array>> {
  const built = await build({
    ...config,
    root: join(root, 'dashboard'),
    configFile: false,
    mode: 'production',
    logLevel: 'error',
    build: { ...config.build, write: false },
  });
  assert('output' in built, 'one build has one output');
  const files = new Map<string, Bytes>(
    built.output
      .map((file) => [file.fileName, file.type === 'chunk' ? file.code : file.source] as const)
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  );
  const { html, importMap } = pinned(String(files.get('index.html')), files);
  files.set('index.html', html);
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const digests = [...files].map(([path, bytes]) => [path, digestOf(bytes, 'hex')]);
  files.set(
    'integrity.json',
    textOfJson({ version, importMap, files: Object.fromEntries(digests) }),
  );
  const written = [...files].map(([path, bytes]) => [path, Buffer.from(bytes)] as const);
  const compressed = written.map(
    async ([path, bytes]) => [`${path}.br`, await brotli(bytes)] as const,
  );
  return new Map([...written, ...(await Promise.all(compressed))]);
}

const brotli = promisify(brotliCompress);

/** Returns the built files in the form of a package, below `dashboard/`. */
export async function dashboardFiles(root: string): Promise<readonly ArchivedFile[]> {
  const files = [...(await builtDashboard(root))];
  return files.map(([path, bytes]) => ({ path: `dashboard/${path}`, bytes, isExecutable: false }));
}

/**
 * Returns the page with a digest for each file that it loads, now or later, and the digest of its import
 * map.
 */
function pinned(html: string, files: ReadonlyMap<string, Bytes>) {
  const integrityOf = (path: string): string => {
    const bytes = files.get(path);
    assert(bytes !== undefined, `the page loads ${path}, which was not built`);
    return `sha256-${digestOf(bytes, 'base64')}`;
  };
  const modules = [...files.keys()].filter((path) => path.endsWith('.js'));
  const map = JSON.stringify({
    integrity: Object.fromEntries(
      modules.map((path) => [`${config.base}${path}`, integrityOf(path)]),
    ),
  });
  const withDigests = html.replaceAll(
    /(?:src|href)="\/dashboard\/([^"]+)"/g,
    (attribute, path: string) => `${attribute} integrity="${integrityOf(path)}"`,
  );
  const page = withDigests.replace(
    '<script',
    `<script type="importmap">${map}</script>\n    <script`,
  );
  assert(page !== withDigests, 'the page has a script');
  return { html: page, importMap: `sha256-${digestOf(map, 'base64')}` };
}

const digestOf = (bytes: Bytes, text: 'hex' | 'base64'): string =>
  createHash('sha256').update(bytes).digest(text);
