import assert from 'node:assert/strict';
import { utf8 } from '../../src/core/base/bytes.ts';

export type Random = {
  /** Returns an integer from 0 to below the bound. */
  readonly below: (bound: number) => number;
  readonly of: <Item>(items: readonly Item[]) => Item;
};

/** Creates numbers from a seed (FNV-1a, then a xorshift generator). */
export function randomOf(seed: string): Random {
  let state = 0x811c9dc5;
  for (const byte of utf8(seed)) state = Math.imul(state ^ byte, 0x01000193);
  if (state === 0) state = 1;
  const below = (bound: number): number => {
    for (const shift of [13, -17, 5]) state ^= shift > 0 ? state << shift : state >>> -shift;
    return bound === 0 ? 0 : (state >>> 0) % bound;
  };
  const of = <Item>(items: readonly Item[]): Item => {
    const item = items[below(items.length)];
    assert(item !== undefined, 'a choice is made among items');
    return item;
  };
  // The first numbers of similar seeds are similar, so they are skipped.
  for (let i = 0; i < 4; i += 1) below(2);
  return { below, of };
}
