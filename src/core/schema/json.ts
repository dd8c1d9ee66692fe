import { endOfString, type JsonCounts, type LongString } from './json_counts.ts';

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
  const longStrings: LongString[] = [];
  let values = 1;
  let members = 0;
  let nameCharacters = 0;
  let lastCharacters = 0;
  for (let i = 0; i < text.length; i += 1) {
    if (values > maximumValues || nameCharacters > maximumNames) break;
    const code = text.charCodeAt(i);
    if (code === quote) {
      const end = endOfString(text, i + 1, text.length);
      lastCharacters = end - i - 2;
      if (lastCharacters > longCharacters) longStrings.push({ start: i, end });
      i = end - 1;
    } else if (code === comma || code === brace || code === bracket) values += 1;
    else if (code === colon) {
      members += 1;
      nameCharacters += lastCharacters;
      if (lastCharacters > longCharacters) longStrings.pop();
    }
  }
  return { values, members, nameCharacters, longStrings };
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

function isColonNext(text: string, start: number): boolean {
  let i = start;
  while (blanks.has(text.charCodeAt(i))) i += 1;
  return text.charCodeAt(i) === colon;
}

const [quote, comma, bracket, brace] = [0x22, 0x2c, 0x5b, 0x7b];
const [colon, closingBracket, closingBrace] = [0x3a, 0x5d, 0x7d];
const blanks: ReadonlySet<number> = new Set([0x20, 0x09, 0x0a, 0x0d]);
