// Derivation paths in the notation of BIP-32: `m/44'/60'/0'/0/0`, with `'` for hardened.

/** More segments than any known wallet uses; BIP-32 itself ends at 255. */
export const pathSegmentsLimit = 16;

/** The largest index of a segment. */
export const pathIndexLimit = 2 ** 31 - 1;

/** One step from a key to its child. */
export type PathSegment = { index: number; hardened: boolean };

const pathPattern = new RegExp(`^m(?:/(?:0|[1-9][0-9]{0,9})'?){0,${pathSegmentsLimit}}$`);

/**
 * The segments of a path, or undefined. Every path has one spelling: it starts with `m`, indexes
 * run from 0 to 2147483647 without sign or leading zeros, the only hardened marker is `'`, and
 * there are at most 16 segments. `m` alone is the master key.
 */
export function parsePath(text: string): PathSegment[] | undefined {
  if (!pathPattern.test(text)) return undefined;
  const segments = text.split('/').slice(1).map(segmentOf);
  return segments.every(({ index }) => index <= pathIndexLimit) ? segments : undefined;
}

/** The text of a path: `parsePath` gives back the same segments. */
export function canonicalPath(segments: readonly PathSegment[]): string {
  return ['m', ...segments.map(({ index, hardened }) => `${index}${hardened ? "'" : ''}`)].join(
    '/',
  );
}

function segmentOf(text: string): PathSegment {
  const hardened = text.endsWith("'");
  return { index: Number(hardened ? text.slice(0, -1) : text), hardened };
}
