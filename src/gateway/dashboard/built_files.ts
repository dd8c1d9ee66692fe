// The built dashboard in memory, read once at the start, so that no request accesses the disk.

import { Buffer } from 'node:buffer';
import { existsSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, gzip } from 'node:zlib';
import { isJsonObject, parsedJson } from '../../core/schema/json.ts';
import { UnusableDataError } from '../../store/unusable_data_error.ts';
import { sharedBytes } from '../base/shared_bytes.ts';

export type ContentEncoding = 'br' | 'gzip' | 'identity';

export type BuiltFile = {
  readonly type: string;
  /** True if its name contains a hash of its content, so that clients may cache it. */
  readonly isHashed: boolean;
  /**
   * Returns its bytes in an encoding. The build has compressed forms for `br`; others are compressed at the
   * first call and cached.
   */
  readonly encoded: (encoding: ContentEncoding) => Promise<Buffer>;
};

/** The files of one build. */
export type BuiltDashboard = {
  readonly version: string;
  /** Digest of the import map in `index.html`, as `script-src` names it. */
  readonly importMap: string;
  /** By their path below `/dashboard/`. */
  readonly files: ReadonlyMap<string, BuiltFile>;
};

/** The list of the files with their SHA-256, which the build writes. */
const integrityFile = 'integrity.json';
const maximumFiles = 500;
const maximumBytes = 8 * 1024 * 1024;

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.webmanifest': 'application/manifest+json',
};

/** Returns the first folder with a build; undefined if none has one. */
export function findBuild(folders: readonly string[]): string | undefined {
  return folders.find((folder) => existsSync(join(folder, integrityFile)));
}

/**
 * Reads only the files that `integrity.json` of a folder lists. Raises UnusableDataError if the list is
 * unreadable, names a missing file, or is larger than any build.
 */
export function readBuild(folder: string): BuiltDashboard {
  const unusable = (why: string): never => {
    throw new UnusableDataError(`the dashboard in ${folder} cannot be used: ${why}`);
  };
  const read = (path: string): Uint8Array => {
    if (!existsSync(join(folder, path))) return unusable(`${path} is missing`);
    return readFileSync(join(folder, path));
  };
  const list = parsedJson(Buffer.from(read(integrityFile)).toString('utf8'));
  const { version, importMap, files } = isJsonObject(list) ? list : {};
  if (
    typeof version !== 'string' ||
    typeof importMap !== 'string' ||
    !isJsonObject(files ?? null)
  ) {
    return unusable(`${integrityFile} is not the list of a build`);
  }
  const names = [...Object.keys(files ?? {}), integrityFile];
  if (names.length > maximumFiles) unusable(`it lists more than ${maximumFiles} files`);
  let totalBytes = 0;
  const built = names.map((path) => {
    const bytes = read(path);
    totalBytes += bytes.length;
    if (totalBytes > maximumBytes) unusable(`it is larger than ${maximumBytes} bytes`);
    const compressed = `${path}.br`;
    const br = existsSync(join(folder, compressed)) ? read(compressed) : undefined;
    return [path, builtFile(path, bytes, br)] as const;
  });
  return { version, importMap, files: new Map(built) };
}

function builtFile(path: string, bytes: Uint8Array, br?: Uint8Array): BuiltFile {
  const encoders: Readonly<Record<ContentEncoding, () => Promise<Uint8Array>>> = {
    br: async () => br ?? brotli(bytes),
    gzip: () => zipped(bytes, { level: 9 }),
    identity: async () => bytes,
  };
  const kept = new Map<ContentEncoding, Promise<Buffer>>();
  return {
    type: types[extname(path)] ?? 'application/octet-stream',
    isHashed: path.startsWith('assets/'),
    encoded: (encoding) => {
      const known = kept.get(encoding) ?? encoders[encoding]().then(sharedBytes);
      kept.set(encoding, known);
      return known;
    },
  };
}

const brotli = promisify(brotliCompress);
const zipped = promisify(gzip);
