// The notation of the shapes of answers.

/**
 * A type of JSON; `text` for a string or a number; the values of an enumeration, between bars; a list of
 * what is alike; or members, of which those with a question mark may be absent.
 */
export type Shape = string | readonly [Shape] | { readonly [member: string]: Shape };
