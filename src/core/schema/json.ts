import type { Steps } from '../base/steps.ts';

/** A parsed JSON value. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject;
export type JsonObject = { readonly [member: string]: Json | undefined };

/** Returns true if a JSON value is an object (not null, not an array). */
export function isJsonObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns the value of a JSON text; undefined for invalid JSON. The parser's error would quote the text. */
export function parsedJson(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    // Parsing fails in only one way, and the caller words the error.
    return undefined;
  }
}

/**
 * Returns an upper bound of the number of values in a JSON text, up to `maximum` + 1. It counts opening
 * brackets and separators outside of strings, because parsing many tiny values is slow for the length of the
 * text.
 */
export function valueCountOf(text: string, maximum: number): number {
  return jsonCounts(text, maximum).values;
}

/** The place of a string in a JSON text, from its first quote to the position after its last. */
export type LongString = { readonly start: number; readonly end: number };

type JsonCounts = {
  readonly values: number;
  readonly members: number;
  /** Number of characters of all member names, in the spelling of the text. */
  readonly nameCharacters: number;
  /** The long strings, without member names. */
  readonly longStrings: readonly LongString[];
};

/**
 * Like `valueCountOf`, but also counts member names and finds strings of more than `longCharacters`. Stops at
 * more values than `maximumValues`, or at more characters of names than `maximumNames`. The count above its
 * maximum shows this, and all counts are then incomplete. Places are right for valid JSON only.
 */
export function jsonCounts(
  text: string,
  maximumValues: number,
  longCharacters: number = Number.POSITIVE_INFINITY,
  maximumNames: number = Number.POSITIVE_INFINITY,
): JsonCounts {
  const count = newCount();
  countUpTo(text, count, text.length, { maximumValues, longCharacters, maximumNames });
  return count;
}

/** Counting as many characters takes about a millisecond, however many are escaped. */
const charactersOfStep = 256 * 1024;

type CountBounds = {
  readonly maximumValues: number;
  readonly longCharacters: number;
  readonly maximumNames: number;
};

/** Like `jsonCounts`, in steps of this many characters. */
export function* jsonCountsInSteps(
  text: string,
  bounds: CountBounds,
  characters: number = charactersOfStep,
): Steps<JsonCounts> {
  const count = newCount();
  while (!countUpTo(text, count, Math.min(text.length, count.at + characters), bounds)) yield;
  return count;
}

/** A count up to a position, which may lie within a string. */
type Count = JsonCounts & {
  at: number;
  /** The first quote of the string at this position, or `outside`. */
  stringStart: number;
  values: number;
  members: number;
  nameCharacters: number;
  lastCharacters: number;
  readonly longStrings: LongString[];
};

const outside = -1;

const newCount = (): Count => ({
  at: 0,
  stringStart: outside,
  values: 1,
  members: 0,
  nameCharacters: 0,
  lastCharacters: 0,
  longStrings: [],
});

/** Continues a count up to a position. Returns true at the end of the text, or above a maximum. */
function countUpTo(
  text: string,
  count: Count,
  until: number,
  { maximumValues, longCharacters, maximumNames }: CountBounds,
): boolean {
  const { longStrings } = count;
  let { at, stringStart, values, members, nameCharacters, lastCharacters } = count;
  while (at < until && values <= maximumValues && nameCharacters <= maximumNames) {
    if (stringStart === outside) {
      const code = text.charCodeAt(at);
      if (code === quote) stringStart = at;
      else if (code === comma || code === brace || code === bracket) values += 1;
      else if (code === colon) {
        members += 1;
        nameCharacters += lastCharacters;
        if (lastCharacters > longCharacters) longStrings.pop();
      }
      at += 1;
    } else {
      at = endOfString(text, at, until);
      if (at < 0) at = ~at;
      else {
        lastCharacters = at - stringStart - 2;
        if (lastCharacters > longCharacters) longStrings.push({ start: stringStart, end: at });
        stringStart = outside;
      }
    }
  }
  count.at = at;
  count.stringStart = stringStart;
  count.values = values;
  count.members = members;
  count.nameCharacters = nameCharacters;
  count.lastCharacters = lastCharacters;
  return at >= text.length || values > maximumValues || nameCharacters > maximumNames;
}

/** Returns the value of a JSON text; undefined for invalid JSON and for an object with a duplicate member. */
export function parsedJsonOnce(text: string): Json | undefined {
  const value = parsedJson(text);
  return value === undefined || repeatedMember(text, value) !== undefined ? undefined : value;
}

/**
 * Returns the path of the first duplicate member, in any spelling; undefined without duplicates. Parsers may
 * disagree on the value (RFC 8259 section 4), and `JSON.parse` silently uses the last. `value` is the parsed
 * text, which then has fewer members.
 */
export function repeatedMember(text: string, value: unknown): string | undefined {
  const { members } = jsonCounts(text, Number.POSITIVE_INFINITY);
  return members === memberCountOf(value) ? undefined : placeOfRepetition(text);
}

/** Returns the number of members of an object and of all objects inside it. */
function memberCountOf(value: unknown): number {
  let members = 0;
  // Avoids recursion, since some texts are nested as deep as they are long.
  const open: unknown[] = [value];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (typeof next !== 'object' || next === null) continue;
    const inner: unknown[] = Object.values(next);
    if (!Array.isArray(next)) members += inner.length;
    for (const one of inner) if (typeof one === 'object' && one !== null) open.push(one);
  }
  return members;
}

/** Returns the path of the first duplicate member in a JSON text: `parameters.users[0].name`. */
export function placeOfRepetition(text: string): string | undefined {
  type Level = { readonly names: Set<string> | undefined; at: string };
  const levels: Level[] = [];
  for (let i = 0; i < text.length; i += 1) {
    const level = levels.at(-1);
    const code = text.charCodeAt(i);
    if (code === brace) levels.push({ names: new Set(), at: '' });
    else if (code === bracket) levels.push({ names: undefined, at: '0' });
    else if (code === closingBrace || code === closingBracket) levels.pop();
    else if (code === comma && level?.names === undefined) {
      if (level !== undefined) level.at = String(Number(level.at) + 1);
    } else if (code === quote) {
      const end = endOfString(text, i + 1, text.length);
      const isName = level?.names !== undefined && isColonNext(text, end);
      if (isName) {
        level.at = String(JSON.parse(text.slice(i, end)));
        if (level.names?.has(level.at) === true) return spelledPlace(levels);
        level.names?.add(level.at);
      }
      i = end - 1;
    }
  }
  return undefined;
}

function spelledPlace(levels: readonly { readonly names: unknown; readonly at: string }[]): string {
  const place = levels
    .map(({ names, at }) => (names === undefined ? `[${at}]` : `.${at}`))
    .join('');
  return place.replace(/^\./, '').slice(0, 200).toWellFormed();
}

/** Number of characters that are read one by one before the next quote is searched. */
const charactersBeforeSearch = 64;

/**
 * Returns the position after the string that contains a position. If the string continues at `until`, returns
 * the complement (`~`) of the position up to which it was read.
 */
function endOfString(text: string, from: number, until: number): number {
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

function isColonNext(text: string, start: number): boolean {
  let i = start;
  while (blanks.has(text.charCodeAt(i))) i += 1;
  return text.charCodeAt(i) === colon;
}

const [quote, comma, bracket, backslash, brace] = [0x22, 0x2c, 0x5b, 0x5c, 0x7b];
const [colon, closingBracket, closingBrace] = [0x3a, 0x5d, 0x7d];
const blanks: ReadonlySet<number> = new Set([0x20, 0x09, 0x0a, 0x0d]);
