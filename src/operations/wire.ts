// Names and forms of activities in requests and answers, and older versions of them.

import type { JsonObject } from '../core/schema/json.ts';
import type { TSchema } from '../core/schema/schema.ts';

/** The three wire names of an activity. */
export type Wire = { readonly type: string; readonly intent: string; readonly result: string };

/** An older activity type of the same operation: its own names and form, mapped to the newest. */
export type OlderVersion<P, R> = {
  readonly wire: Wire;
  readonly parameters: TSchema;
  readonly result?: TSchema;
  /** Returns the parameters in the form of the newest version. Must not invent values. */
  readonly upgrade: (parameters: JsonObject) => P;
  /** Returns the result in the form of this version. Default: the same form. */
  readonly downgrade?: (result: R) => JsonObject;
};
