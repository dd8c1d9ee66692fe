// Reproducible archives: the same files give the same bytes, on any machine and at any time.

import assert from 'node:assert/strict';
import { gzipSync } from 'node:zlib';

export type ArchivedFile = {
  /** Within the archive, with `/`. */
  readonly path: string;
  readonly bytes: Uint8Array;
  readonly isExecutable: boolean;
};

/** 26 October 1985, which npm writes as well: the time of a file is no part of a release. */
export const modifiedAtSeconds = 499_162_500;

const blockBytes = 512;

/** A tar archive in the format of POSIX.1-1988 (ustar), gzipped, with the files in order of their paths. */
export function archive(files: readonly ArchivedFile[]): Uint8Array {
  const ordered = files.toSorted((a, b) => (a.path < b.path ? -1 : 1));
  const blocks = ordered.flatMap((file) => [
    headerOf(file),
    file.bytes,
    Buffer.alloc(-file.bytes.length & (blockBytes - 1)),
  ]);
  const zipped = gzipSync(Buffer.concat([...blocks, Buffer.alloc(2 * blockBytes)]), { level: 9 });
  // RFC 1952, section 2.3: no time, and an unknown operating system.
  zipped.fill(0, 4, 8);
  zipped[9] = 255;
  return zipped;
}

function headerOf({ path, bytes, isExecutable }: ArchivedFile): Uint8Array {
  const { prefix, name } = splitPath(path);
  const header = Buffer.alloc(blockBytes);
  const octal = (value: number, width: number) => `${value.toString(8).padStart(width - 1, '0')}\0`;
  header.write(name, 0);
  header.write(octal(isExecutable ? 0o755 : 0o644, 8), 100);
  header.write(octal(0, 8), 108);
  header.write(octal(0, 8), 116);
  header.write(octal(bytes.length, 12), 124);
  header.write(octal(modifiedAtSeconds, 12), 136);
  // The checksum counts itself as blanks.
  header.write(' '.repeat(8), 148);
  header.write('0', 156);
  header.write('ustar\x0000', 257);
  header.write(octal(0, 8), 329);
  header.write(octal(0, 8), 337);
  header.write(prefix, 345);
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
  return header;
}

/** A path of more than 100 bytes is cut at a `/`, and what is before goes into a field of 155. */
function splitPath(path: string): { readonly prefix: string; readonly name: string } {
  if (Buffer.byteLength(path) <= 100) return { prefix: '', name: path };
  const cut = path.indexOf('/', path.length - 101);
  const [prefix, name] = [path.slice(0, cut), path.slice(cut + 1)];
  const fits = cut > 0 && Buffer.byteLength(prefix) <= 155 && Buffer.byteLength(name) <= 100;
  assert(fits && name !== '', `the path is too long for an archive: ${path}`);
  return { prefix, name };
}
