// Every decision of a simulation, drawn from its seed.

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';

export type Choice = ReturnType<typeof createChoice>;

/** A source of choices; the same seed makes the same ones. */
export function createChoice(seed: string) {
  let state = createHash('sha256').update(seed).digest().readUInt32LE(0);

  /** 0 to 1, without 1: the generator known as mulberry32. */
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
    /** An integer from 0 to `limit` − 1. */
    below,
    /** True this often, from 0 to 1. */
    chance: (probability: number): boolean => next() < probability,
    pick,
    /** At most `count` different items. */
    some: <Item>(items: readonly Item[], count: number): Item[] => {
      const left = [...items];
      const taken: Item[] = [];
      while (taken.length < count && left.length > 0) {
        taken.push(...left.splice(below(left.length), 1));
      }
      return taken;
    },
    /** A name, as often as its weight among all weights. */
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
