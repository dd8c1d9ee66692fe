// The share of a long suite that a run tries. `npm test` tries enough to meet each outcome that the suite
// requires; `npm run soak` tries more, and the script of the suite many times that.

const isSoak = process.env['SOAK'] === 'true';

/** Returns the usual number of cases, or the full one in `npm run soak`. */
export function casesOf({
  usual,
  soak,
}: {
  readonly usual: number;
  readonly soak: number;
}): number {
  return isSoak ? soak : usual;
}
