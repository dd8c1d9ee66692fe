// Shares a limited quantity of a block evenly among organizations.

/**
 * Returns the largest share with which all together have at most `total`, if each has what it wants up to
 * the share; infinity where all get what they want. Who wants little loses nothing to who wants much.
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
