// Computes values that depend only on the parameters of a request once, however often the request is decided.
// So a request derives nothing while it has the turn of its organization.

import type { Once } from '../operations/once.ts';

/** Computes the value on every call; for requests that are decided only once. */
export const everyTime: Once = (_name, make) => make();

/** Creates the cache of one request. */
export function createOnce(): Once {
  let made: Map<string, Promise<unknown>> | undefined;
  return <Value>(name: string, make: () => Promise<Value>) => {
    made ??= new Map();
    // Each name has one type, because an operation uses it for one value.
    return made.getOrInsertComputed(name, make) as Promise<Value>;
  };
}
