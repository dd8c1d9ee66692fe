// Counts the values of a long JSON text in steps. `jsonCounts` counts those of a short one, at once and with
// less code, because browsers load it too. A test compares both.

import type { Steps } from '../base/steps.ts';

/** The place of a string in a JSON text, from its first quote to the position after its last. */
export type LongString = { readonly start: number; readonly end: number };

export type JsonCounts = {
  readonly values: number;
  readonly members: number;
  /** Number of characters of all member names, in the spelling of the text. */
  readonly nameCharacters: number;
  /** The long strings, without member names. */
  readonly longStrings: readonly LongString[];
};

/** Counting as many characters takes about a millisecond, however many are escaped. */
const charactersOfStep = 256 * 1024;

type CountBounds = {
  readonly maximumValues: number;
  readonly longCharacters: number;
  readonly maximumNames: number;
};

/** Returns the counts of `jsonCounts`, in steps of this many characters. */
export function* jsonCountsInSteps(
  text: string,
  { maximumValues, longCharacters, maximumNames }: CountBounds,
  characters: number = charactersOfStep,
): Steps<JsonCounts> {
  const longStrings: LongString[] = [];
  let values = 1;
  let members = 0;
  let nameCharacters = 0;
  let lastCharacters = 0;
  /** The first quote of a string that a step has left unread, or -1. */
  let start = -1;
  let until = characters;
  for (let i = 0; i < text.length; i += 1) {
    if (values > maximumValues || nameCharacters > maximumNames) break;
    if (i >= until) {
      yield;
      until = i + characters;
    }
    const code = start < 0 ? text.charCodeAt(i) : quote;
    if (code === quote) {
      const end = endOfString(text, start < 0 ? i + 1 : i, until);
      if (start < 0) start = i;
      if (end < 0) i = ~end - 1;
      else {
        lastCharacters = end - start - 2;
        if (lastCharacters > longCharacters) longStrings.push({ start, end });
        start = -1;
        i = end - 1;
      }
    } else if (code === comma || code === brace || code === bracket) values += 1;
    else if (code === colon) {
      members += 1;
      nameCharacters += lastCharacters;
      if (lastCharacters > longCharacters) longStrings.pop();
    }
  }
  return { values, members, nameCharacters, longStrings };
}

/** Number of characters that are read one by one before the next quote is searched. */
const charactersBeforeSearch = 64;

/**
 * Returns the position after the string whose content is read from a position. If the string continues at
 * `until`, returns the complement (`~`) of the position up to which it was read.
 */
export function endOfString(text: string, from: number, until: number): number {
  for (let i = from; ; ) {
    if (i >= until && until < text.length) return ~i;
    const searchAt = i + charactersBeforeSearch;
    while (i < searchAt) {
      if (i >= text.length || text.charCodeAt(i) === quote) return i + 1;
      i += text.charCodeAt(i) === backslash ? 2 : 1;
    }
    const next = text.indexOf('"', i);
    if (next < 0) return text.length + 1;
    const found = Math.min(next, Math.max(i, until));
    let backslashes = 0;
    while (found - backslashes > i && text.charCodeAt(found - backslashes - 1) === backslash) {
      backslashes += 1;
    }
    if (found < next) return ~(found + (backslashes % 2));
    // An odd number of backslashes escapes the quote. Escaped quotes are often dense, so the next
    // characters are read one by one again.
    if (backslashes % 2 === 0) return found + 1;
    i = found + 1;
  }
}

const [quote, comma, bracket, backslash, brace, colon] = [0x22, 0x2c, 0x5b, 0x5c, 0x7b, 0x3a];
