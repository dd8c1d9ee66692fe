// Serializes long JSON in steps, so that an answer of megabytes is several pieces of work.

import type { Steps } from '../base/steps.ts';

/** Depth to which members are serialized one by one. */
const depthOfSteps = 4;
/** Characters after which a step ends. */
const charactersOfStep = 64 * 1024;
/** Number of values after which the search for long texts goes no deeper. */
const maximumLooked = 500;

/** Returns true if the first texts of a value together have more than this number of characters. */
export function isLongJson(value: object, characters: number): boolean {
  let length = 0;
  const looked: unknown[] = [value];
  // The list grows while it is read.
  for (const next of looked) {
    if (typeof next === 'string') length += next.length;
    if (length > characters) return true;
    if (typeof next !== 'object' || next === null || looked.length > maximumLooked) continue;
    looked.push(...Object.values(next).slice(0, maximumLooked));
  }
  return false;
}

/** Returns the same text as `JSON.stringify` for a plain object. */
export function* jsonTextInSteps(value: object): Steps<string> {
  return (yield* textInSteps(value, depthOfSteps)) ?? '';
}

function* textInSteps(value: unknown, depth: number): Steps<string | undefined> {
  if (typeof value !== 'object' || value === null || depth === 0) {
    const text = JSON.stringify(value);
    if (text !== undefined && text.length >= charactersOfStep) yield;
    return text;
  }
  const texts: string[] = [];
  if (Array.isArray(value)) {
    for (const item of value) texts.push((yield* textInSteps(item, depth - 1)) ?? 'null');
    return `[${texts.join(',')}]`;
  }
  for (const [name, member] of Object.entries(value)) {
    const text = yield* textInSteps(member, depth - 1);
    if (text !== undefined) texts.push(`${JSON.stringify(name)}:${text}`);
  }
  return `{${texts.join(',')}}`;
}
