/** A JSON value as it was parsed. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject;
export type JsonObject = { readonly [member: string]: Json | undefined };

/** Whether a JSON value is an object (not null, not an array). */
export function isJsonObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The value of a JSON text; undefined for what is no JSON. The parser's own words would quote it. */
export function parsedJson(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    // It has one way to fail: the caller says so in words of its own.
    return undefined;
  }
}

/**
 * How many values a JSON text has at most: counts what opens or separates values outside of strings, up
 * to one more than `maximum`. Parsing many tiny values takes far longer than their text is long.
 */
export function valueCountOf(text: string, maximum: number): number {
  let values = 1;
  let isInString = false;
  for (let i = 0; i < text.length && values <= maximum; i += 1) {
    const code = text.charCodeAt(i);
    if (code === quote) isInString = !isInString;
    else if (isInString) i += code === backslash ? 1 : 0;
    else if (code === comma || code === brace || code === bracket) values += 1;
  }
  return values;
}

const [quote, comma, bracket, backslash, brace] = [0x22, 0x2c, 0x5b, 0x5c, 0x7b];
