// Serializes long JSON in steps, so that an answer of megabytes does not block other requests.

import { isHighSurrogate } from '../base/long_text.ts';
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

/** Returns the same text as `JSON.stringify` for a plain value; an empty text for undefined. */
export function* jsonTextInSteps(value: unknown): Steps<string> {
  return (yield* textInSteps(value, depthOfSteps, { characters: 0 })) ?? '';
}

/** `written` counts the characters since the last step. */
function* textInSteps(
  value: unknown,
  depth: number,
  written: { characters: number },
): Steps<string | undefined> {
  if (typeof value === 'string' && value.length > charactersOfStep) {
    return yield* stringTextInSteps(value);
  }
  if (typeof value !== 'object' || value === null || isWrittenWhole(value, depth)) {
    const text = JSON.stringify(value);
    written.characters += text?.length ?? 0;
    if (written.characters >= charactersOfStep) {
      written.characters = 0;
      yield;
    }
    return text;
  }
  const inner = Math.max(0, depth - 1);
  const texts: string[] = [];
  if (Array.isArray(value)) {
    for (const item of value) texts.push((yield* textInSteps(item, inner, written)) ?? 'null');
    return enclosed('[', texts, ']');
  }
  for (const [name, member] of Object.entries(value)) {
    const text = yield* textInSteps(member, inner, written);
    if (text !== undefined) texts.push(`${JSON.stringify(name)}:${text}`);
  }
  return enclosed('{', texts, '}');
}

/** Joins texts. A sum only refers to its parts, whereas a join copies a long text at each level. */
function enclosed(open: string, texts: readonly string[], close: string): string {
  if (texts.every(({ length }) => length < charactersOfStep)) {
    return `${open}${texts.join(',')}${close}`;
  }
  return texts.reduce((sum, text, i) => sum + (i === 0 ? '' : ',') + text, open) + close;
}

/** Values below the depth of separate members are serialized whole, unless they hold a long text. */
function isWrittenWhole(value: object, depth: number): boolean {
  return depth === 0 && !isLongJson(value, charactersOfStep);
}

/** Serializes a long string in parts. */
function* stringTextInSteps(value: string): Steps<string> {
  const texts: string[] = [];
  for (let from = 0; from < value.length; ) {
    const end = from + charactersOfStep;
    // `JSON.stringify` would escape a surrogate without its other half.
    const to = isHighSurrogate(value.charCodeAt(end - 1)) ? end - 1 : end;
    texts.push(JSON.stringify(value.slice(from, to)).slice(1, -1));
    from = to;
    yield;
  }
  return `"${texts.join('')}"`;
}
