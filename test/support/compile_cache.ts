// The compile cache of the tests, for programs that tests start with their own environment. With it, sources
// load in a third of the time.

const folder = process.env['NODE_COMPILE_CACHE'];

/** The environment variable of the cache; empty without `npm test`. */
export const compileCache: Readonly<Record<string, string>> =
  folder === undefined ? {} : { NODE_COMPILE_CACHE: folder };
