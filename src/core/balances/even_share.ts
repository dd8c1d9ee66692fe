// Shares a limited quantity of a block evenly among organizations.

/**
 * Returns the largest equal share for which the sum of min(demand, share) is at most `total`; infinity if all
 * demands fit. So small demands are met in full.
 */
export function evenShare(demands: Iterable<number>, total: number): number {
  const ascending = [...demands].sort((a, b) => a - b);
  let left = total;
  for (const [i, each] of ascending.entries()) {
    const share = Math.floor(left / (ascending.length - i));
    if (each > share) return share;
    left -= each;
  }
  return Number.POSITIVE_INFINITY;
}
