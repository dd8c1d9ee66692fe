// Reproducible archives: the same files give the same bytes, on any machine and at any time.

import assert from 'node:assert/strict';
import { gzipSync } from 'node:zlib';
import { tarOf } from '../../src/cli/evidence/tar.ts';

export type ArchivedFile = {
  /** The path within the archive, with `/`. */
  readonly path: string;
  readonly bytes: Uint8Array;
  readonly isExecutable: boolean;
};

/** 26 October 1985, as in archives of npm: modification times are not part of a release. */
export const modifiedAtSeconds = 499_162_500;

/** Returns a gzipped tar archive in the format of POSIX.1-1988 (ustar), with the files sorted by path. */
export function archive(files: readonly ArchivedFile[]): Uint8Array {
  const ordered = files.toSorted((a, b) => (a.path < b.path ? -1 : 1));
  const entries = ordered.map(({ path, bytes, isExecutable }) => {
    return { ...splitPath(path), bytes, mode: isExecutable ? 0o755 : 0o644 };
  });
  const zipped = gzipSync(tarOf(entries, modifiedAtSeconds), { level: 9 });
  // RFC 1952, section 2.3: no time, and an unknown operating system.
  zipped.fill(0, 4, 8);
  zipped[9] = 255;
  return zipped;
}

/** Splits a path of more than 100 bytes at a `/`; the first part goes into a field of 155 bytes. */
function splitPath(path: string): { readonly prefix: string; readonly name: string } {
  if (Buffer.byteLength(path) <= 100) return { prefix: '', name: path };
  const cut = path.indexOf('/', path.length - 101);
  const [prefix, name] = [path.slice(0, cut), path.slice(cut + 1)];
  const fits = cut > 0 && Buffer.byteLength(prefix) <= 155 && Buffer.byteLength(name) <= 100;
  assert(fits && name !== '', `the path is too long for an archive: ${path}`);
  return { prefix, name };
}
