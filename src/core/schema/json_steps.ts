// Serializes long JSON in steps, so that an answer of megabytes does not block other requests.

import type { Steps } from '../base/steps.ts';

/** Depth to which members are serialized separately. */
const depthOfSteps = 4;
/** Number of characters after which a step ends. */
const charactersOfStep = 64 * 1024;
/** Number of values beyond which a value counts as long. */
const maximumLooked = 500;

/** Returns true if a value has many members, or texts with more than this number of characters together. */
export function isLongJson(value: object, characters: number): boolean {
  let length = 0;
  const looked: unknown[] = [value];
  // The loop also visits entries that are appended meanwhile.
  for (const next of looked) {
    if (typeof next === 'string') length += next.length;
    if (length > characters || looked.length > maximumLooked) return true;
    if (typeof next !== 'object' || next === null) continue;
    looked.push(...Object.values(next).slice(0, maximumLooked));
  }
  return false;
}

/** Returns the same text as `JSON.stringify` for a plain object. */
export function* jsonTextInSteps(value: object): Steps<string> {
  return (yield* textInSteps(value, depthOfSteps, { characters: 0 })) ?? '';
}

/** `written` counts the characters since the last step. */
function* textInSteps(
  value: unknown,
  depth: number,
  written: { characters: number },
): Steps<string | undefined> {
  if (typeof value !== 'object' || value === null || depth === 0) {
    const text = JSON.stringify(value);
    written.characters += text?.length ?? 0;
    if (written.characters >= charactersOfStep) {
      written.characters = 0;
      yield;
    }
    return text;
  }
  const texts: string[] = [];
  if (Array.isArray(value)) {
    for (const item of value) texts.push((yield* textInSteps(item, depth - 1, written)) ?? 'null');
    return `[${texts.join(',')}]`;
  }
  for (const [name, member] of Object.entries(value)) {
    const text = yield* textInSteps(member, depth - 1, written);
    if (text !== undefined) texts.push(`${JSON.stringify(name)}:${text}`);
  }
  return `{${texts.join(',')}}`;
}
