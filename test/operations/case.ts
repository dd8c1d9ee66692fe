// A case of an operation: who may call it, and valid calls. It stands next to the operation's test. Suites
// that cover all operations read the cases.

import type { Tenant } from '../hostile/tenants.ts';
import type { Effect } from '../simulation/effect_parts.ts';
import type { Generate, Generator } from '../simulation/request_parts.ts';

/** Valid parameters, as a function of the tenant whose ids they name. */
export type Call = {
  readonly parameters: (of: Tenant) => object;
  /** The ids are filters: an id of another organization matches nothing, without an error. */
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
  /** A user of the parent may call it in the child, under the parent's policies. */
  readonly parentActs?: true;
  /** A caller who names the parent acts in the child that holds the credential. */
  readonly findsChild?: true;
  readonly calls: readonly Call[];
  /** Generates parameters that suit the current state of an organization, for the simulation. */
  readonly generate?: Generator;
  /** Describes exactly the rows that the activity writes. */
  readonly effect?: Effect;
};

/** A case of a query. Every user of the organization and of its parent reads the whole answer. */
export type QueryCase = {
  readonly readers: 'every user';
  /** A caller who names the parent reads the child that holds the credential. */
  readonly findsChild?: true;
  readonly calls: readonly Call[];
  /** Generates a body that suits the current state of an organization, for the simulation. */
  readonly generate?: Generate;
};

export const activityCase = (written: ActivityCase) => ({ kind: 'activity', ...written }) as const;
export const queryCase = (written: QueryCase) => ({ kind: 'query', ...written }) as const;
