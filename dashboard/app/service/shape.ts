/**
 * The notation of answer shapes. A string is a JSON type, `text` (string or number) or enumeration values
 * between bars. A list has the shape of its items. An object has the shapes of its members; names that end
 * with a question mark are optional.
 */
export type Shape = string | readonly [Shape] | { readonly [member: string]: Shape };
