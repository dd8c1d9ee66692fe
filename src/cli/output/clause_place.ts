// Shows a position in a clause with a caret.

import { visible } from './output.ts';

/** Characters of the clause to show on either side of the position. */
const shownAround = 36;

/**
 * Returns the line of the clause around a position, and a line with a caret. Returns no lines for a position
 * outside of the clause. `position` counts UTF-8 bytes from 0.
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
