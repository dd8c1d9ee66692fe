// Converts offsets: the policy language counts bytes of UTF-8, the editor counts UTF-16 units.

/** Converts an offset in UTF-8 bytes to UTF-16 units. Returns the length of the text for larger offsets. */
export function unitsAt(text: string, bytes: number): number {
  let [at, left] = [0, bytes];
  while (left > 0 && at < text.length) {
    const point = text.codePointAt(at) ?? 0;
    left -= bytesOf(point);
    at += point > 0xffff ? 2 : 1;
  }
  return at;
}

function bytesOf(point: number): number {
  if (point < 0x80) return 1;
  if (point < 0x800) return 2;
  return point < 0x1_0000 ? 3 : 4;
}

/** Returns the line and the column of an offset, both counted from 1. */
export function lineAndColumn(text: string, at: number): { line: number; column: number } {
  const before = text.slice(0, at).split('\n');
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
}
