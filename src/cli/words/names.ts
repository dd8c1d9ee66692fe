// Suggestions for misspelled names.

import { nearestName } from '../../core/base/edit_distance.ts';

/** Returns `; did you mean --json?`, or an empty text. */
export function didYouMean(name: string, names: Iterable<string>): string {
  const meant = nearestName(name, names);
  return meant === undefined ? '' : `; did you mean ${meant}?`;
}
