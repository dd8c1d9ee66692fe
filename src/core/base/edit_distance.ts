/** The least number of characters to insert, delete or replace (Levenshtein). */
export function editDistance(from: string, to: string): number {
  let previous = Array.from({ length: to.length + 1 }, (_, i) => i);
  for (let i = 1; i <= from.length; i += 1) {
    const current = [i];
    for (let j = 1; j <= to.length; j += 1) {
      const replaced = (previous[j - 1] ?? 0) + (from[i - 1] === to[j - 1] ? 0 : 1);
      current.push(Math.min(replaced, (previous[j] ?? 0) + 1, (current[j - 1] ?? 0) + 1));
    }
    previous = current;
  }
  return previous[to.length] ?? 0;
}

/** Maximum distance of a suggested name, and maximum length of compared names. */
const nearDistance = 3;
const comparedCharacters = 100;

/**
 * Returns the name that was probably meant: the nearest, with a distance of at most 3 and at most a third of
 * its length, rounded up. Returns undefined if no name is near.
 */
export function nearestName(name: string, names: Iterable<string>): string | undefined {
  if (name === '' || name.length > comparedCharacters) return undefined;
  let best: { readonly name: string; readonly distance: number } | undefined;
  for (const candidate of names) {
    if (Math.abs(candidate.length - name.length) > nearDistance) continue;
    const distance = editDistance(name, candidate);
    const limit = Math.min(nearDistance, Math.ceil(candidate.length / 3));
    if (distance <= limit && distance < (best?.distance ?? limit + 1)) {
      best = { name: candidate, distance };
    }
  }
  return best?.name;
}
