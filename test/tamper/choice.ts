// Choices that follow from a seed.

import assert from 'node:assert/strict';
import { seededRandom } from '../support/harness.ts';

export type Choice = {
  /** Returns a number from 0 to `count` − 1. */
  index(count: number): number;
  /** Returns one of several values; there must be at least one. */
  of<Value>(values: readonly Value[]): Value;
  /** Returns two different values, or undefined if there are fewer. */
  two<Value>(values: readonly Value[]): readonly [Value, Value] | undefined;
  /** Returns each value with probability one half. */
  some<Value>(values: readonly Value[]): readonly Value[];
  bytes(length: number): Uint8Array;
};

export function createChoice(seed: string): Choice {
  const random = seededRandom(`choice ${seed}`);
  const index = (count: number): number => {
    assert(count > 0, 'there is something to choose from');
    const bytes = random(6);
    return Number(BigInt(`0x${Buffer.from(bytes).toString('hex')}`) % BigInt(count));
  };
  const of = <Value>(values: readonly Value[]): Value => {
    const position = index(values.length);
    for (const [i, value] of values.entries()) if (i === position) return value;
    return assert.fail('every position has a value');
  };
  return {
    index,
    of,
    two: (values) => {
      if (values.length < 2) return undefined;
      const first = index(values.length);
      const second = (first + 1 + index(values.length - 1)) % values.length;
      const [a, b] = [values[first], values[second]];
      return a === undefined || b === undefined ? undefined : [a, b];
    },
    some: (values) => values.filter(() => index(2) === 0),
    bytes: random,
  };
}
