// Removes the line end of one-line files such as passphrases and keys; editors on Windows write CR LF.

const lineFeed = 0x0a;
const carriageReturn = 0x0d;

/** Returns the bytes without a final line end (LF or CR LF), as a view of the same memory. */
export function withoutLineEnd<Bytes extends Uint8Array>(bytes: Bytes): Bytes {
  if (bytes.at(-1) !== lineFeed) return bytes;
  const end = bytes.at(-2) === carriageReturn ? -2 : -1;
  return bytes.subarray(0, end) as Bytes;
}
