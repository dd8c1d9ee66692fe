// One attack by the owner of the database.

import type { Choice } from './choice.ts';
import type { Tables } from './tables.ts';

/** Returns the attacked tables; undefined if there is nothing to attack. */
export type Attack = (
  tables: Tables,
  choice: Choice,
  /** All earlier states of the tables, oldest first. */
  history: readonly Tables[],
) => Tables | undefined;
