// The values from which every outcome of an activity is recorded.

import type { Context } from '../core/base/context.ts';
import type { OrganizationState } from '../core/organization/state.ts';
import type { Caller } from '../operations/operation.ts';
import type { ParsedActivity } from './parse.ts';

export type Recording = {
  readonly parsed: ParsedActivity;
  readonly state: OrganizationState;
  readonly context: Context;
  /** The parent, where its policies decided. */
  readonly decidedBy?: OrganizationState | undefined;
  /** The parent whose freezes were read. */
  readonly parent?: OrganizationState | undefined;
  /** The voter, and the body that the voter signed. */
  readonly caller: Caller;
  readonly body: Uint8Array;
  /** Digest of the facts that policies read, if policies may have decided. */
  readonly factsDigest?: (() => string | undefined) | undefined;
};
