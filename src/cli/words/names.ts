// Wrong names, and the right ones that are near.

import { nearestName } from '../../core/base/edit_distance.ts';

/** `, did you mean --json?`, or nothing. */
export function didYouMean(name: string, names: Iterable<string>): string {
  const meant = nearestName(name, names);
  return meant === undefined ? '' : `; did you mean ${meant}?`;
}
