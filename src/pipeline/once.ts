// Values that depend on the parameters of a request alone: they are made once, however often the request
// is decided again. So nothing is derived while a request has the turn of its organization.

import type { Once } from '../operations/once.ts';

/** Makes a value every time: for requests that are decided once. */
export const everyTime: Once = (_name, make) => make();

/** Creates the memory of one request. */
export function createOnce(): Once {
  let made: Map<string, Promise<unknown>> | undefined;
  return <Value>(name: string, make: () => Promise<Value>) => {
    made ??= new Map();
    // Each name has one type: an operation uses it for one value.
    return made.getOrInsertComputed(name, make) as Promise<Value>;
  };
}
