// Holds values that an operation computes once for a request, and warnings that take long to compute.

import type { JsonObject } from '../core/schema/json.ts';

/** Returns the value of a name, computed by the first call. A request may be decided many times. */
export type Once = <Value>(name: string, make: () => Promise<Value>) => Promise<Value>;

/** Warnings. A function computes slow warnings, with pauses, after the activity is committed. */
export type Warnings =
  | readonly JsonObject[]
  | ((pause: () => Promise<void>) => Promise<readonly JsonObject[]>);
