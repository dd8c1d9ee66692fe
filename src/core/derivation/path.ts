// Derivation paths in the notation of BIP-32: `m/44'/60'/0'/0/0`. The marks `'`, `h` and `H` all mean
// hardened (BIP-380). A path that starts with a hardened segment may omit `m/`. The canonical path has `'`
// and `m`.

/** More segments than any known wallet uses; BIP-32 itself ends at 255. */
export const pathSegmentsLimit = 16;

/** Maximum index of a segment. */
export const pathIndexLimit = 2 ** 31 - 1;

/** One step from a key to its child. */
export type PathSegment = { index: number; hardened: boolean };

const segment = "(?:0|[1-9][0-9]{0,9})['hH]?";
const hardenedSegment = "(?:0|[1-9][0-9]{0,9})['hH]";
// A path without `m` that starts with a plain segment is relative to another key.
const pathPattern = new RegExp(
  `^(?:m(?:/${segment}){0,${pathSegmentsLimit}}|${hardenedSegment}(?:/${segment}){0,${pathSegmentsLimit - 1}})$`,
);

/**
 * Parses a path; undefined for other text. Indexes are 0 to 2147483647 without sign or leading zeros, at most
 * 16 segments. `m` alone is the master key. Stored paths have the form of `canonicalPath`.
 */
export function parsePath(text: string): PathSegment[] | undefined {
  if (!pathPattern.test(text)) return undefined;
  const parts = text.split('/');
  const segments = (parts[0] === 'm' ? parts.slice(1) : parts).map(segmentOf);
  return segments.every(({ index }) => index <= pathIndexLimit) ? segments : undefined;
}

/** Returns the text of a path, which `parsePath` parses to the same segments. */
export function canonicalPath(segments: readonly PathSegment[]): string {
  return ['m', ...segments.map(({ index, hardened }) => `${index}${hardened ? "'" : ''}`)].join(
    '/',
  );
}

/** Returns the canonical path of a text, or the text itself if it is not a path. */
export function canonicalPathText(text: string): string {
  const segments = parsePath(text);
  return segments === undefined ? text : canonicalPath(segments);
}

function segmentOf(text: string): PathSegment {
  const hardened = /['hH]$/.test(text);
  return { index: Number(hardened ? text.slice(0, -1) : text), hardened };
}
