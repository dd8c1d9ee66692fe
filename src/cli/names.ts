// Wrong names, and the right ones that are near.

import { editDistance } from '../core/base/edit_distance.ts';

/** The name that was probably meant; undefined where none is near. */
export function nearest(name: string, names: Iterable<string>): string | undefined {
  let best: { name: string; distance: number } | undefined;
  for (const candidate of names) {
    // Longer texts than any name are not compared.
    if (Math.abs(candidate.length - name.length) > 3) continue;
    const distance = editDistance(name, candidate);
    if (
      distance <= Math.max(1, Math.ceil(candidate.length / 3)) &&
      distance < (best?.distance ?? 4)
    ) {
      best = { name: candidate, distance };
    }
  }
  return best?.name;
}

/** `, did you mean --json?`, or nothing. */
export function didYouMean(name: string, names: Iterable<string>): string {
  const meant = nearest(name, names);
  return meant === undefined ? '' : `; did you mean ${meant}?`;
}
