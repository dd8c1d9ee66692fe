// Names and forms of activities on the wire.

import type { JsonObject } from '../core/schema/json.ts';
import type { TSchema } from '../core/schema/schema.ts';

/** The three wire names of an activity. */
export type Wire = { readonly type: string; readonly intent: string; readonly result: string };

/** An older activity type of the same operation: its own names and form, mapped to the newest. */
export type OlderVersion<P, R> = {
  readonly wire: Wire;
  readonly parameters: TSchema;
  readonly result?: TSchema;
  /** The parameters as the newest version has them; must not invent values. */
  readonly upgrade: (parameters: JsonObject) => P;
  /** The result in the form of this version; absent if the form is the same. */
  readonly downgrade?: (result: R) => JsonObject;
};
