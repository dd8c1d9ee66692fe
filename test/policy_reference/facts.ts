// Random facts for every name of the language, with some parts left out.

import {
  caselessText,
  type FactStruct,
  type FactValue,
  SpelledText,
} from '../../src/core/policy/language/values.ts';
import type { ClauseName } from './checker.ts';
import { elementOf, members, otherSpellings } from './names.ts';
import type { Random } from './random.ts';

/** Few values, so that facts are often equal to literals. */
export const texts = ['', 'a', 'b', 'A', 'Ab9', 'aB9', '0xAbCd01', '0xabcd01', 'é😀É', 'transfer'];
export const integers = [0n, 1n, 2n, 3n, -1n, 100n, 10n ** 18n, 2n ** 127n - 1n, -(2n ** 127n)];
const wideIntegers = [2n ** 127n, 2n ** 256n - 1n];
export const keys = ['k', 'to', 'Amount', 'list'];
export const firstTimeMs = Date.UTC(2026, 9, 24);
const timeRangeMs = 9 * 24 * 3_600_000;

/** Returns a random scope for a clause; `presence` is the probability that a part is present. */
export function randomScope(random: Random, clause: ClauseName, presence: number): FactStruct {
  return randomStruct(random, clause, presence, 0);
}

function randomStruct(random: Random, struct: string, presence: number, depth: number): FactStruct {
  const facts: { [member: string]: FactValue } = {};
  for (const [name, type] of members.get(struct) ?? []) {
    const isAlways = struct === 'Activity' || name === 'activity';
    if (otherSpellings.has(name) || !(isAlways || random.chance(presence))) continue;
    facts[name] = randomFact(random, type, presence, depth + 1);
  }
  return facts;
}

function randomFact(random: Random, type: string, presence: number, depth: number): FactValue {
  const item = elementOf(type, 'list');
  if (item !== undefined) {
    const length = random.pick(depth > 4 ? [0, 1, 1, 2] : [0, 1, 1, 2, 2, 3, 3]);
    return Array.from({ length }, () => randomFact(random, item, presence, depth + 1));
  }
  const value = elementOf(type, 'map');
  if (value !== undefined) return randomMap(random, value, presence, depth);
  switch (type) {
    case 'bool':
      return random.chance(0.5);
    case 'string':
      return random.pick(texts);
    case 'caseless':
      return caselessText(random.pick(texts));
    case 'spelled': {
      const others = [random.pick(texts), random.pick(texts)];
      return new SpelledText(random.pick(texts), () => others);
    }
    case 'int':
      return random.pick(random.chance(0.02) ? wideIntegers : integers);
    case 'uint':
      return random.pick(random.chance(0.3) ? wideIntegers : integers.slice(0, 4));
    case 'timestamp':
      return BigInt(firstTimeMs + random.below(timeRangeMs)) * 1_000_000n;
    case 'dynamic':
      return randomDynamic(random, presence, depth);
    default:
      return randomStruct(random, type, presence, depth);
  }
}

function randomMap(random: Random, type: string, presence: number, depth: number): FactValue {
  const present = keys.filter(() => random.chance(presence));
  return new Map(present.map((key) => [key, randomFact(random, type, presence, depth + 1)]));
}

function randomDynamic(random: Random, presence: number, depth: number): FactValue {
  const scalar = random.pick(['string', 'caseless', 'int', 'bool']);
  const leaf = depth > 6 || random.chance(0.5);
  const type = leaf
    ? scalar
    : random.pick(['list of dynamic', `list of ${scalar}`, 'map of dynamic']);
  return randomFact(random, type, presence, depth + 1);
}
