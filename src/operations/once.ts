// Values that operations make once for a request, and warnings that take long.

import type { JsonObject } from '../core/schema/json.ts';

/** Returns the value of a name, made by the first call; a request may be decided again many times. */
export type Once = <Value>(name: string, make: () => Promise<Value>) => Promise<Value>;

/** Warnings; a function makes those that take long, with pauses, once the activity is committed. */
export type Warnings =
  | readonly JsonObject[]
  | ((pause: () => Promise<void>) => Promise<readonly JsonObject[]>);
