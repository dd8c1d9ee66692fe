// The language counts bytes of UTF-8, the editor counts UTF-16 units.

/** The place in a text, in UTF-16 units, of an offset in bytes of its UTF-8; its end for what is beyond. */
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

/** Line and column of a place, both from 1 on. */
export function lineAndColumn(text: string, at: number): { line: number; column: number } {
  const before = text.slice(0, at).split('\n');
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
}
