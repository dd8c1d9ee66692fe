// Archives of plain files in the ustar format (POSIX.1-1988), which every tar program opens.

const blockBytes = 512;
const maximumFiles = 5_000;

export type ArchivedFile = {
  /** At most 100 bytes. */
  readonly name: string;
  /** The folders before the name, at most 155 bytes. */
  readonly prefix?: string;
  readonly bytes: Uint8Array;
  /** Permissions, such as 0o644. By default only the owner reads the file. */
  readonly mode?: number;
};

/** Returns the archive of files, in their order. `atSeconds`: modification time of all files, since 1970. */
export function tarOf(files: readonly ArchivedFile[], atSeconds: number): Uint8Array {
  const parts = files.flatMap((file) => {
    const rest = (blockBytes - (file.bytes.length % blockBytes)) % blockBytes;
    return [headerOf(file, atSeconds), file.bytes, new Uint8Array(rest)];
  });
  return Buffer.concat([...parts, new Uint8Array(2 * blockBytes)]);
}

function headerOf(file: ArchivedFile, atSeconds: number): Uint8Array {
  const { name, prefix = '', bytes, mode = 0o600 } = file;
  const header = Buffer.alloc(blockBytes);
  const octal = (value: number, at: number, digits: number) =>
    header.write(`${value.toString(8).padStart(digits, '0')}\0`, at, 'latin1');
  header.write(name, 0, 100);
  octal(mode, 100, 7);
  octal(0, 108, 7);
  octal(0, 116, 7);
  octal(bytes.length, 124, 11);
  octal(atSeconds, 136, 11);
  header.write('        0', 148, 'latin1');
  header.write('ustar\u000000', 257, 'latin1');
  octal(0, 329, 7);
  octal(0, 337, 7);
  header.write(prefix, 345, 155);
  header.write(`${sumOf(header).toString(8).padStart(6, '0')}\0 `, 148, 'latin1');
  return header;
}

const sumOf = (header: Uint8Array): number => header.reduce((sum, byte) => sum + byte, 0);

/**
 * Returns the files of an archive by name. Throws an error for damaged headers, repeated names, entries that
 * are no plain files, and bytes after the end.
 */
export function filesOfTar(archive: Uint8Array): ReadonlyMap<string, Uint8Array> {
  const bytes = Buffer.from(archive.buffer, archive.byteOffset, archive.length);
  const files = new Map<string, Uint8Array>();
  let at = 0;
  for (;;) {
    const header = bytes.subarray(at, at + blockBytes);
    if (header.length < blockBytes) throw new Error('the archive ends early');
    if (header.every((byte) => byte === 0)) break;
    const field = (from: number, length: number) =>
      header.toString('latin1', from, from + length).replace(/[\0 ].*$/s, '');
    const name = field(0, 100);
    const length = Number.parseInt(field(124, 12), 8);
    const unsummed = Buffer.from(header).fill(' ', 148, 156);
    const isWhole = sumOf(unsummed) === Number.parseInt(field(148, 8), 8) && length >= 0;
    const isFile = header[156] === 0x30 && field(257, 5) === 'ustar' && field(345, 155) === '';
    if (!isWhole || !isFile) throw new Error('the archive has a damaged header');
    if (files.has(name)) throw new Error(`the archive has ${name} twice`);
    if (files.size === maximumFiles) throw new Error(`the archive has over ${maximumFiles} files`);
    const begin = at + blockBytes;
    if (begin + length > bytes.length) throw new Error('the archive ends early');
    files.set(name, bytes.subarray(begin, begin + length));
    at = begin + Math.ceil(length / blockBytes) * blockBytes;
  }
  if (bytes.subarray(at).some((byte) => byte !== 0)) {
    throw new Error('the archive has data after its end');
  }
  return files;
}
