// A case of an operation: who may call it, and valid calls. It stands next to the operation's test. Suites
// that go through all operations read the cases.

import type { Tenant } from '../hostile/tenants.ts';
import type { Effect } from '../simulation/effect_parts.ts';
import type { Generate, Generator } from '../simulation/request_parts.ts';

/** A valid set of parameters, as a function of whose ids it names. */
export type Call = {
  readonly parameters: (of: Tenant) => object;
  /** The ids only select: one of another organization selects nothing and is no error. */
  readonly onlySelects?: true;
  /** The organization in which the call is accepted. Default: a child. */
  readonly by?: 'parent' | 'unrelated';
};

/** The rule that decides on an activity. */
export type Rule =
  /** The root quorum, or policies. */
  | 'policies'
  /** Like `policies`; a user needs no grant for its own credentials and sessions. */
  | 'policies or oneself'
  /** The root quorum alone; a user needs no grant for itself. */
  | 'quorum or oneself'
  /** The root quorum alone. */
  | 'quorum';

/**
 * A case of an activity. Its types, subject and rule are written by hand from what public clients and
 * their documents expect, and never from the code. Change them only where those expectations change.
 */
export type ActivityCase = {
  /** The activity types that are accepted, the newest first, without `ACTIVITY_TYPE_`. */
  readonly types: string;
  /** `activity.resource` and `activity.action`. */
  readonly subject: string;
  readonly rule: Rule;
  /** A user of the parent may ask for it, as the parent's policies say. */
  readonly parentActs?: true;
  /** A caller who names the parent acts in the child where the credential lives. */
  readonly findsChild?: true;
  readonly calls: readonly Call[];
  /** Parameters in an organization as it is, for the simulation. */
  readonly generate?: Generator;
  /** The rows that the activity writes, no more and no less. */
  readonly effect?: Effect;
};

/** A case of a query. Every user of the organization and of its parent reads all of it. */
export type QueryCase = {
  readonly readers: 'every user';
  /** A caller who names the parent reads of the child where the credential lives. */
  readonly findsChild?: true;
  readonly calls: readonly Call[];
  /** The body in an organization as it is, for the simulation. */
  readonly generate?: Generate;
};

export const activityCase = (written: ActivityCase) => ({ kind: 'activity', ...written }) as const;
export const queryCase = (written: QueryCase) => ({ kind: 'query', ...written }) as const;
