// One line of an archive.

/** A line of an archive. */
export type Line = { readonly kind: string; readonly [member: string]: unknown };
