// Parses JSON with long strings in steps, so that a body of megabytes does not block other requests. A long
// string is parsed separately, in parts; a placeholder stands for it while the rest is parsed.

import type { Steps } from '../base/steps.ts';
import { type Json, parsedJson } from './json.ts';
import type { LongString } from './json_counts.ts';

/** Strings with more characters in the JSON text are parsed in parts of this length. */
export const charactersOfPart = 64 * 1024;

/** Returns the value of `JSON.parse`, undefined for invalid JSON. `longStrings` are the places of strings. */
export function* parsedJsonInSteps(
  text: string,
  longStrings: readonly LongString[],
): Steps<Json | undefined> {
  if (longStrings.length === 0) return parsedJson(text);
  // A string without its last quote ends after the end of the text.
  if (longStrings.some(({ end }) => end > text.length)) return undefined;
  const others = around(text, longStrings);
  const repetitions = 1 + longestRun(others);
  const placeholder = '\\ud800'.repeat(repetitions);
  const joined = others.map((other, i) => (i === 0 ? other : `"${placeholder}${i - 1}"${other}`));
  const parsed = parsedJson(joined.join(''));
  if (parsed === undefined) return undefined;
  yield;
  const values: string[] = [];
  for (const { start, end } of longStrings) {
    const value = yield* stringInSteps(text, start, end);
    if (value === undefined) return undefined;
    values.push(value);
  }
  return withoutPlaceholders(parsed, '\ud800'.repeat(repetitions), values);
}

/** Returns the parts of a text before, between and after these places. */
function around(text: string, places: readonly LongString[]): readonly string[] {
  const ends = [0, ...places.map(({ end }) => end)];
  return ends.map((end, i) => text.slice(end, places[i]?.start));
}

/**
 * Returns the number of surrogates in the longest run of U+D800, escaped or not. A placeholder begins with a
 * longer run, so no string of the text equals it.
 */
function longestRun(texts: readonly string[]): number {
  let longest = 0;
  for (const text of texts) {
    for (const [run] of text.matchAll(/(?:\\ud800|\ud800)+/gi)) {
      longest = Math.max(longest, run.replaceAll(/\\ud800/gi, ' ').length);
    }
  }
  return longest;
}

/** Returns the value of the string between two positions, quotes included; undefined for invalid JSON. */
function* stringInSteps(text: string, start: number, end: number): Steps<string | undefined> {
  const parts: string[] = [];
  const last = end - 1;
  for (let from = start + 1; from < last; ) {
    const to = Math.min(last, cutBefore(text, from, from + charactersOfPart));
    const part = parsedJson(`"${text.slice(from, to)}"`);
    if (typeof part !== 'string') return undefined;
    parts.push(part);
    from = to;
    yield;
  }
  return parts.join('');
}

/** Length of the longest escape sequence, as `\u0041`. */
const longestEscape = 6;

/** Returns the last position up to `to` that is not inside an escape sequence. */
function cutBefore(text: string, from: number, to: number): number {
  for (let at = to - 1; at > to - longestEscape; at -= 1) {
    if (text.charCodeAt(at) !== backslash) continue;
    let run = 1;
    while (at - run >= from && text.charCodeAt(at - run) === backslash) run += 1;
    // The last of an even number of backslashes ends an escape sequence.
    if (run % 2 === 0) return to;
    const length = text.charCodeAt(at + 1) === letterU ? longestEscape : 2;
    return at + length > to ? at : to;
  }
  return to;
}

const [backslash, letterU] = [0x5c, 0x75];

/** Replaces each placeholder with its string. */
function withoutPlaceholders(parsed: Json, placeholder: string, values: readonly string[]): Json {
  const root = { parsed };
  // Avoids recursion, since some texts are nested as deep as they are long.
  const open: Record<string, unknown>[] = [root];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    for (const name of Object.keys(next)) {
      const member = next[name];
      if (typeof member === 'object' && member !== null) {
        open.push(member as Record<string, unknown>);
      } else if (typeof member === 'string' && member.startsWith(placeholder)) {
        const value = values[Number(member.slice(placeholder.length))];
        Object.defineProperty(next, name, { ...plain, value });
      }
    }
  }
  return root.parsed;
}

/** The attributes of a parsed member. A definition makes `__proto__` a member like any other. */
const plain = { writable: true, enumerable: true, configurable: true };
