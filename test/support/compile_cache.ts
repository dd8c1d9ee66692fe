// The compile cache of the tests, for programs that they start with an environment of their own: from it the
// sources load in a third of the time.

const folder = process.env['NODE_COMPILE_CACHE'];

/** The variable that names it; empty for a test file that was started without `npm test`. */
export const compileCache: Readonly<Record<string, string>> =
  folder === undefined ? {} : { NODE_COMPILE_CACHE: folder };
