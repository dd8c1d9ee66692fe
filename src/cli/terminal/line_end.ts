// Removes the line end of one-line files such as passphrases; editors on Windows write CR LF. The command
// line imports nothing of the core, so the service has its own copy (core/base/line_end.ts).

const lineFeed = 0x0a;
const carriageReturn = 0x0d;

/** Returns the bytes without one line end (LF or CR LF) after them, in the same memory. */
export function withoutLineEnd<Bytes extends Uint8Array>(bytes: Bytes): Bytes {
  if (bytes.at(-1) !== lineFeed) return bytes;
  const end = bytes.at(-2) === carriageReturn ? -2 : -1;
  return bytes.subarray(0, end) as Bytes;
}
