// Sizes of long suites. `npm test` runs enough cases to meet each outcome that the suite requires. `npm run
// soak` runs more, and the script of the suite many times more.

const isSoak = process.env['SOAK'] === 'true';

/** Returns the usual number of cases, or the larger number under `npm run soak`. */
export function casesOf({
  usual,
  soak,
}: {
  readonly usual: number;
  readonly soak: number;
}): number {
  return isSoak ? soak : usual;
}
