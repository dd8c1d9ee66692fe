// The inputs to every recorded outcome of an activity.

import type { Context } from '../core/base/context.ts';
import type { OrganizationState } from '../core/organization/state.ts';
import type { Facts } from '../core/policy/decision/access.ts';
import type { Caller } from '../operations/operation.ts';
import type { ParsedActivity } from './parse.ts';

export type Recording = {
  readonly parsed: ParsedActivity;
  readonly state: OrganizationState;
  readonly context: Context;
  /** The parent, if its policies decided. */
  readonly decidedBy?: OrganizationState | undefined;
  /** The parent whose freezes were checked. */
  readonly parent?: OrganizationState | undefined;
  /** The voter and the signed body. */
  readonly caller: Caller;
  readonly body: Uint8Array;
  /** The facts of an activity that may have been executed. */
  readonly facts?: () => Facts;
  /** Digest of the facts for policies, if policies may have decided. */
  readonly factsDigest?: (() => string | undefined) | undefined;
};
