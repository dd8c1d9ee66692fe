// All random choices of a simulation, derived from its seed.

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';

export type Choice = ReturnType<typeof createChoice>;

/** Creates a source of choices; the same seed gives the same choices. */
export function createChoice(seed: string) {
  let state = createHash('sha256').update(seed).digest().readUInt32LE(0);

  /** Returns a number from 0 up to, but not including, 1, by the generator mulberry32. */
  function next(): number {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }
  const below = (limit: number): number => Math.floor(next() * limit);
  const pick = <Item>(items: readonly Item[]): Item => {
    assert(items.length > 0, 'something to pick from');
    return items[below(items.length)] as Item;
  };

  return {
    /** Returns an integer from 0 to `limit` − 1. */
    below,
    /** Returns true with this probability. */
    chance: (probability: number): boolean => next() < probability,
    pick,
    /** Returns at most `count` different items. */
    some: <Item>(items: readonly Item[], count: number): Item[] => {
      const left = [...items];
      const taken: Item[] = [];
      while (taken.length < count && left.length > 0) {
        taken.push(...left.splice(below(left.length), 1));
      }
      return taken;
    },
    /** Returns a name with a probability in proportion to its weight. */
    weighted: <Name extends string>(weights: Readonly<Record<Name, number>>): Name => {
      const names = Object.keys(weights) as Name[];
      let left = next() * names.reduce((sum, name) => sum + weights[name], 0);
      for (const name of names) {
        left -= weights[name];
        if (left < 0) return name;
      }
      return pick(names);
    },
  };
}
