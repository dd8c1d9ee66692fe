/** A JSON value as it was parsed. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject;
export type JsonObject = { readonly [member: string]: Json | undefined };

/** Whether a JSON value is an object (not null, not an array). */
export function isJsonObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
