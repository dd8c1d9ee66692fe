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
