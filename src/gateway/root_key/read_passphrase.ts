// Reads passphrases as bytes from a file or a descriptor: one line, without its line end.

import { wipe } from '../../core/base/bytes.ts';
import { withoutLineEnd } from '../../core/base/line_end.ts';
import { readSecretFile } from '../../store/data_directory/secret_file.ts';
import { UnusableDataError } from '../../store/unusable_data_error.ts';
import { readDescriptor } from './read_descriptor.ts';
import { passphraseBytes } from './sealed_key.ts';

const lineFeed = 0x0a;
/** Includes the line end. */
const maximumBytes = passphraseBytes.maximum + 2;

/** Returns the passphrase in a file, the caller's to wipe. Raises UnusableDataError. */
export function readPassphraseFile(path: string): Uint8Array {
  const read = readSecretFile({ path, what: 'the passphrase', maximumBytes });
  if (read === undefined) throw new UnusableDataError(`there is no passphrase at ${path}`);
  return passphraseOf(read.bytes, path);
}

/** Resolves with the passphrase from a descriptor, the caller's to wipe. Raises UnusableDataError. */
export async function readPassphraseDescriptor(
  descriptor: number,
  signal: AbortSignal,
): Promise<Uint8Array> {
  const bytes = await readDescriptor(descriptor, maximumBytes, signal);
  return passphraseOf(bytes, `descriptor ${descriptor}`);
}

/**
 * Returns the passphrase in these bytes, in the same memory, without its line end. Wipes the bytes and raises
 * UnusableDataError if they are empty, too long or several lines.
 */
export function passphraseOf(bytes: Uint8Array, place: string): Uint8Array {
  const line = withoutLineEnd(bytes);
  const fault =
    line.length === 0
      ? 'is empty'
      : line.length > passphraseBytes.maximum
        ? `has more than ${passphraseBytes.maximum} bytes`
        : line.includes(lineFeed)
          ? 'has more than one line'
          : undefined;
  if (fault === undefined) return line;
  wipe(bytes);
  throw new UnusableDataError(`the passphrase from ${place} ${fault}`);
}
