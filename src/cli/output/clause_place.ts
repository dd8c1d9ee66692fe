// A place in a clause of a policy, with a caret below it.

import { visible } from './output.ts';

/** Characters of a clause that are shown on either side of the place. */
const shownAround = 36;

/**
 * The line of a clause and a caret below a place in it; none for a place outside of the clause. `position`
 * counts bytes of UTF-8 from 0.
 */
export function placeIn(text: string, position: number): readonly string[] {
  const bytes = new TextEncoder().encode(text);
  if (!(position >= 0 && position <= bytes.length)) return [];
  const [before = '', after = ''] = [bytes.subarray(0, position), bytes.subarray(position)].map(
    (part) => new TextDecoder().decode(part),
  );
  const left = visible([...(before.split('\n').at(-1) ?? '')].slice(-shownAround).join(''));
  const right = visible([...(after.split('\n')[0] ?? '')].slice(0, shownAround).join(''));
  return [`${left}${right}`, `${' '.repeat(left.length)}^`];
}
